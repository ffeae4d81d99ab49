"""Turbo's gradient step as numba loops, for `learners_numba.py` to compare; one MLP without biases."""

from __future__ import annotations

from typing import Any

import numba as nb
import numpy as np

OPTIONS = {"fastmath": True, "error_model": "numpy", "cache": True}
ONE = np.float32(1)


@nb.njit(**OPTIONS)
def add_product(x: Any, w: Any, y: Any) -> None:
    """y += x @ w, four rows and four columns of x at a time."""
    rows, inner, columns = x.shape[0], w.shape[0], w.shape[1]
    for s in range(0, rows, 4):
        for i in range(0, inner, 4):
            a = x[s : s + 4, i : i + 4]
            for j in range(columns):
                p, q, r, t = w[i, j], w[i + 1, j], w[i + 2, j], w[i + 3, j]
                y[s, j] += a[0, 0] * p + a[0, 1] * q + a[0, 2] * r + a[0, 3] * t
                y[s + 1, j] += a[1, 0] * p + a[1, 1] * q + a[1, 2] * r + a[1, 3] * t
                y[s + 2, j] += a[2, 0] * p + a[2, 1] * q + a[2, 2] * r + a[2, 3] * t
                y[s + 3, j] += a[3, 0] * p + a[3, 1] * q + a[3, 2] * r + a[3, 3] * t


@nb.njit(**OPTIONS)
def tanh(h: Any) -> None:
    """A rational approximation that the compiler can vectorise."""
    for s in range(h.shape[0]):
        for j in range(h.shape[1]):
            v = min(max(h[s, j], np.float32(-4.97)), np.float32(4.97))
            q = v * v
            p = v * (np.float32(135135) + q * (np.float32(17325) + q * (np.float32(378) + q)))
            d = np.float32(135135) + q * (np.float32(62370) + q * (np.float32(3150) + q * np.float32(28)))
            h[s, j] = p / d


@nb.njit(**OPTIONS)
def step(
    x: Any, w1: Any, w2: Any, w3: Any, d: Any, h1: Any, h2: Any, d1: Any, d2: Any, g1: Any, g2: Any, g3: Any
) -> None:
    """Forward, then the gradients g1, g2, g3 of a loss with derivative `d` by the outputs."""
    for array in (h1, h2, d1, d2, g1, g2, g3):
        array[:] = 0
    add_product(x, w1, h1)
    tanh(h1)
    add_product(h1, w2, h2)
    tanh(h2)
    for s in range(x.shape[0]):
        for k in range(w3.shape[1]):
            for i in range(w3.shape[0]):
                g3[i, k] += h2[s, i] * d[s, k]
                d2[s, i] += d[s, k] * w3[i, k]
        for i in range(w3.shape[0]):
            d2[s, i] *= ONE - h2[s, i] * h2[s, i]
    add_product(np.ascontiguousarray(h1.T), d2, g2)
    add_product(d2, np.ascontiguousarray(w2.T), d1)
    for s in range(x.shape[0]):
        for i in range(w2.shape[0]):
            d1[s, i] *= ONE - h1[s, i] * h1[s, i]
    add_product(np.ascontiguousarray(x.T), d1, g1)
