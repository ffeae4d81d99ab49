"""Recordings as they are in memory, read from a single row, a sealed chunk, or the episode being played."""

from __future__ import annotations

import sqlite3
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import orjson

from rl_lab.core.recordings import Recording, shared_fields
from rl_lab.store.telemetry.live import read_live
from rl_lab.store.telemetry.stored_recordings import StoredRecording, decode_chunk_of_recordings, from_row


def find(conn: sqlite3.Connection, run_id: str, episode: int) -> Recording | None:
    stored = _find_stored(conn, episode) if abs(episode) < 2**63 else None
    return None if stored is None else _complete(conn, run_id, stored)


def find_many(conn: sqlite3.Connection, run_id: str, numbers: Sequence[int]) -> Iterator[Recording]:
    """The recordings of these episodes, about in their order: each chunk is unpacked once."""
    ordered, wanted = sorted(numbers), set(numbers)
    chunks = conn.execute("SELECT id, first, last FROM recording_chunks ORDER BY first").fetchall()
    singles = {number for (number,) in conn.execute("SELECT episode FROM recordings")}
    for chunk, first, last in chunks:
        if bisect_left(ordered, first) == bisect_right(ordered, last):
            continue
        (payload,) = conn.execute("SELECT payload FROM recording_chunks WHERE id=?", (chunk,)).fetchone()
        later = [(start, end) for number, start, end in chunks if number > chunk and start <= last]
        for stored in decode_chunk_of_recordings(payload):
            number = stored.episode
            if (
                number not in wanted
                or number in singles
                or any(start <= number <= end for start, end in later)
            ):
                continue  # not asked for, or there is a newer one of this number
            wanted.discard(number)
            yield _complete(conn, run_id, stored)
    for number in sorted(wanted):
        single = find(conn, run_id, number)
        if single is not None:
            yield single


def _complete(conn: sqlite3.Connection, run_id: str, stored: StoredRecording) -> Recording:
    episode = stored.episode
    query = "SELECT reward, terminated, truncated, timestep FROM episodes WHERE episode=?"
    returned, *ended, timestep = conn.execute(query, (episode,)).fetchone() or (None,) * 4
    terminated, truncated = (None if number is None else bool(number) for number in ended)
    return Recording(
        run_id=run_id,
        **_context(conn, stored.context),
        **shared_fields(Recording, stored),
        extra=_extra_columns(conn, episode),
        returned=returned,
        terminated=terminated,
        truncated=truncated,
        timestep=timestep,
    )


def find_live(conn: sqlite3.Connection, run_id: str, env: int) -> Recording | None:
    for event, context in read_live(conn, "env=?", (env,)):
        if context is not None:
            fields = shared_fields(Recording, event, event.trace)
            return Recording(run_id=run_id, **_context(conn, context), **fields, complete=False)
    return None


def _find_stored(conn: sqlite3.Connection, episode: int) -> StoredRecording | None:
    row = conn.execute("SELECT * FROM recordings WHERE episode=?", (episode,)).fetchone()
    if row is not None:
        return from_row(row)
    # The newest first: when a number was used twice, the later episode counts.
    query = "SELECT payload FROM recording_chunks WHERE first <= ? AND last >= ? ORDER BY id DESC"
    for (payload,) in conn.execute(query, (episode, episode)):
        for stored in reversed(decode_chunk_of_recordings(payload)):
            if stored.episode == episode:
                return stored
    return None


def _extra_columns(conn: sqlite3.Connection, episode: int) -> dict[str, bytes]:
    row = conn.execute("SELECT payload FROM thoughts WHERE episode=?", (episode,)).fetchone()
    return {} if row is None else msgspec.msgpack.decode(zlib.decompress(row[0]), type=dict[str, bytes])


def _context(conn: sqlite3.Connection, context: int) -> dict[str, Any]:
    (text,) = conn.execute("SELECT data FROM contexts WHERE id=?", (context,)).fetchone()
    data = orjson.loads(text)
    defaults: dict[str, Any] = {
        "env_id": "",
        "env_kwargs": {},
        "env_version": None,
        "wrappers": [],
        "action": {},
    }
    return {name: data.get(name) or default for name, default in defaults.items()}
