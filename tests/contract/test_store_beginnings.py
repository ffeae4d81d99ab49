"""Recordings that start from a generator state or from a seed, in new files and in files of version 1."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path

import pytest
from support.traces import finished, playing

from rl_lab.core.errors import NotReady
from rl_lab.core.protocol.events import EpisodeEvent
from rl_lab.store.telemetry import (
    Batch,
    NewEpisode,
    Position,
    TelemetryDb,
    TelemetryReader,
)
from rl_lab.store.telemetry.schema import VERSION

VERSION_1 = Path(__file__).parent / "data" / "telemetry-version-1.db.gz"
"""Written by the lab before generators' states were kept: 70 recordings, 64 of them sealed, and a live episode."""
CONTEXT = {"env_id": "CartPole-v1", "action": {"kind": "discrete", "dtype": "u1", "start": 0, "n": 2}}


def state(number: int) -> bytes:
    return bytes([number]) * 37


def unseeded(episode: int, count: int = 10, start: int = 0) -> EpisodeEvent:
    return finished(
        episode, 0, None, count, bytes([episode % 2]) * count, start=start, generator=state(episode)
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "telemetry.db"


@pytest.fixture
def old(path: Path) -> Path:
    path.write_bytes(gzip.decompress(VERSION_1.read_bytes()))
    return path


def test_a_generator_state_is_read_back_from_a_row_and_from_a_sealed_chunk(path: Path) -> None:
    db = TelemetryDb(path)
    seeded = [finished(e, 0, 1000 + e, 10, bytes(10)) for e in range(1, 70, 2)]
    mixed = sorted([*seeded, *map(unseeded, range(0, 70, 2))], key=lambda r: r.episode)
    db.apply(
        Batch(
            Position(1, 1, 1),
            episodes=[NewEpisode(r.episode, 0.0, seed=r.seed) for r in mixed],
            recordings=mixed,
            context=CONTEXT,
        )
    )
    db.close()
    with TelemetryReader(path) as reader:
        for episode in (0, 1, 30, 31, 63, 68, 69):
            found = reader.recording(episode)
            assert found is not None
            beginning = (None, state(episode)) if episode % 2 == 0 else (1000 + episode, b"")
            assert (found.seed, found.generator) == beginning, episode
            assert found.actions == mixed[episode].trace.actions
        assert reader.episode(0).seed is None
        assert reader.episode(0).recorded


def test_an_unseeded_episode_is_watched_live_and_assembled(path: Path) -> None:
    db = TelemetryDb(path)
    begun = playing(5, 0, None, 4, b"\0\1\0\1", returned=4.0, generator=state(9))
    db.apply(Batch(Position(1, 1, 1), recordings=[begun], context=CONTEXT))
    db.close()
    db = TelemetryDb(path)  # as after a restart of the lab
    with TelemetryReader(path) as reader:
        live = reader.live()
        assert live is not None
        assert (live.seed, live.generator, live.actions, live.complete) == (
            None,
            state(9),
            b"\0\1\0\1",
            False,
        )
    end = finished(5, 0, None, 2, b"\1\1", start=4, generator=state(9))
    db.apply(Batch(Position(1, 1, 2), episodes=[NewEpisode(5, 0.0)], recordings=[end]))
    with TelemetryReader(path) as reader:
        whole = reader.recording(5)
        assert whole is not None
        assert (whole.generator, whole.actions) == (state(9), b"\0\1\0\1\1\1")
        assert reader.live() is None
    db.close()


def test_the_end_of_another_unseeded_episode_is_not_taken_for_this_one(path: Path) -> None:
    db = TelemetryDb(path)
    begun = playing(0, 0, None, 4, bytes(4), generator=state(1))
    other = finished(0, 0, None, 2, bytes(2), start=4, generator=state(2))
    db.apply(
        Batch(Position(1, 1, 1), episodes=[NewEpisode(0, 0.0)], recordings=[begun, other], context=CONTEXT)
    )
    db.close()
    with TelemetryReader(path) as reader:
        assert reader.recording(0) is None


def test_a_file_of_version_1_is_read_unchanged(old: Path) -> None:
    before = old.read_bytes()
    with TelemetryReader(old) as reader:
        for episode in (0, 63, 64, 69):
            found = reader.recording(episode)
            assert found is not None
            assert (found.seed, found.generator, found.count) == (1000 + episode, b"", 10)
        live = reader.live()
        assert live is not None
        assert (live.seed, live.generator, live.actions) == (7777, b"", b"\0\1\0\1")
    assert old.read_bytes() == before


def test_a_file_of_version_1_can_be_extended(old: Path) -> None:
    with TelemetryReader(old) as reader_before:
        db = TelemetryDb(old)
        end = finished(70, 0, 7777, 1, b"\1", start=4)
        more = [NewEpisode(70, 0.0, seed=7777), *(NewEpisode(e, 0.0) for e in range(71, 140))]
        db.apply(
            Batch(
                Position(1, 1, 20),
                episodes=more,
                recordings=[end, *map(unseeded, range(71, 140))],
                context=CONTEXT,
            )
        )
        db.close()
        assert reader_before.recording(3) is not None, "a reader that was opened before still works"
    with TelemetryReader(old) as reader:
        ended, newest, sealed = reader.recording(70), reader.recording(139), reader.recording(71)
        assert ended and newest and sealed
        assert (ended.seed, ended.actions) == (7777, b"\0\1\0\1\1")
        assert (newest.generator, sealed.generator) == (state(139), state(71))
        assert reader.recording(0) is not None
    with sqlite3.connect(old) as conn:
        assert conn.execute("PRAGMA user_version").fetchone() == (VERSION,)


def test_a_file_of_a_newer_lab_is_refused_with_a_message(old: Path) -> None:
    with sqlite3.connect(old) as conn:
        conn.execute(f"PRAGMA user_version={VERSION + 1}")
    for opened in (TelemetryDb, TelemetryReader):
        with pytest.raises(NotReady, match="newer RL Lab"):
            opened(old)
