"""Parquet: one row per step with what it led to (SARS), or one row per episode (trajectories)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import (
    ACTIONS,
    INFOS,
    OBSERVATIONS,
    REWARDS,
    TERMINATIONS,
    TRUNCATIONS,
    WHO,
)
from rl_lab.worker.datasets.formats.arrow_tables import require_arrow
from rl_lab.worker.datasets.formats.own_marks import marks_of
from rl_lab.worker.datasets.formats.rows import PART_BYTES, Array
from rl_lab.worker.datasets.formats.step_parts import Report, StepParts
from rl_lab.worker.datasets.reading import OpenDataset, has_last_row

OWN = "rl_lab"


def write_steps(dataset: OpenDataset, path: Path, report: Report) -> None:
    parts = StepParts(dataset)
    tables = (_step_table(parts, start, end) for start, end in parts.ranges())
    _write(
        dataset,
        path,
        ((table, min(1.0, (n + 1) * parts.count / parts.steps)) for n, table in enumerate(tables)),
        report,
    )


def write_trajectories(dataset: OpenDataset, path: Path, report: Report) -> None:
    _write(dataset, path, _episode_tables(dataset), report)


def _write(dataset: OpenDataset, path: Path, tables: Iterator[tuple[Any, float]], report: Report) -> None:
    require_arrow("Parquet")
    import pyarrow.parquet as pq

    writer = None
    try:
        for table, share in tables:
            if writer is None:
                schema = table.schema.with_metadata({OWN: marks_of(dataset.manifest)})
                writer = pq.ParquetWriter(path, schema, compression="zstd")
            writer.write_table(table.replace_schema_metadata(schema.metadata))
            report(share)
    finally:
        if writer is not None:
            writer.close()


def _step_table(parts: StepParts, start: int, end: int) -> Any:
    pa = require_arrow("Parquet")
    columns: dict[str, Any] = {
        "episode": parts.episodes(start, end),
        "step": parts.numbers(start, end),
    }
    for name in parts.observations:
        columns["observation" + name.removeprefix(OBSERVATIONS)] = parts.before(name, start, end)
    for name in parts.actions:
        columns["action" + name.removeprefix(ACTIONS)] = parts.step(name, start, end)
    columns["reward"] = parts.rewards(start, end)
    columns["terminated"] = parts.terminated(start, end)
    columns["truncated"] = parts.truncated(start, end)
    for name in parts.observations:
        columns["next_observation" + name.removeprefix(OBSERVATIONS)] = parts.after(name, start, end)
    for name in parts.infos:
        columns["info" + name.removeprefix(INFOS)] = parts.before(name, start, end)
    columns["seed"] = parts.seeds(start, end)
    if parts.has_who:
        columns[WHO] = parts.step(WHO, start, end)
    return pa.table({name: _nested(np.ascontiguousarray(values)) for name, values in columns.items()})


def _episode_tables(dataset: OpenDataset) -> Iterator[tuple[Any, float]]:
    """As many whole episodes at once as fit into a part, one at least."""
    pa = require_arrow("Parquet")
    names = [name for name in dataset.columns if not name.startswith("episode_")]
    per_step = sum(dataset.columns[name][:1].nbytes for name in names)
    ends, first = dataset.ends, 0
    while first < len(dataset):
        begin = int(ends[first - 1]) if first else 0
        last = int(np.searchsorted(ends, begin + PART_BYTES // max(1, per_step), side="right"))
        last = min(len(dataset), max(first + 1, last))
        yield pa.table(_episodes(dataset, names, first, last)), last / len(dataset)
        first = last


def _episodes(dataset: OpenDataset, names: list[str], first: int, last: int) -> dict[str, Any]:
    pa = require_arrow("Parquet")
    begin, end = int(dataset.starts[first]), int(dataset.ends[last - 1])
    offsets = np.concatenate([dataset.starts[first:last], [end]]) - begin
    columns: dict[str, Any] = {
        "episode": np.arange(first, last),
        "seed": dataset.seeds[first:last],
        "return": np.add.reduceat(dataset.columns[REWARDS][begin:end], offsets[:-1]),
        "length": dataset.lengths[first:last],
    }
    for name in names:
        values = dataset.columns[name]
        if has_last_row(name):
            rows, starts = values[begin + first : end + last], offsets + np.arange(last - first + 1)
        else:
            rows, starts = values[begin:end], offsets
        if name in (TERMINATIONS, TRUNCATIONS):
            rows = rows.astype(bool)
        columns[name] = pa.LargeListArray.from_arrays(starts, _nested(np.ascontiguousarray(rows)))
    return columns


def _nested(values: Array) -> Any:
    """An array of several dimensions as lists of fixed length."""
    pa = require_arrow("Parquet")
    found = pa.array(values.reshape(-1))
    for size in reversed(values.shape[1:]):
        found = pa.FixedSizeListArray.from_arrays(found, size)
    return found
