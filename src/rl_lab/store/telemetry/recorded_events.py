"""The recorded events of a run as a verification compares them: episodes with their actions, values of metrics."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from rl_lab.core.reproduction.event_comparison import CLOCKED, ComparedEpisode, ExpectedEvents, checksum
from rl_lab.core.script_environments import FIRST_EVALUATION
from rl_lab.store.telemetry import series
from rl_lab.store.telemetry.schema import open_reader
from rl_lab.store.telemetry.stored_recordings import StoredRecording, decode_chunk_of_recordings, from_row

ALL = 2**62


def read_events(path: Path, end_step: int) -> ExpectedEvents:
    """Everything up to this step; blocks."""
    with closing(open_reader(path)) as conn:
        conn.execute("BEGIN")
        return ExpectedEvents(
            end_step=end_step, episodes=_episodes(conn, end_step), series=_series(conn, end_step)
        )


def _episodes(conn: sqlite3.Connection, end_step: int) -> list[ComparedEpisode]:
    recorded = {found.episode: found for found in _recordings(conn)}
    rows = conn.execute(
        "SELECT episode, env, seed, reward, length, terminated, truncated, timestep FROM episodes"
        " WHERE timestep <= ? AND episode < ? ORDER BY episode",
        (end_step, FIRST_EVALUATION),
    )
    return [_compared(row, recorded.get(row[0])) for row in rows]


def _compared(row: tuple[int, ...], recording: StoredRecording | None) -> ComparedEpisode:
    episode, env, seed, reward, length, terminated, truncated, timestep = row
    return ComparedEpisode(
        timestep=timestep,
        env=env,
        episode=episode,
        seed=seed,
        returned=reward,
        length=length,
        terminated=None if terminated is None else bool(terminated),
        truncated=None if truncated is None else bool(truncated),
        actions=checksum(recording.actions) if recording else None,
        checksums=checksum(recording.checksums) if recording else None,
    )


def _recordings(conn: sqlite3.Connection) -> Iterator[StoredRecording]:
    """In the order they were stored: of a number that was used twice, the later one counts."""
    for (payload,) in conn.execute("SELECT payload FROM recording_chunks ORDER BY id"):
        yield from decode_chunk_of_recordings(payload)
    for row in conn.execute("SELECT * FROM recordings ORDER BY rowid"):
        yield from_row(row)


def _series(conn: sqlite3.Connection, end_step: int) -> dict[str, dict[int, float]]:
    names = [name for (name,) in conn.execute("SELECT name FROM series ORDER BY name") if name not in CLOCKED]
    found = {}
    for name in names:
        points = series.tail(conn, name, ALL)
        pairs = zip(points.step.tolist(), points.value.tolist(), strict=True)
        found[name] = {step: value for step, value in pairs if step <= end_step}
    return found
