"""A version in figures. Columns are read in parts, so that memory does not grow with the dataset."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from rl_lab.core.datasets.datasets import DatasetStatistics, Histogram
from rl_lab.core.datasets.manifest import (
    ACTIONS,
    TERMINATIONS,
    WHO,
    ScoreReference,
)
from rl_lab.portable.atomic_files import save_file
from rl_lab.worker.datasets.coverage import state_coverage
from rl_lab.worker.datasets.fingerprints import CHUNK_ROWS, find_duplicates, find_not_finite
from rl_lab.worker.datasets.job_files import STATISTICS_FILE
from rl_lab.worker.datasets.reading import OpenDataset, open_dataset
from rl_lab.worker.datasets.spaces import Leaf, bounds, leaves
from rl_lab.worker.datasets.writing import write_manifest

BARS = 24
MAX_VALUES = 64
"""Discrete actions that get a bar each."""
MAX_ACTIONS = 32
"""Numbers of an action that get a histogram."""
NAMED = "worst and best episode of this dataset"


def complete_version(folder: Path) -> OpenDataset:
    """Check the schema of a version that was just written, and store its figures next to it."""
    dataset = open_dataset(folder)
    found = statistics_of(dataset)
    save_file(lambda aside: aside.write_text(found.model_dump_json(indent=1)), folder / STATISTICS_FILE)
    manifest = dataset.manifest
    low, high = found.return_min, found.return_max
    if manifest.reference is None and low is not None and high is not None and high > low:
        reference = ScoreReference(low=low, high=high, named=NAMED)
        manifest = manifest.model_copy(update={"reference": reference})
        write_manifest(folder, manifest)
    return OpenDataset(folder, manifest, dataset.columns)


def statistics_of(dataset: OpenDataset) -> DatasetStatistics:
    returns, lengths = dataset.returns, dataset.lengths
    known = returns[np.isfinite(returns)]
    terminated = dataset.column(TERMINATIONS)[dataset.ends - 1]
    coverage, state_map = state_coverage(dataset)
    not_finite, _ = find_not_finite(dataset)
    return DatasetStatistics(
        return_mean=float(known.mean()) if len(known) else None,
        return_std=float(known.std()) if len(known) else None,
        return_min=float(known.min()) if len(known) else None,
        return_median=float(np.median(known)) if len(known) else None,
        return_max=float(known.max()) if len(known) else None,
        returns=histogram(known),
        length_mean=float(lengths.mean()),
        length_min=int(lengths.min()),
        length_max=int(lengths.max()),
        lengths=histogram(lengths),
        terminated=int(terminated.sum()),
        truncated=int((~terminated).sum()),
        actions=[
            found
            for leaf in leaves(dataset.manifest.action_space, ACTIONS)
            for found in _actions(dataset, leaf)
        ][:MAX_ACTIONS],
        state_coverage=coverage,
        state_map=state_map,
        duplicates=int(find_duplicates(dataset).sum()),
        not_finite=not_finite,
        by_person=int(dataset.column(WHO).astype(bool).sum()) if WHO in dataset.columns else 0,
    )


def histogram(values: np.ndarray, bars: int = BARS) -> Histogram:
    """Whole numbers that are few get a bar each."""
    if len(values) == 0:
        return Histogram(edges=[], counts=[])
    low, high = values.min(), values.max()
    if values.dtype.kind in "iu" and high - low < bars:
        edges = np.arange(int(low), int(high) + 2) - 0.5
    else:
        edges = _edges(float(low), float(high), bars)
    counts, _ = np.histogram(values, edges)
    return Histogram(edges=edges.tolist(), counts=counts.tolist())


def _actions(dataset: OpenDataset, leaf: Leaf) -> Iterator[Histogram]:
    column = dataset.column(leaf.name)
    width = int(np.prod(leaf.shape))
    edges = [_action_edges(leaf, column, place) for place in range(min(width, MAX_ACTIONS))]
    counts = [np.zeros(max(0, len(one) - 1), np.int64) for one in edges]
    for rows in _parts(column):
        flat = rows.reshape(len(rows), -1)
        for place, one in enumerate(edges):
            values = flat[:, place]
            counts[place] += np.histogram(values[np.isfinite(values)], one)[0]
    for one, count in zip(edges, counts, strict=True):
        yield Histogram(edges=one.tolist(), counts=count.tolist())


def _action_edges(leaf: Leaf, column: np.ndarray, place: int) -> np.ndarray:
    """One bar per value of discrete actions; the bounds of continuous ones, or what occurs where there are none."""
    kind = leaf.space["type"]
    if kind == "Box":
        low, high = (float(bound.reshape(-1)[place]) for bound in bounds(leaf.space))
        if not (np.isfinite(low) and np.isfinite(high) and high > low):
            low, high = _extent(column, place)
        return _edges(low, high, BARS)
    start, count = _values(leaf, place)
    if count <= MAX_VALUES:
        return np.arange(start, start + count + 1) - 0.5
    return _edges(start - 0.5, start + count - 0.5, BARS)


def _values(leaf: Leaf, place: int) -> tuple[int, int]:
    """The first discrete value and how many there are."""
    space = leaf.space
    if space["type"] == "Discrete":
        return int(space.get("start", 0)), int(space["n"])
    if space["type"] == "MultiBinary":
        return 0, 2
    count = int(np.reshape(space["nvec"], -1)[place])
    start = space.get("start")
    return (int(np.reshape(start, -1)[place]) if start is not None else 0), count


def _extent(column: np.ndarray, place: int) -> tuple[float, float]:
    low, high = np.inf, -np.inf
    for rows in _parts(column):
        values = rows.reshape(len(rows), -1)[:, place]
        values = values[np.isfinite(values)]
        if len(values):
            low, high = min(low, float(values.min())), max(high, float(values.max()))
    return (low, high) if low <= high else (0.0, 0.0)


def _edges(low: float, high: float, bars: int) -> np.ndarray:
    if not high > low:
        pad = max(abs(low) * 1e-6, 0.5)
        return np.array([low - pad, low + pad])
    return np.linspace(low, high, bars + 1)


def _parts(column: np.ndarray) -> Iterator[np.ndarray]:
    return (column[start : start + CHUNK_ROWS] for start in range(0, len(column), CHUNK_ROWS))
