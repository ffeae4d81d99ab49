"""Recordings of finished episodes: first a row each, then sealed together, thinned when they outgrow the budget."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Sequence

import msgspec

from rl_lab.store.telemetry.batch import LivePart, NewEpisode, NewRecording
from rl_lab.store.telemetry.live import LiveWriter, Trace
from rl_lab.store.telemetry.tapes import Tape, column_sizes, decode_tapes, encode_tapes, reduce_values

SEAL_EPISODES = 64
SEAL_BYTES = 64 << 10
SWEEP_CHUNKS = 4
"""Chunks thinned in one commit, so that no commit takes long."""


class RecordingWriter:
    def __init__(self, conn: sqlite3.Connection, budget_bytes: int) -> None:
        self._conn = conn
        self._budget = budget_bytes
        self.live = LiveWriter(conn)
        self.forget()

    def forget(self) -> None:
        """After a rollback or at the start: take over what the file says."""
        self.live.forget()
        self._pending = [
            tape_of_row(row) for row in self._conn.execute("SELECT * FROM recordings ORDER BY rowid")
        ]
        self._stored_bytes = self._sum_bytes()
        self.kept_every = self._meta("recordings_kept_every", 1)
        self._sweep_at = self._meta("recordings_sweep_at", 0)

    def add(self, recordings: Iterable[NewRecording | LivePart], context: int | None) -> list[int]:
        """Store what came; returns the episodes recorded."""
        recorded = []
        for item in recordings:
            if isinstance(item, LivePart):
                self.live.add(item)
                continue
            trace = self.live.finish(item)
            if trace is not None and context is not None:
                self._add(_tape(item, trace, context))
                if item.extra and item.start == 0:
                    payload = zlib.compress(msgspec.msgpack.encode(item.extra))
                    self._conn.execute(
                        "INSERT OR REPLACE INTO thoughts VALUES (?,?)", (item.episode, payload)
                    )
                recorded.append(item.episode)
        return recorded

    def finish_batch(self, episodes: Iterable[NewEpisode], context: int | None) -> int:
        """After the episodes' rows are in: seal and thin; returns how many recordings were dropped."""
        for episode in episodes:
            self.live.end(episode)
        self.live.save(context)
        dropped = 0
        while self._is_full():
            dropped += self._seal()
        return dropped + self._thin()

    def _add(self, tape: Tape) -> None:
        self._pending = [t for t in self._pending if t.episode != tape.episode]
        self._pending.append(tape)
        body = b"".join(tape.columns)
        head = (tape.episode, tape.context, tape.seed, tape.count, tape.stride, tape.has, tape.low, tape.high)
        self._conn.execute("INSERT OR REPLACE INTO recordings VALUES (?,?,?,?,?,?,?,?,?)", (*head, body))

    def _is_full(self) -> bool:
        return _sealable(self._pending) > 0

    def _seal(self) -> int:
        """The oldest pending recordings that fill a chunk; those thinned by now are left out."""
        count = _sealable(self._pending)
        tapes, self._pending = self._pending[:count], self._pending[count:]
        self._conn.executemany("DELETE FROM recordings WHERE episode=?", [(t.episode,) for t in tapes])
        kept = self._kept(tapes)
        self._put_chunk(kept)
        self._forget_dropped(tapes, kept)
        return len(tapes) - len(kept)

    def _thin(self) -> int:
        if self._sweep_at == 0:
            if self._stored_bytes <= self._budget or self.kept_every > self._newest():
                return 0
            self.kept_every *= 2
        chunks = self._conn.execute(
            "SELECT id, payload FROM recording_chunks WHERE id > ? ORDER BY id LIMIT ?",
            (self._sweep_at, SWEEP_CHUNKS),
        ).fetchall()
        dropped = self._thin_chunks(chunks)
        self._sweep_at = chunks[-1][0] if len(chunks) == SWEEP_CHUNKS else 0
        self._put_meta("recordings_kept_every", self.kept_every)
        self._put_meta("recordings_sweep_at", self._sweep_at)
        return dropped

    def _thin_chunks(self, chunks: Sequence[tuple[int, bytes]]) -> int:
        """Survivors of neighbouring chunks share one, under the number of the first."""
        tapes = [tape for _, payload in chunks for tape in decode_tapes(payload)]
        kept = self._kept(tapes)
        if len(kept) == len(tapes):
            return 0
        self._conn.executemany("DELETE FROM recording_chunks WHERE id=?", [(c[0],) for c in chunks])
        at = 0
        for number, _ in chunks:
            count = _sealable(kept[at:]) or len(kept) - at
            self._put_chunk(kept[at : at + count], number)
            at += count
        self._stored_bytes = self._sum_bytes()
        self._forget_dropped(tapes, kept)
        return len(tapes) - len(kept)

    def _kept(self, tapes: Sequence[Tape]) -> list[Tape]:
        if self.kept_every == 1:
            return list(tapes)
        always = self._always_kept()
        return [t for t in tapes if t.episode % self.kept_every == 0 or t.episode in always]

    def _always_kept(self) -> set[int]:
        """First, latest, best and worst of the recorded ones."""
        orders = ("episode", "episode DESC", "reward DESC, episode", "reward, episode")
        found: set[int] = set()
        for order in orders:
            known = "AND reward IS NOT NULL" if "reward" in order else ""
            query = f"SELECT episode FROM episodes WHERE recorded=1 {known} ORDER BY {order} LIMIT 1"  # noqa: S608
            found.update(row[0] for row in self._conn.execute(query))
        return found

    def _forget_dropped(self, tapes: Sequence[Tape], kept: Sequence[Tape]) -> None:
        gone = {t.episode for t in tapes} - {t.episode for t in kept}
        self._conn.executemany("UPDATE episodes SET recorded=0 WHERE episode=?", [(e,) for e in gone])

    def _put_chunk(self, tapes: Sequence[Tape], number: int | None = None) -> None:
        if not tapes:
            return
        payload = encode_tapes(tapes)
        numbers = [t.episode for t in tapes]
        row = (number, min(numbers), max(numbers), len(tapes), len(payload), payload)
        self._conn.execute("INSERT INTO recording_chunks VALUES (?,?,?,?,?,?)", row)
        self._stored_bytes += len(payload)

    def _newest(self) -> int:
        """Number of the newest episode: where every k-th is only the first, nothing more can be thinned."""
        return int(self._conn.execute("SELECT coalesce(max(episode), 0) FROM episodes").fetchone()[0])

    def _sum_bytes(self) -> int:
        return int(self._conn.execute("SELECT coalesce(sum(size), 0) FROM recording_chunks").fetchone()[0])

    def _meta(self, key: str, otherwise: int) -> int:
        row = self._conn.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return int(row[0]) if row else otherwise

    def _put_meta(self, key: str, value: int) -> None:
        self._conn.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (key, value))


def tape_of_row(row: tuple[int, int, int, int, int, int, float, float, bytes]) -> Tape:
    """A row of `recordings`."""
    episode, context, seed, count, stride, has, low, high, body = row
    columns, at = [], 0
    for size in column_sizes(count, stride, has):
        columns.append(body[at : at + size])
        at += size
    actions, rewards, levels, chosen, generator = columns
    return Tape(episode, context, seed, count, stride, actions, rewards, levels, low, high, chosen, generator)


def _tape(item: NewRecording, trace: Trace, context: int) -> Tape:
    levels, low, high = reduce_values(trace.values) if trace.values else (b"", 0.0, 0.0)
    return Tape(
        item.episode, context, item.seed or 0, trace.count, trace.stride, trace.actions, trace.rewards, levels, low,
        high, trace.chosen, item.generator,
    )  # fmt: skip


def _sealable(tapes: Sequence[Tape]) -> int:
    """How many of the first tapes fill a chunk; 0 when all together do not."""
    size = 0
    for count, tape in enumerate(tapes, 1):
        size += tape.size
        if count >= SEAL_EPISODES or size >= SEAL_BYTES:
            return count
    return 0
