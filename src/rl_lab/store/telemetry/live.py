"""Episodes that are still being played, joined from the `steps` events a worker sends."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from rl_lab.core.protocol.events import BYTES_PER_STEP, EpisodeEvent, Event, StepsEvent, Trace
from rl_lab.portable.state_checksums import checksum_bytes
from rl_lab.store.telemetry.batch import NewEpisode

MAX_BYTES = 64 << 20
"""An episode whose actions take more than this is not recorded."""
_COLUMN_NAMES = {"values": "vals"}
"""Columns of the table `live` that are not named like their field: VALUES is a word of SQL."""
_EVENT_FIELDS = tuple(
    name
    for name in StepsEvent.__struct_fields__
    if name not in {*Event.__struct_fields__, "trace", "sampled_out"}
)
_TRACE_FIELDS = tuple(name for name in Trace.__struct_fields__ if name not in {"start", "extra"})


ContextOf = Callable[[int | None], int | None]
"""The row of `contexts` for recordings of a group of environments; for None, that of the run."""


class LiveWriter:
    """One row per sub-environment that plays."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        self._playing: dict[int, StepsEvent] = {}
        """The newest event of each sub-environment, with the trace of the whole episode so far."""
        self._changed: set[int] = set()
        self.forget()

    def forget(self) -> None:
        """After a rollback or at the start: read the state from the file."""
        self._changed.clear()
        self._playing = {event.env: event for event, _ in read_live(self._conn)}

    def add(self, event: StepsEvent) -> None:
        whole = self._joined(event)
        if whole is None or len(whole.actions) > MAX_BYTES:
            self._drop(event.env)
        else:
            self._playing[event.env] = msgspec.structs.replace(event, trace=whole)
            self._changed.add(event.env)

    def finish(self, event: EpisodeEvent) -> Trace | None:
        """The whole trace of an episode that ended; None when it is broken or its first steps are missing."""
        whole = self._joined(event)
        self._drop(event.env)
        return whole if whole is not None and len(whole.actions) <= MAX_BYTES else None

    def end(self, episode: NewEpisode) -> None:
        """An episode ended without a trace: it is no longer being played."""
        playing = self._playing.get(episode.env)
        if playing is not None and playing.seed == episode.seed:
            self._drop(episode.env)

    def save(self, context_of: ContextOf) -> None:
        for env in self._changed:
            playing = self._playing.get(env)
            if playing is None:
                self._conn.execute("DELETE FROM live WHERE env=?", (env,))
                continue
            row = {**_to_row(playing), "context": context_of(playing.env_group)}
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            query = f"INSERT OR REPLACE INTO live ({names}) VALUES ({marks})"  # noqa: S608 - names of our fields
            self._conn.execute(query, tuple(row.values()))
        self._changed.clear()

    def _joined(self, event: StepsEvent | EpisodeEvent) -> Trace | None:
        """The trace from the episode's first step on."""
        trace = _checked_trace(event)
        if trace is None or trace.start == 0:
            return trace
        before = self._playing.get(event.env)
        if before is None or before.trace is None or not 0 < trace.start <= before.trace.count:
            return None
        if (before.seed, before.generator) != (event.seed, event.generator):
            return None
        return _join(before.trace, trace)

    def _drop(self, env: int) -> None:
        if self._playing.pop(env, None) is not None:
            self._changed.add(env)


def read_live(
    conn: sqlite3.Connection, condition: str = "1", values: tuple[Any, ...] = ()
) -> Iterator[tuple[StepsEvent, int | None]]:
    """The rows of `live`, each with its context. Files of version 1 lack the column `generator`."""
    cursor = conn.execute(f"SELECT * FROM live WHERE {condition}", values)  # noqa: S608 - conditions are our own
    names = [column[0] for column in cursor.description]
    for row in cursor:
        found = {name: value for name, value in zip(names, row, strict=True) if value is not None}
        yield _from_row(found), found.get("context")


def _to_row(event: StepsEvent) -> dict[str, Any]:
    row = {name: getattr(event, name) for name in _EVENT_FIELDS}
    row |= {_COLUMN_NAMES.get(name, name): getattr(event.trace, name) for name in _TRACE_FIELDS}
    extra = event.trace.extra if event.trace is not None else {}
    return row | {"seed": event.seed or 0, "extra": msgspec.msgpack.encode(extra) if extra else None}


def _from_row(row: dict[str, Any]) -> StepsEvent:
    if row.get("generator"):
        row["seed"] = None
    columns = {name: _COLUMN_NAMES.get(name, name) for name in _TRACE_FIELDS}
    fields = {name: row[column] for name, column in columns.items() if column in row}
    if row.get("extra"):
        fields["extra"] = msgspec.msgpack.decode(row["extra"], type=dict[str, bytes])
    trace = Trace(**fields)
    return StepsEvent(**{name: row[name] for name in _EVENT_FIELDS if name in row}, trace=trace)


def _checked_trace(event: StepsEvent | EpisodeEvent) -> Trace | None:
    """The event's trace without columns of a wrong length; None when its episode could not be replayed."""
    trace = event.trace
    if trace is None or trace.count < 1 or not trace.actions or len(trace.actions) % trace.count:
        return None
    if not event.generator and (event.seed is None or not -(2**63) <= event.seed < 2**63):
        return None
    columns = {name: getattr(trace, name) for name in BYTES_PER_STEP}
    wrong = [name for name, column in columns.items() if len(column) != BYTES_PER_STEP[name] * trace.count]
    if len(trace.checksums) != checksum_bytes(trace.start, trace.count):
        wrong.append("checksums")
    return msgspec.structs.replace(trace, **dict.fromkeys(wrong, b"")) if wrong else trace


def _join(before: Trace, after: Trace) -> Trace | None:
    """Both in a row; a column that one of them lacks is dropped. None when their actions differ in size."""
    stride = len(after.actions) // after.count
    if len(before.actions) // before.count != stride:
        return None
    columns: dict[str, Any] = {}
    for name, width in BYTES_PER_STEP.items():
        first, second = getattr(before, name)[: after.start * width], getattr(after, name)
        columns[name] = first + second if first and second else b""
    actions = before.actions[: after.start * stride] + after.actions
    count = after.start + after.count
    checksums = before.checksums[: checksum_bytes(0, after.start)] + after.checksums
    is_whole = len(checksums) == checksum_bytes(0, count)
    return Trace(
        count=count,
        actions=actions,
        checksums=checksums if is_whole else b"",
        extra=_joined_extra(before, after),
        **columns,
    )


def _joined_extra(before: Trace, after: Trace) -> dict[str, bytes]:
    """Columns of the same width per step in both."""
    joined = {}
    for name, column in after.extra.items():
        first, width = before.extra.get(name, b""), len(column) // after.count
        if width and len(column) == width * after.count and len(first) == width * before.count:
            joined[name] = first[: width * after.start] + column
    return joined
