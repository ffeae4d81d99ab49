"""Episodes that are still going on, pieced together from the parts a worker sends."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

from rl_lab.store.telemetry.batch import LivePart, NewEpisode, NewRecording

MAX_BYTES = 64 << 20
"""An endless episode is not kept beyond this."""


@dataclass(frozen=True)
class Trace:
    """Columns of a stretch of an episode, checked: every column has one entry a step or is empty."""

    count: int
    actions: bytes
    rewards: bytes
    values: bytes
    chosen: bytes

    @property
    def stride(self) -> int:
        return len(self.actions) // self.count

    def up_to(self, count: int) -> Trace:
        return Trace(
            count,
            self.actions[: count * self.stride],
            self.rewards[: count * 4],
            self.values[: count * 2],
            self.chosen[:count],
        )

    def then(self, more: Trace) -> Trace | None:
        """Both in a row; a column that one of them lacks is dropped. None when their actions differ in size."""
        if self.stride != more.stride:
            return None
        pairs = ((self.rewards, more.rewards), (self.values, more.values), (self.chosen, more.chosen))
        rest = [a + b if a and b else b"" for a, b in pairs]
        return Trace(self.count + more.count, self.actions + more.actions, *rest)


def check_trace(part: NewRecording | LivePart) -> Trace | None:
    """The columns of a part; None when they cannot be what they claim."""
    count = part.count
    if count < 1 or not part.actions or len(part.actions) % count:
        return None
    if not part.generator and (part.seed is None or not -(2**63) <= part.seed < 2**63):
        return None
    return Trace(
        count,
        part.actions,
        part.rewards if len(part.rewards) == 4 * count else b"",
        part.values if len(part.values) == 2 * count else b"",
        part.chosen if len(part.chosen) == count else b"",
    )


@dataclass
class _Playing:
    part: LivePart
    """The newest part, for all but the trace."""
    trace: Trace


class LiveWriter:
    """One row per sub-environment that plays."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        self._playing: dict[int, _Playing] = {}
        self._changed: set[int] = set()
        self.forget()

    def forget(self) -> None:
        """After a rollback or at the start: take over what the file says."""
        self._changed.clear()
        self._playing = {}
        for row in self._conn.execute("SELECT * FROM live"):
            part, trace, _ = live_of_row(row)
            self._playing[part.env] = _Playing(part, trace)

    def add(self, part: LivePart) -> None:
        whole = self._joined(part)
        if whole is None or len(whole.actions) > MAX_BYTES:
            self._drop(part.env)
        else:
            self._playing[part.env] = _Playing(part, whole)
            self._changed.add(part.env)

    def finish(self, recording: NewRecording) -> Trace | None:
        """The whole trace of an episode that ended; None when it is broken or its beginning is missing."""
        whole = self._joined(recording)
        self._drop(recording.env)
        return whole if whole is not None and len(whole.actions) <= MAX_BYTES else None

    def end(self, episode: NewEpisode) -> None:
        """An episode ended without a trace: it is no longer playing."""
        playing = self._playing.get(episode.env)
        if playing is not None and playing.part.seed == episode.seed:
            self._drop(episode.env)

    def save(self, context: int | None) -> None:
        for env in self._changed:
            playing = self._playing.get(env)
            if playing is None:
                self._conn.execute("DELETE FROM live WHERE env=?", (env,))
                continue
            part, trace = playing.part, playing.trace
            columns = (trace.actions, trace.rewards, trace.values, trace.chosen)
            head = (env, part.episode, context, part.seed or 0, trace.count, part.returned, part.timestep)
            row = (*head, *columns, part.generator or None)
            self._conn.execute("INSERT OR REPLACE INTO live VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", row)
        self._changed.clear()

    def _joined(self, part: NewRecording | LivePart) -> Trace | None:
        trace = check_trace(part)
        if trace is None or part.start == 0:
            return trace
        before = self._playing.get(part.env)
        if before is None or not 0 < part.start <= before.trace.count:
            return None
        if (before.part.seed, before.part.generator) != (part.seed, part.generator):
            return None
        return before.trace.up_to(part.start).then(trace)

    def _drop(self, env: int) -> None:
        if self._playing.pop(env, None) is not None:
            self._changed.add(env)


def live_of_row(row: tuple[Any, ...]) -> tuple[LivePart, Trace, int]:
    """A row of `live` and its context; files of version 1 lack the last column, the generator's state."""
    env, episode, context, seed, count, returned, timestep, actions, rewards, values, chosen = row[:11]
    generator = row[11] if len(row) > 11 and row[11] else b""
    part = LivePart(
        env, episode, None if generator else seed, 0, count, b"", returned=returned, timestep=timestep,
        generator=generator,
    )  # fmt: skip
    return part, Trace(count, actions, rewards, values, chosen), context
