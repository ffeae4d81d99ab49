"""Files that hold one row per step in named arrays: D4RL, OGBench, tables. Which array is which is decided here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from rl_lab.core.datasets.manifest import ACTIONS, INFOS, OBSERVATIONS
from rl_lab.core.errors import InvalidInput
from rl_lab.core.words.amounts import plural
from rl_lab.worker.datasets.formats.column_names import FoundColumns, find_columns
from rl_lab.worker.datasets.formats.rows import Array, Columns, FileSteps, rows_per_part
from rl_lab.worker.datasets.formats.source import OpenSource, RowKind, kind_of, row_bytes

BYTES_PER_EPISODE = 28
"""Of the columns with one row per episode."""
NO_NUMBERS = "holds something else than numbers"
BYTES_PER_STEP = 10
"""Of reward, termination and truncation."""


class StepTable(Protocol):
    """Named arrays with the same number of rows."""

    kinds: dict[str, RowKind]
    rows: int
    """0 where the file does not say it."""
    unreadable: dict[str, str]
    """What else the file holds, and why it is no column: "holds no numbers"."""

    def read(self, names: Sequence[str], count: int) -> Iterator[Columns]:
        """These arrays from the beginning, about `count` rows at a time."""
        ...


def open_table(table: StepTable, form: str, *, is_own: bool = False) -> OpenSource:
    """`form`: what the file is, without whose: “HDF5”; `is_own`: the lab wrote it."""
    found = find_columns(table.kinds, table.unreadable, has_parts=is_own)
    if not found.has_ends and "following" not in found.nested:
        raise InvalidInput(
            "The file does not say where episodes end.",
            next_step="It needs terminals or timeouts, an episode number per row, or next_observations.",
        )
    steps = _TableSteps(table, found)
    needed = row_bytes([*steps.observations.values(), *steps.actions.values(), *steps.infos.values()])
    return OpenSource(
        form=f"{form} in {'OGBench' if found.is_ogbench else 'D4RL'}'s form"
        if form in ("HDF5", "NPZ")
        else form,
        total=table.rows,
        unit="step",
        bytes_needed=table.rows * (needed + BYTES_PER_STEP),
        observations=steps.observations,
        actions=steps.actions,
        infos=steps.infos,
        has_who="who" in found.single,
        parts=steps.read,
        notes=list(_notes(table, found)),
    )


def other_lengths(lengths: Mapping[str, int], rows: int) -> dict[str, str]:
    """Arrays of another length are no columns: the lab does not look into them."""
    return {
        name: f"has {plural(length, 'row')}, but there are {plural(rows, 'action')}"
        for name, length in lengths.items()
        if length != rows
    }


def require_rows(rows: int, file_name: str) -> None:
    if not rows:
        raise InvalidInput(f"{file_name} has no rows.", next_step="Import a file with steps in it.")


class _TableSteps:
    def __init__(self, table: StepTable, found: FoundColumns) -> None:
        self._table, self._found = table, found
        self.observations = self._kinds("observations", OBSERVATIONS)
        self.actions = self._kinds("actions", ACTIONS)
        self.infos = {key: table.kinds[name] for key, name in found.infos.items()}
        for name in found.single.values():
            _require_numbers(name, table.kinds[name])
        if found.nested.get("following", {}).keys() - found.nested["observations"].keys():
            raise InvalidInput("The parts of observations and next observations differ.")

    def read(self) -> Iterator[FileSteps]:
        names = [name for parts in self._found.nested.values() for part in parts.values() for name in part]
        names += [*self._found.single.values(), *self._found.infos.values()]
        count = rows_per_part(row_bytes(self._table.kinds[name] for name in names))
        for part in self._table.read(names, count):
            yield self._steps(part)

    def _kinds(self, role: str, column: str) -> dict[str, RowKind]:
        found = {}
        for part, names in self._found.nested[role].items():
            for name in names:
                _require_numbers(name, self._table.kinds[name])
            found[_column(column, part)] = _plain_kind([self._table.kinds[name] for name in names], role)
        return found

    def _steps(self, part: Columns) -> FileSteps:
        single = {role: part[name] for role, name in self._found.single.items()}
        count = len(next(iter(part.values())))
        terminated, ended, only_seen = _ends(self._found, single, count)
        following = self._nested(part, "following", OBSERVATIONS, self.observations)
        return FileSteps(
            observations=self._nested(part, "observations", OBSERVATIONS, self.observations) or {},
            actions=self._nested(part, "actions", ACTIONS, self.actions) or {},
            rewards=_flat(single["rewards"]) if "rewards" in single else np.zeros(count),
            terminated=terminated,
            ended=ended,
            only_seen=only_seen,
            episodes=single.get("episodes"),
            following=following,
            infos={f"{INFOS}.{key}": part[name] for key, name in self._found.infos.items()},
            truncated=_flat(single["truncated"]) != 0 if "truncated" in single else None,
            seeds=_flat(single["seeds"]) if "seeds" in single else None,
            who=_flat(single["who"]).astype(np.uint8) if "who" in single else None,
        )

    def _nested(self, part: Columns, role: str, column: str, kinds: dict[str, RowKind]) -> Columns | None:
        if role not in self._found.nested:
            return None
        found = {}
        for key, names in self._found.nested[role].items():
            dtype, shape = kinds[_column(column, key)]
            values = part[names[0]] if len(names) == 1 else np.stack([part[n] for n in names], axis=1)
            found[_column(column, key)] = values.reshape(len(values), *shape).astype(dtype, copy=False)
        return found


def _ends(found: FoundColumns, single: Columns, count: int) -> tuple[Array, Array, Array | None]:
    """Terminated, ended, and which rows hold an observation only (None: decided by what follows)."""
    none = np.zeros(count, bool)
    truncated = _flags(single, "truncated", none)
    if found.is_ogbench:
        terminated = ~_flags(single, "masks", ~none)
        if "valids" in single:
            only_seen = ~_flags(single, "valids", none)
            return terminated & ~only_seen, only_seen, only_seen
        ended = _flags(single, "terminated", none) | truncated
        if "following" in found.nested:
            return terminated, ended, none
        return terminated & ~ended, ended, ended
    terminated = _flags(single, "terminated", none) | (_flags(single, "done", none) & ~truncated)
    return terminated, terminated | truncated, None


def _flags(single: Columns, role: str, absent: Array) -> Array:
    return _flat(single[role]) != 0 if role in single else absent


def _flat(values: Array) -> Array:
    return (
        values.reshape(len(values)) if values.size == len(values) else values.reshape(len(values), -1)[:, 0]
    )


def _column(name: str, part: str) -> str:
    return f"{name}.{part}" if part else name


def _plain_kind(kinds: Sequence[RowKind], role: str) -> RowKind:
    """How the rows of one column are stored: whole numbers as one number or a row of them, others as a row."""
    dtype, shape = kinds[0]
    if len(kinds) > 1:
        dtype, shape = np.result_type(*(kind[0] for kind in kinds)), (len(kinds),)
    if role == "actions" and dtype.kind in "biu" and shape == (1,):
        shape = ()
    if dtype.kind == "f" and shape == ():
        shape = (1,)
    return kind_of("i8" if dtype.kind == "b" else dtype, shape)


def _require_numbers(name: str, kind: RowKind) -> None:
    if kind[0].kind not in "biuf" or kind[0].itemsize > 8:
        raise InvalidInput(f"“{name}” holds {kind[0]}, not numbers that a dataset can store.")


def _notes(table: StepTable, found: FoundColumns) -> Iterator[str]:
    if "rewards" not in found.single:
        yield "The file holds no rewards: all are 0. Only learners that imitate can use it as it is."
    if found.is_ogbench and "masks" not in found.single:
        yield (
            "“terminals” mark the last row of a trajectory, as OGBench writes them: every episode counts as truncated."
        )
    if "done" in found.single and not found.single.keys() & {"truncated", "terminated"}:
        yield "The file says only that episodes are done; every end counts as terminated."
    left_out = [name for name in found.unused if not name.startswith(("metadata", "rl_lab"))]
    if left_out:
        shown = ", ".join(left_out[:8])
        yield f"{plural(len(left_out), 'array')} of the file left out: {shown}."
