"""Episodes of one dataset written into another, many at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rl_lab.core.datasets.manifest import (
    EPISODE_COLUMNS,
    EPISODE_NUMBERS,
    EPISODE_SOURCES,
    INFOS,
    WHO,
)
from rl_lab.worker.datasets.progress import WorkCount
from rl_lab.worker.datasets.reading import OpenDataset, has_last_row
from rl_lab.worker.datasets.writing import DatasetWriter, InfoColumns

CHUNK_BYTES = 16 << 20


def copy_episodes(
    dataset: OpenDataset,
    chosen: np.ndarray,
    writer: DatasetWriter,
    progress: WorkCount,
    *,
    first_source: int = 0,
) -> None:
    """Write the episodes with these indices; `first_source`: where the dataset's sources begin in the writer's."""
    for indices in chunks_of(dataset, chosen):
        steps, seen = _rows_of(dataset, indices)
        columns = {
            name: column[seen if has_last_row(name) else steps]
            for name, column in dataset.columns.items()
            if name not in EPISODE_COLUMNS
        }
        writer.add_columns(
            columns,
            dataset.lengths[indices],
            seeds=dataset.seeds[indices],
            sources=dataset.column(EPISODE_SOURCES)[indices] + first_source,
            numbers=dataset.column(EPISODE_NUMBERS)[indices],
        )
        progress.advance(len(indices))


def chunks_of(
    dataset: OpenDataset, chosen: np.ndarray, chunk_bytes: int = CHUNK_BYTES
) -> Iterator[np.ndarray]:
    """The indices in parts whose steps together take about so many bytes; an episode is never divided."""
    if len(chosen) == 0:
        return
    row = max(1, dataset.manifest.size // max(1, dataset.manifest.transitions))
    part = np.cumsum(dataset.lengths[chosen]) * row // chunk_bytes
    yield from np.split(chosen, np.flatnonzero(np.diff(part)) + 1)


def info_columns(datasets: list[OpenDataset]) -> InfoColumns:
    """The info columns that all of them have, with the same type and shape."""
    kinds = [
        {
            name.removeprefix(f"{INFOS}."): (column.dtype, column.shape[1:])
            for name, column in dataset.columns.items()
            if name.startswith(f"{INFOS}.")
        }
        for dataset in datasets
    ]
    return {key: kind for key, kind in kinds[0].items() if all(other.get(key) == kind for other in kinds)}


def has_person(datasets: list[OpenDataset]) -> bool:
    return any(WHO in dataset.columns for dataset in datasets)


def _rows_of(dataset: OpenDataset, indices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows of the episodes' steps, and those of what was seen."""
    lengths, starts = dataset.lengths[indices], dataset.starts[indices]
    return _ranges(starts, lengths), _ranges(starts + indices, lengths + 1)


def _ranges(starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """starts[0], starts[0] + 1, …, starts[1], starts[1] + 1, …"""
    before = np.cumsum(lengths) - lengths
    return np.asarray(np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths))
