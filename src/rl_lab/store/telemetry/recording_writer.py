"""Writes recordings of finished episodes: first one row each, then many in a sealed chunk; thins them over budget."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from rl_lab.core.protocol.events import EpisodeEvent, StepsEvent
from rl_lab.core.script_environments import FIRST_EVALUATION
from rl_lab.store.telemetry.batch import NewEpisode
from rl_lab.store.telemetry.live import ContextOf, LiveWriter
from rl_lab.store.telemetry.stored_recordings import (
    StoredRecording,
    decode_chunk_of_recordings,
    encode_chunk_of_recordings,
    from_row,
    to_row,
    to_stored,
)

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
        """After a rollback or at the start: read the state from the file."""
        self.live.forget()
        self._pending = [
            from_row(row) for row in self._conn.execute("SELECT * FROM recordings ORDER BY rowid")
        ]
        self._stored_bytes = self._sum_bytes()
        self.kept_every = self._meta("recordings_kept_every", 1)
        self._sweep_at = self._meta("recordings_sweep_at", 0)

    def add(self, events: Iterable[StepsEvent | EpisodeEvent], context_of: ContextOf) -> list[int]:
        """Store the traces of the events; returns the episodes recorded."""
        recorded = []
        for event in events:
            if isinstance(event, StepsEvent):
                self.live.add(event)
            elif self._add_episode(event, context_of(event.env_group)):
                recorded.append(event.episode or 0)
        return recorded

    def _add_episode(self, event: EpisodeEvent, context: int | None) -> bool:
        trace = self.live.finish(event)
        if trace is None or context is None:
            return False
        self._add(to_stored(event, trace, context))
        if trace.extra:
            payload = zlib.compress(msgspec.msgpack.encode(trace.extra))
            self._conn.execute("INSERT OR REPLACE INTO thoughts VALUES (?,?)", (event.episode, payload))
        return True

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Give recordings the new numbers of their episodes; those of unknown episodes are dropped."""
        pending, self._pending = self._pending, []
        self._conn.execute("DELETE FROM recordings")
        for recording in _renumbered(pending, numbers):
            self._add(recording)
        chunks = self._conn.execute("SELECT id, payload FROM recording_chunks ORDER BY id").fetchall()
        self._conn.execute("DELETE FROM recording_chunks")
        for number, payload in chunks:
            self._put_chunk(_renumbered(decode_chunk_of_recordings(payload), numbers), number)
        self._stored_bytes = self._sum_bytes()

    def cut(self, first: int) -> None:
        """Drop the recordings of training episodes from this number on, and of those that are being played."""
        self._conn.execute("DELETE FROM live")
        for table in ("recordings", "thoughts"):
            query = f"DELETE FROM {table} WHERE episode >= ? AND episode < {FIRST_EVALUATION}"  # noqa: S608
            self._conn.execute(query, (first,))
        query = "SELECT id, payload FROM recording_chunks WHERE last >= ? AND first < ?"
        for number, payload in self._conn.execute(query, (first, FIRST_EVALUATION)).fetchall():
            kept = [
                r for r in decode_chunk_of_recordings(payload) if not first <= r.episode < FIRST_EVALUATION
            ]
            self._conn.execute("DELETE FROM recording_chunks WHERE id=?", (number,))
            self._put_chunk(kept, number)
        self.forget()

    def finish_batch(self, episodes: Iterable[NewEpisode], context_of: ContextOf) -> int:
        """After the episodes' rows are in: seal and thin; returns how many recordings were dropped."""
        for episode in episodes:
            self.live.end(episode)
        self.live.save(context_of)
        dropped = 0
        while self._is_full():
            dropped += self._seal()
        return dropped + self._thin()

    def _add(self, recording: StoredRecording) -> None:
        self._pending = [r for r in self._pending if r.episode != recording.episode]
        self._pending.append(recording)
        query = "INSERT OR REPLACE INTO recordings VALUES (?,?,?,?,?,?,?,?,?)"
        self._conn.execute(query, to_row(recording))

    def _is_full(self) -> bool:
        return _sealable(self._pending) > 0

    def _seal(self) -> int:
        """The oldest pending recordings that fill a chunk; those thinned by now are left out."""
        count = _sealable(self._pending)
        recordings, self._pending = self._pending[:count], self._pending[count:]
        self._conn.executemany("DELETE FROM recordings WHERE episode=?", [(r.episode,) for r in recordings])
        kept = self._kept(recordings)
        self._put_chunk(kept)
        self._forget_dropped(recordings, kept)
        return len(recordings) - len(kept)

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
        recordings = [r for _, payload in chunks for r in decode_chunk_of_recordings(payload)]
        kept = self._kept(recordings)
        if len(kept) == len(recordings):
            return 0
        self._conn.executemany("DELETE FROM recording_chunks WHERE id=?", [(c[0],) for c in chunks])
        at = 0
        for number, _ in chunks:
            count = _sealable(kept[at:]) or len(kept) - at
            self._put_chunk(kept[at : at + count], number)
            at += count
        self._stored_bytes = self._sum_bytes()
        self._forget_dropped(recordings, kept)
        return len(recordings) - len(kept)

    def _kept(self, recordings: Sequence[StoredRecording]) -> list[StoredRecording]:
        if self.kept_every == 1:
            return list(recordings)
        always = self._always_kept()
        return [r for r in recordings if r.episode % self.kept_every == 0 or r.episode in always]

    def _always_kept(self) -> set[int]:
        """First, latest, best and worst of the recorded ones."""
        orders = ("episode", "episode DESC", "reward DESC, episode", "reward, episode")
        found: set[int] = set()
        for order in orders:
            known = "AND reward IS NOT NULL" if "reward" in order else ""
            query = (
                f"SELECT episode FROM episodes WHERE recorded=1 AND episode < {FIRST_EVALUATION} {known}"  # noqa: S608
                f" ORDER BY {order} LIMIT 1"
            )
            found.update(row[0] for row in self._conn.execute(query))
        return found

    def _forget_dropped(self, recordings: Sequence[StoredRecording], kept: Sequence[StoredRecording]) -> None:
        gone = {r.episode for r in recordings} - {r.episode for r in kept}
        self._conn.executemany("UPDATE episodes SET recorded=0 WHERE episode=?", [(e,) for e in gone])

    def _put_chunk(self, recordings: Sequence[StoredRecording], number: int | None = None) -> None:
        if not recordings:
            return
        payload = encode_chunk_of_recordings(recordings)
        numbers = [r.episode for r in recordings]
        row = (number, min(numbers), max(numbers), len(recordings), len(payload), payload)
        self._conn.execute("INSERT INTO recording_chunks VALUES (?,?,?,?,?,?)", row)
        self._stored_bytes += len(payload)

    def _newest(self) -> int:
        """Number of the newest episode: where every k-th is only the first, nothing more can be thinned."""
        query = "SELECT coalesce(max(episode), 0) FROM episodes WHERE episode < ?"
        return int(self._conn.execute(query, (FIRST_EVALUATION,)).fetchone()[0])

    def _sum_bytes(self) -> int:
        return int(self._conn.execute("SELECT coalesce(sum(size), 0) FROM recording_chunks").fetchone()[0])

    def _meta(self, key: str, otherwise: int) -> int:
        row = self._conn.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return int(row[0]) if row else otherwise

    def _put_meta(self, key: str, value: int) -> None:
        self._conn.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (key, value))


def _sealable(recordings: Sequence[StoredRecording]) -> int:
    """How many of the first recordings fill a chunk; 0 when all together do not."""
    size = 0
    for count, recording in enumerate(recordings, 1):
        size += recording.size
        if count >= SEAL_EPISODES or size >= SEAL_BYTES:
            return count
    return 0


def _renumbered(recordings: Iterable[StoredRecording], numbers: Mapping[int, int]) -> list[StoredRecording]:
    return [
        msgspec.structs.replace(recording, episode=numbers[recording.episode])
        for recording in recordings
        if recording.episode in numbers
    ]
