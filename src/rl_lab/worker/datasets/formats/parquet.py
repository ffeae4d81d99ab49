"""Parquet with one row per step (SARS), or one row per episode (trajectories)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from rl_lab.core.errors import InvalidInput
from rl_lab.worker.datasets.formats.arrow_tables import as_array, is_number, kinds_of, require_arrow
from rl_lab.worker.datasets.formats.own_marks import describe
from rl_lab.worker.datasets.formats.rows import Columns, DatasetRows
from rl_lab.worker.datasets.formats.source import OpenSource, RowKind, kind_of, row_bytes
from rl_lab.worker.datasets.formats.tables import BYTES_PER_STEP, NO_NUMBERS, open_table, require_rows

OWN = b"rl_lab"
"""Key of the schema's metadata in a file that the lab wrote."""
EPISODES_AT_ONCE = 64


def open_file(path: Path) -> OpenSource:
    require_arrow("Parquet")
    table = ParquetTable(path)
    marks = (table.file.schema_arrow.metadata or {}).get(OWN)
    if table.has_trajectories:
        source = open_trajectories(table)
    else:
        source = open_table(table, "Parquet", is_own=marks is not None)
    describe(source, marks)
    return source


class ParquetTable:
    def __init__(self, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.name = path.name
        try:
            self.file = pq.ParquetFile(path, memory_map=False, pre_buffer=False)
        except (pa.ArrowException, OSError, ValueError) as problem:
            raise self.damaged(problem) from None
        self.rows = self.file.metadata.num_rows
        schema = self.file.schema_arrow
        self.numbers = [name for name in schema.names if is_number(schema.field(name).type)]
        self.unreadable = dict.fromkeys([n for n in schema.names if n not in self.numbers], NO_NUMBERS)
        require_rows(self.rows, path.name)
        self._first = next(self.batches(self.numbers, 1), None) if self.numbers else None
        self.kinds: dict[str, RowKind] = {}
        if not self.has_trajectories and self._first is not None:
            self.kinds = kinds_of(self._first)

    @property
    def has_trajectories(self) -> bool:
        """Whether each row is an episode: its rewards are a list."""
        names = {"rewards", "reward"} & set(self.numbers)
        return any(hasattr(self.file.schema_arrow.field(name).type, "value_type") for name in names)

    def batches(self, names: Sequence[str], count: int) -> Iterator[Any]:
        import pyarrow as pa

        try:
            yield from self.file.iter_batches(count, columns=list(names), use_threads=False)
        except (pa.ArrowException, OSError, ValueError) as problem:
            raise self.damaged(problem) from None

    def read(self, names: Sequence[str], count: int) -> Iterator[Columns]:
        for batch in self.batches(names, count):
            part = {name: as_array(batch.column(name), name) for name in names}
            for name, values in part.items():
                if values.shape[1:] != self.kinds[name][1]:
                    raise InvalidInput(f"{self.name}: the rows of “{name}” have different lengths.")
            yield part

    def damaged(self, problem: Exception) -> InvalidInput:
        return InvalidInput(
            f"{self.name} cannot be read as Parquet: it is damaged or not complete ({str(problem)[:200]}).",
            next_step="Get the file again and compare its checksum.",
        )


def open_trajectories(table: ParquetTable) -> OpenSource:
    trajectories = _Trajectories(table)
    per_step = row_bytes([*trajectories.observations.values(), *trajectories.actions.values()])
    return OpenSource(
        form="Parquet, one row per episode",
        total=table.rows,
        unit="episode",
        bytes_needed=trajectories.values * (per_step + BYTES_PER_STEP),
        observations=trajectories.observations,
        actions=trajectories.actions,
        infos={name.removeprefix(f"{INFOS}."): kind for name, kind in trajectories.infos.items()},
        has_who=WHO in table.numbers,
        rows=trajectories.read,
    )


class _Trajectories:
    """Columns `observations` (one more than steps), `actions`, `rewards`, `terminations`, `truncations`, `seed`."""

    def __init__(self, table: ParquetTable) -> None:
        self._table = table
        first = next(table.batches(table.numbers, 1))
        self._lists = [name for name in table.numbers if hasattr(first.schema.field(name).type, "value_type")]
        kinds = {name: _kind(as_array(first.column(name).flatten(), name), name) for name in self._lists}
        self.observations = _named(kinds, OBSERVATIONS)
        self.actions = _named(kinds, ACTIONS)
        self.infos = _named(kinds, INFOS)
        for name in (OBSERVATIONS, ACTIONS):
            if not _named(kinds, name):
                raise InvalidInput(
                    f"{table.name} has one row per episode, but no column “{name}”.",
                    next_step="Name the columns observations, actions, rewards, terminations and truncations.",
                )
        self.values = _count_values(table.file.metadata, REWARDS)

    def read(self) -> Iterator[DatasetRows]:
        names = [*self._lists, *(n for n in ("seed",) if n in self._table.numbers)]
        for batch in self._table.batches(names, EPISODES_AT_ONCE):
            yield self._rows(batch)

    def _rows(self, batch: Any) -> DatasetRows:
        lengths = _lengths(batch.column(REWARDS))
        if len(lengths) and lengths.min() < 1:
            raise InvalidInput(f"{self._table.name} has an episode without a step.")
        seen = {name: self._values(batch, name, lengths + 1) for name in (*self.observations, *self.infos)}
        steps = {name: self._values(batch, name, lengths) for name in (*self.actions, REWARDS)}
        is_last = np.zeros(int(lengths.sum()), bool)
        is_last[np.cumsum(lengths) - 1] = True
        for name in (TERMINATIONS, TRUNCATIONS):
            is_there = name in self._lists
            steps[name] = (
                self._values(batch, name, lengths) != 0 if is_there else np.zeros(len(is_last), bool)
            )
        steps[TRUNCATIONS] = steps[TRUNCATIONS] | (is_last & ~steps[TERMINATIONS])
        if WHO in self._lists:
            steps[WHO] = self._values(batch, WHO, lengths)
        seeds = np.full(len(lengths), -1, np.int64)
        if "seed" in batch.schema.names:
            seeds = np.asarray(batch.column("seed").fill_null(-1).to_numpy(zero_copy_only=False)).astype(
                np.int64
            )
        return DatasetRows(steps, seen, is_last, seeds)

    def _values(self, batch: Any, name: str, lengths: np.ndarray) -> np.ndarray:
        column = batch.column(name)
        if not np.array_equal(_lengths(column), lengths):
            raise InvalidInput(
                f"{self._table.name}: “{name}” does not fit the number of rewards of its episode.",
                next_step="An episode has one observation more than rewards, and as many actions.",
            )
        kind = (self.observations | self.actions | self.infos).get(name)
        values = as_array(column.flatten(), name)
        return values if kind is None else values.reshape(len(values), *kind[1])


def _lengths(column: Any) -> np.ndarray:
    import pyarrow.compute as pc

    return np.asarray(pc.list_value_length(column).fill_null(0).to_numpy(zero_copy_only=False)).astype(
        np.int64
    )


def _kind(values: np.ndarray, name: str) -> RowKind:
    """A number of an observation or action is a row of one, as in a Box."""
    dtype, shape = values.dtype, values.shape[1:]
    is_number = dtype.kind == "f" and not shape and not name.startswith(INFOS)
    return kind_of(dtype, (1,) if is_number else shape)


def _named(kinds: dict[str, RowKind], top: str) -> dict[str, RowKind]:
    return {name: kind for name, kind in kinds.items() if name == top or name.startswith(f"{top}.")}


def _count_values(meta: Any, name: str) -> int:
    """Steps of all episodes, as the file itself counts them."""
    columns = [i for i in range(meta.num_columns) if meta.schema.column(i).path.split(".")[0] == name]
    return sum(meta.row_group(g).column(c).num_values for g in range(meta.num_row_groups) for c in columns)
