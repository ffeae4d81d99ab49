"""Ranks and rank correlations; equal values share a rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FEWEST = 3
"""Two values are always in the same order or reversed."""
DIGITS = 1e9
"""Values that differ by less than this part of their spread are equal: sums of the same steps may round differently."""


def descending_ranks(values: Floats) -> Floats:
    """1 = the highest; equal values share the mean of their ranks."""
    return ascending_ranks(-values)


def ascending_ranks(values: Floats) -> Floats:
    _, places, counts = np.unique(_settled(values), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[places], np.float64)


def spearman(first: Floats, second: Floats) -> float | None:
    """Spearman's ρ; None with fewer than three values, or where all values of one side are equal."""
    if len(first) < FEWEST:
        return None
    a, b = (ranks - ranks.mean() for ranks in (ascending_ranks(first), ascending_ranks(second)))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return _within(float(a @ b) / size) if size > 0 else None


def kendall(first: Floats, second: Floats) -> float | None:
    """Kendall's τ-b, which allows for ties; None as for Spearman's ρ."""
    if len(first) < FEWEST:
        return None
    a, b = _orders(first), _orders(second)
    size = float(np.sqrt(float(np.count_nonzero(a)) * float(np.count_nonzero(b))))
    agreeing = float(np.sum(a * b, dtype=np.int64))
    return _within(agreeing / size) if size > 0 else None


def percentiles(values: Floats) -> Floats:
    """The share of values below each one, 0 to 100; half of its equals count."""
    return (ascending_ranks(values) - 0.5) / len(values) * 100


def _orders(values: Floats) -> NDArray[np.int8]:
    """For each pair of values: 1, 0 or −1."""
    places = np.unique(_settled(values), return_inverse=True)[1].astype(np.int32)
    orders: NDArray[np.int8] = np.sign(places[:, None] - places[None, :]).astype(np.int8)
    return orders


def _settled(values: Floats) -> Floats:
    spread = float(np.ptp(values)) if len(values) else 0.0
    return np.round(values / spread * DIGITS) if spread > 0 else np.zeros(len(values))


def _within(value: float) -> float:
    return max(-1.0, min(1.0, value))
