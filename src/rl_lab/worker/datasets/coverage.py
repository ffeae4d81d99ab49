"""How much of its states a dataset shows: visits on a grid over the two widest directions of the observations."""

from __future__ import annotations

import numpy as np

from rl_lab.core.datasets.manifest import OBSERVATIONS
from rl_lab.worker.datasets.reading import OpenDataset
from rl_lab.worker.datasets.spaces import leaves

GRID = 24
MAX_ROWS = 100_000
"""Observations that are looked at, evenly spread over the dataset."""
MAX_NUMBERS = 64
"""Numbers of an observation that are looked at, evenly spread over it."""
MAX_STATES = 576
"""Discrete states that are shown one by one."""


def state_coverage(dataset: OpenDataset) -> tuple[float | None, list[list[int]]]:
    """The share of visited cells, and the visits per cell."""
    space = dataset.manifest.observation_space
    if space["type"] == "Discrete":
        return _discrete(dataset, int(space["n"]), int(space.get("start", 0)))
    rows = _sample(dataset)
    rows = rows[np.isfinite(rows).all(axis=1)]
    spread = rows.std(axis=0) if len(rows) else np.zeros(0)
    rows = rows[:, spread > 1e-12]
    if len(rows) < 2 or rows.shape[1] == 0:
        return None, []
    projected = _project((rows - rows.mean(axis=0)) / rows.std(axis=0))
    counts, _, _ = np.histogram2d(projected[:, 0], projected[:, 1], GRID, _limits(projected))
    visits = counts.astype(np.int64)
    return float((visits > 0).mean()), visits.tolist()


def _discrete(dataset: OpenDataset, count: int, start: int) -> tuple[float | None, list[list[int]]]:
    if count > 1_000_000:
        return None, []
    visits = np.bincount(dataset.column(OBSERVATIONS) - start, minlength=count)[:count]
    width = int(np.ceil(np.sqrt(count)))
    shown = np.pad(visits, (0, width * width - count)).reshape(width, width) if count <= MAX_STATES else None
    return float((visits > 0).mean()), [] if shown is None else shown.tolist()


def _sample(dataset: OpenDataset) -> np.ndarray:
    total = dataset.manifest.transitions + dataset.manifest.episodes
    step = max(1, -(-total // MAX_ROWS))
    parts = []
    for leaf in leaves(dataset.manifest.observation_space, OBSERVATIONS):
        numbers = max(1, int(np.prod(leaf.shape)))
        places = np.unique(np.linspace(0, numbers - 1, min(numbers, MAX_NUMBERS)).astype(int))
        column = dataset.column(leaf.name)
        parts.append(column.reshape(len(column), -1)[::step, places].astype(np.float64))
    rows = np.concatenate(parts, axis=1)
    return rows[:, :: max(1, -(-rows.shape[1] // MAX_NUMBERS))]


def _project(rows: np.ndarray) -> np.ndarray:
    """On the two directions with the largest variance; their signs are fixed, so that a picture can be repeated."""
    if rows.shape[1] == 1:
        return np.column_stack([rows, np.zeros(len(rows))])
    _, vectors = np.linalg.eigh(rows.T @ rows)
    widest = vectors[:, [-1, -2]]
    widest = widest * np.sign(widest[np.abs(widest).argmax(axis=0), [0, 1]])
    return np.asarray(rows @ widest)


def _limits(points: np.ndarray) -> list[tuple[float, float]]:
    low, high = points.min(axis=0), points.max(axis=0)
    return [
        (float(a), float(b)) if b > a else (float(a) - 0.5, float(a) + 0.5)
        for a, b in zip(low, high, strict=True)
    ]
