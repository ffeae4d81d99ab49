"""The tables of an export: what a run has stored, as batches of rows. Blocks; read on a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.analysis.tables.batches import RowBatch, TableColumn
from rl_lab.analysis.tables.csv_table import write_csv
from rl_lab.analysis.tables.json_table import write_json
from rl_lab.analysis.tables.number_columns import number_columns, number_values
from rl_lab.analysis.tables.parquet_table import write_parquet
from rl_lab.analysis.tables.run_columns import ABOUT, RunColumns, describe_runs
from rl_lab.core.protocol.metrics import METRICS
from rl_lab.core.reproduction.exports import TableName
from rl_lab.core.runs import Run
from rl_lab.core.workbench.derived_metrics import NO_DEFINITIONS, Definitions
from rl_lab.orchestrator.runs.derived_series import read_derived
from rl_lab.store.telemetry import TelemetryReader
from rl_lab.store.telemetry.series import StoredSeries

BITE = 20_000
"""Rows that are read at once."""
WRITERS = {"csv": write_csv, "json": write_json, "parquet": write_parquet}

OWN: dict[TableName, tuple[TableColumn, ...]] = {
    "metrics": (
        TableColumn("metric", "text"),
        TableColumn("step", "int"),
        TableColumn("time", "time"),
        TableColumn("value", "float"),
    ),
    "episodes": (
        TableColumn("role", "text"),
        TableColumn("episode", "int"),
        TableColumn("environment_number", "int"),
        TableColumn("episode_seed", "int"),
        TableColumn("reward", "float"),
        TableColumn("length", "int"),
        TableColumn("terminated", "bool"),
        TableColumn("truncated", "bool"),
        TableColumn("success", "bool"),
        TableColumn("step", "int"),
        TableColumn("time", "time"),
        TableColumn("recorded", "bool"),
    ),
    "runs": (
        TableColumn("runner", "text"),
        TableColumn("status", "text"),
        TableColumn("steps", "int"),
        TableColumn("episodes", "int"),
        TableColumn("elapsed_s", "float"),
        TableColumn("final_mean_reward", "float"),
        TableColumn("best_mean_reward", "float"),
        TableColumn("best_reward", "float"),
        TableColumn("created", "time"),
        TableColumn("started", "time"),
        TableColumn("ended", "time"),
        TableColumn("tags", "text"),
        TableColumn("notes", "text"),
    ),
}
"""The columns of each table, after those that say which run it is and before those of its settings."""


def stream_table(
    table: TableName,
    form: str,
    runs: Sequence[tuple[Run, Path]],
    studies: Mapping[str, str],
    variants: Mapping[tuple[str, int], str],
    *,
    definitions: Definitions = NO_DEFINITIONS,
) -> Iterator[bytes]:
    """Every stored row; `runs` with the files of their telemetry, `definitions` those of derived metrics."""
    own = [*OWN[table], *(number_columns([run for run, _ in runs]) if table == "runs" else ())]
    taken = [column.name for column in (*ABOUT, *own)]
    about = describe_runs([run for run, _ in runs], studies, variants, taken)
    columns = [*ABOUT, *own, *about.settings]
    return WRITERS[form](columns, _batches(table, runs, about, definitions))


def _batches(
    table: TableName, runs: Sequence[tuple[Run, Path]], about: RunColumns, definitions: Definitions
) -> Iterator[RowBatch]:
    for run, telemetry in runs:
        same = about.of(run.id)
        if table == "runs":
            yield RowBatch(1, {**same, **_summary(run)})
        elif telemetry.exists():
            with TelemetryReader(telemetry, run.id) as reader:
                yield from READERS[table](reader, same)
                if table == "metrics":
                    yield from _derived(reader, same, definitions)


def _points(reader: TelemetryReader, same: Mapping[str, Any]) -> Iterator[RowBatch]:
    stored = {latest.name: latest.count for latest in reader.latest()}
    names = [*(name for name in METRICS if name in stored), *sorted(set(stored) - set(METRICS))]
    for name in names:
        at = -1
        # Only what was there at the start: a run in progress would keep the export going.
        while at + 1 < stored[name]:
            found = reader.after(name, at, min(BITE, stored[name] - at - 1))
            if not len(found):
                break
            at = int(found.index[-1])
            yield _batch_of(found, same)


def _derived(
    reader: TelemetryReader, same: Mapping[str, Any], definitions: Definitions
) -> Iterator[RowBatch]:
    for found in read_derived(reader, None, definitions).values():
        yield _batch_of(found, same)


def _batch_of(found: StoredSeries, same: Mapping[str, Any]) -> RowBatch:
    columns = {
        "step": found.step,
        "time": np.rint(found.time * 1000).astype(np.int64),
        "value": found.value,
    }
    return RowBatch(len(found), {**same, "metric": found.name}, columns)


EPISODE_COLUMNS = (
    "episode",
    "environment_number",
    "episode_seed",
    "reward",
    "length",
    "terminated",
    "truncated",
    "success",
    "step",
    "time",
    "recorded",
    "role",
)


def _episodes(reader: TelemetryReader, same: Mapping[str, Any]) -> Iterator[RowBatch]:
    after = -1
    while rows := reader.episode_rows(after, BITE):
        after = rows[-1].episode
        cells = [
            (
                row.number,
                row.env,
                row.seed,
                row.reward,
                row.length,
                row.terminated,
                row.truncated,
                row.success,
                row.timestep,
                round(row.at.timestamp() * 1000),
                row.recorded,
                row.role,
            )
            for row in rows
        ]
        columns = dict(zip(EPISODE_COLUMNS, map(list, zip(*cells, strict=True)), strict=True))
        yield RowBatch(len(rows), same, columns)


READERS: dict[TableName, Callable[[TelemetryReader, Mapping[str, Any]], Iterator[RowBatch]]] = {
    "metrics": _points,
    "episodes": _episodes,
}


def _summary(run: Run) -> dict[str, Any]:
    times = {"created": run.created_at, "started": run.started_at, "ended": run.ended_at}
    return {
        "runner": getattr(run.config, "runner", None),
        "status": str(run.status),
        "steps": run.progress.timestep,
        "episodes": run.progress.episodes,
        "elapsed_s": run.progress.elapsed_s,
        "final_mean_reward": run.summary.mean_reward,
        "best_mean_reward": run.summary.best_mean_reward,
        "best_reward": run.summary.best_reward,
        "tags": ", ".join(run.tags) or None,
        "notes": run.notes or None,
        **number_values(run),
        **{name: None if at is None else round(at.timestamp() * 1000) for name, at in times.items()},
    }
