"""Recordings, read back: from a pending row, a sealed chunk, or the episode that is being played."""

from __future__ import annotations

import sqlite3
import zlib
from typing import Any

import msgspec
import orjson

from rl_lab.core.episodes import Recording
from rl_lab.store.telemetry.live import live_of_row
from rl_lab.store.telemetry.recording_writer import tape_of_row
from rl_lab.store.telemetry.tapes import Tape, decode_tapes


def find(conn: sqlite3.Connection, run_id: str, episode: int) -> Recording | None:
    tape = _find_tape(conn, episode) if abs(episode) < 2**63 else None
    if tape is None:
        return None
    query = "SELECT reward, terminated, truncated, timestep FROM episodes WHERE episode=?"
    row = conn.execute(query, (episode,)).fetchone() or (None,) * 4
    seed, generator = tape.beginning
    return Recording(
        run_id=run_id,
        episode=episode,
        **_context(conn, tape.context),
        seed=seed,
        generator=generator,
        count=tape.count,
        actions=tape.actions,
        rewards=tape.rewards,
        values=tape.values(),
        chosen=tape.chosen,
        extra=_thoughts(conn, episode),
        returned=row[0],
        terminated=_truth(row[1]),
        truncated=_truth(row[2]),
        timestep=row[3],
    )


def find_live(conn: sqlite3.Connection, run_id: str, env: int) -> Recording | None:
    row = conn.execute("SELECT * FROM live WHERE env=?", (env,)).fetchone()
    if row is None or row[2] is None:
        return None
    part, trace, context = live_of_row(row)
    return Recording(
        run_id=run_id,
        episode=part.episode,
        **_context(conn, context),
        seed=part.seed,
        generator=part.generator,
        count=trace.count,
        actions=trace.actions,
        rewards=trace.rewards,
        values=trace.values,
        chosen=trace.chosen,
        complete=False,
        returned=part.returned,
        timestep=part.timestep,
    )


def _find_tape(conn: sqlite3.Connection, episode: int) -> Tape | None:
    row = conn.execute("SELECT * FROM recordings WHERE episode=?", (episode,)).fetchone()
    if row is not None:
        return tape_of_row(row)
    # The newest first: a number said twice means the later episode.
    query = "SELECT payload FROM recording_chunks WHERE first <= ? AND last >= ? ORDER BY id DESC"
    for (payload,) in conn.execute(query, (episode, episode)):
        for tape in reversed(decode_tapes(payload)):
            if tape.episode == episode:
                return tape
    return None


def _thoughts(conn: sqlite3.Connection, episode: int) -> dict[str, bytes]:
    row = conn.execute("SELECT payload FROM thoughts WHERE episode=?", (episode,)).fetchone()
    return {} if row is None else msgspec.msgpack.decode(zlib.decompress(row[0]), type=dict[str, bytes])


def _context(conn: sqlite3.Connection, context: int) -> dict[str, Any]:
    (text,) = conn.execute("SELECT data FROM contexts WHERE id=?", (context,)).fetchone()
    data = orjson.loads(text)
    return {
        "env_id": data.get("env_id") or "",
        "env_kwargs": data.get("env_kwargs") or {},
        "env_version": data.get("env_version"),
        "wrappers": data.get("wrappers") or [],
        "action": data.get("action") or {},
    }


def _truth(number: int | None) -> bool | None:
    return None if number is None else bool(number)
