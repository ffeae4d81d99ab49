"""A slice of the loss around the weights, along two random directions (Li et al., 2018).

Each direction has, filter by filter, the norm of the weights: without that, the picture would show the scale of the
layers instead of the shape of the loss. Biases and other vectors stay as they are, as in the paper.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_lab.core.models.inspections import LossSurface
from rl_lab.worker.models.inspected_model import Array, InspectedModel, Tensors

SIDE = 21
REACH = 1.0
SEED = 0


def slice_of(model: InspectedModel, batch: Any, *, side: int = SIDE, seed: int = SEED) -> LossSurface:
    centre = model.tensors()
    rng = np.random.default_rng(seed)
    first, second = draw_direction(centre, rng), draw_direction(centre, rng)
    steps = np.linspace(-REACH, REACH, side)
    values = np.empty((side, side))
    try:
        for row, b in enumerate(steps):
            for column, a in enumerate(steps):
                model.replace({name: centre[name] + a * first[name] + b * second[name] for name in first})
                values[row, column] = sum(model.losses(batch).values())
    finally:
        model.replace(centre)
    finite = values[np.isfinite(values)]
    return LossSurface(
        steps=steps.tolist(),
        values=values.tolist(),
        centre=sum(model.losses(batch).values()),
        minimum=float(finite.min()) if finite.size else None,
        maximum=float(finite.max()) if finite.size else None,
        seed=seed,
    )


def draw_direction(centre: Tensors, rng: np.random.Generator) -> Tensors:
    """By tensor with at least two axes."""
    return {name: _like_filters(tensor, rng) for name, tensor in centre.items() if tensor.ndim > 1}


def _like_filters(tensor: Array, rng: np.random.Generator) -> Array:
    direction = rng.standard_normal(tensor.shape)
    axes = tuple(range(1, tensor.ndim))
    wanted = np.sqrt(np.square(tensor, dtype=np.float64).sum(axis=axes, keepdims=True))
    drawn = np.sqrt(np.square(direction).sum(axis=axes, keepdims=True))
    scaled: Array = (direction * (wanted / np.maximum(drawn, 1e-12))).astype(np.float32)
    return scaled
