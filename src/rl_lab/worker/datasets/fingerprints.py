"""Which episodes are the same as an earlier one, and which hold NaN; for many at once, without a loop over episodes."""

from __future__ import annotations

import numpy as np

from rl_lab.core.datasets.manifest import ACTIONS, EPISODE_COLUMNS, OBSERVATIONS
from rl_lab.worker.datasets.reading import OpenDataset, has_last_row

CHUNK_ROWS = 1 << 16
_STEP = np.uint64(0x9E3779B97F4A7C15)


def find_duplicates(dataset: OpenDataset) -> np.ndarray:
    """True for each episode with the same length, actions and first observation as an earlier one."""
    marks = _mixed(dataset.lengths.astype(np.uint64))
    firsts = dataset.starts + np.arange(len(dataset))
    for name, column in dataset.columns.items():
        group = name.split(".", maxsplit=1)[0]
        if group == ACTIONS:
            marks ^= _of_episodes(dataset, column)
        elif group == OBSERVATIONS:
            marks = _mixed(marks ^ _of_rows_at(column, firsts))
    _, first = np.unique(marks, return_index=True)
    found = np.ones(len(marks), bool)
    found[first] = False
    return found


def find_not_finite(dataset: OpenDataset) -> tuple[dict[str, int], np.ndarray]:
    """NaN and infinite numbers by column, and the episodes that hold one."""
    counts: dict[str, int] = {}
    found = np.zeros(len(dataset), bool)
    for name, column in dataset.columns.items():
        if column.dtype.kind != "f" or name in EPISODE_COLUMNS:
            continue
        total = 0
        for start in range(0, len(column), CHUNK_ROWS):
            rows = column[start : start + CHUNK_ROWS]
            wrong = ~np.isfinite(rows.reshape(len(rows), -1))
            count = int(wrong.sum())
            if count:
                total += count
                found[_episodes_of(dataset, name, start + np.flatnonzero(wrong.any(axis=1)))] = True
        if total:
            counts[name] = total
    return counts, found


def _episodes_of(dataset: OpenDataset, name: str, rows: np.ndarray) -> np.ndarray:
    ends = dataset.ends + np.arange(1, len(dataset) + 1) if has_last_row(name) else dataset.ends
    return np.searchsorted(ends, rows, side="right")


def _of_episodes(dataset: OpenDataset, column: np.ndarray) -> np.ndarray:
    """A number for each episode that depends on every row and its place."""
    found = np.zeros(len(dataset), np.uint64)
    for start in range(0, len(column), CHUNK_ROWS):
        rows = _of_rows(column[start : start + CHUNK_ROWS])
        places = np.arange(start, start + len(rows))
        episodes = np.searchsorted(dataset.ends, places, side="right")
        steps = (places - dataset.starts[episodes]).astype(np.uint64)
        mixed = _mixed(rows + steps * _STEP)
        first = np.flatnonzero(np.diff(episodes, prepend=-1))
        found[episodes[first]] += np.add.reduceat(mixed, first)
    return _mixed(found)


def _of_rows_at(column: np.ndarray, rows: np.ndarray) -> np.ndarray:
    parts = [_of_rows(column[rows[i : i + CHUNK_ROWS]]) for i in range(0, len(rows), CHUNK_ROWS)]
    return np.concatenate(parts)


def _of_rows(rows: np.ndarray) -> np.ndarray:
    """A number for each row that depends on all its bytes."""
    count = len(rows)
    data = np.ascontiguousarray(rows).view(np.uint8).reshape(count, -1)
    weights = np.random.default_rng(data.shape[1]).integers(1, 2**63, data.shape[1], np.uint64) * 2 + 1
    total = np.zeros(count, np.uint64)
    for place, weight in enumerate(weights):
        total += data[:, place].astype(np.uint64) * weight
    return _mixed(total)


def _mixed(values: np.ndarray) -> np.ndarray:
    """Spreads every bit over the whole number (the end of splitmix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(values ^ (values >> np.uint64(31)))
