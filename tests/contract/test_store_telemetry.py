"""telemetry.db: nothing lost or doubled however a stream is cut, and readable while it is written."""

from __future__ import annotations

import math
import sqlite3
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.traces import finished, playing

from rl_lab.core.errors import Gone, InvalidInput, NotFound
from rl_lab.core.protocol.events import EpisodeEvent, Trace
from rl_lab.orchestrator.runs.run_analysis import write_table
from rl_lab.store.telemetry import (
    EPISODE_SORTS,
    Batch,
    EpisodeFilter,
    NewEpisode,
    Position,
    TelemetryDb,
    TelemetryReader,
)
from rl_lab.store.telemetry.new_points import MAX_NEW_POINTS, NewPoints

CONTEXT = {
    "env_id": "CartPole-v1",
    "env_kwargs": {"a": 1},
    "env_version": "gymnasium 1.4.0",
    "action": {"n": 2},
}


@dataclass
class Columns:
    steps: Any = field(default_factory=list)
    times: Any = field(default_factory=list)
    values: Any = field(default_factory=list)


def points(values: Any, first: int = 0) -> Columns:
    count = len(values)
    steps = np.arange(first, first + count) * 10
    return Columns(steps, 1000.0 + np.arange(first, first + count) * 0.5, values)


def recording(
    episode: int, count: int = 20, env: int = 0, start: int = 0, seed: int | None = None
) -> EpisodeEvent:
    rng = np.random.default_rng([episode, start])
    return finished(
        episode,
        env,
        1000 + episode if seed is None else seed,
        count,
        rng.integers(0, 2, count, dtype=np.uint8).tobytes(),
        values=rng.normal(size=count).astype("<f2").tobytes(),
        chosen=rng.integers(0, 256, count, dtype=np.uint8).tobytes(),
        start=start,
    )


def trace_of(event: EpisodeEvent) -> Trace:
    assert event.trace is not None
    return event.trace


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "telemetry.db"


@pytest.fixture
def db(path: Path) -> Any:
    db = TelemetryDb(path)
    yield db
    db.close()


def test_points_are_read_in_order_and_gaps_are_kept(db: TelemetryDb, path: Path) -> None:
    values = [1.0, float("nan"), float("inf"), -2.5]
    db.apply(Batch(Position(1, 1, 1), points={"loss": points(values)}))
    with TelemetryReader(path) as reader:
        found = reader.overview("loss")
        assert np.array_equal(found.value, values, equal_nan=True)
        assert found.step.tolist() == [0, 10, 20, 30]
        assert found.time.tolist() == [1000.0, 1000.5, 1001.0, 1001.5]
        assert (reader.series_names(), reader.latest()[0].value) == (["loss"], -2.5)
        assert len(reader.overview("unknown")) == 0


def test_a_batch_that_is_already_stored_is_skipped(db: TelemetryDb, path: Path) -> None:
    batch = Batch(Position(1, 1, 10), points={"a": points([1.0])}, counters={"sent": 1}, ticks=[{"x": 1}])
    assert db.apply(batch).stored is True
    assert db.apply(batch).stored is False
    assert db.apply(Batch(Position(1, 1, 9), counters={"sent": 1})).stored is False
    assert db.apply(Batch(Position(2, 1, 0), counters={"sent": 1})).stored is True
    with TelemetryReader(path) as reader:
        assert (len(reader.tail("a", 10)), reader.counters()["sent"]) == (1, 2)
        assert reader.position() == db.position() == Position(2, 1, 0)


def test_a_failed_batch_changes_nothing_and_the_next_one_works(db: TelemetryDb, path: Path) -> None:
    db.apply(
        Batch(
            Position(1, 1, 1),
            points={"a": points(np.arange(990.0))},
            recordings=[recording(0)],
            context=CONTEXT,
        )
    )
    broken = Batch(
        Position(1, 1, 2),
        points={"a": points(np.arange(50.0))},
        recordings=[recording(1)],
        episodes=[NewEpisode("not a number", 0.0)],  # type: ignore[arg-type]
    )
    with pytest.raises(sqlite3.IntegrityError):
        db.apply(broken)
    db.apply(Batch(Position(1, 1, 2), points={"a": points(np.arange(20.0))}))
    with TelemetryReader(path) as reader:
        assert reader.tail("a", 5000).value.tolist() == [*np.arange(990.0), *np.arange(20.0)]
        assert reader.recording(0) is not None
        assert reader.recording(1) is None


def test_an_overview_keeps_every_peak_of_a_long_series(db: TelemetryDb, path: Path) -> None:
    values = np.sin(np.arange(150_000) / 900)
    values[[777, 70_001, 149_998]] = [50.0, -60.0, 70.0]
    values[99_000] = np.nan
    db.apply(Batch(Position(1, 1, 1), points={"a": points(values)}))
    with TelemetryReader(path) as reader:
        found = reader.overview("a", 1000)
        assert found.total == 150_000
        assert len(found) <= 1000
        assert {50.0, -60.0, 70.0} <= set(found.value.tolist())
        assert np.isnan(found.value).sum() == 1
        assert (np.diff(found.step) > 0).all()
        assert (found.index[0], found.index[-1]) == (0, 149_999)
        assert np.array_equal(found.value, values[found.index], equal_nan=True)


@pytest.mark.parametrize(
    ("x", "start", "stop"), [("step", 50_005, 60_000), ("time", 3500.2, 4000.0), ("index", 5001, 6000)]
)
def test_a_range_gives_exactly_its_points(
    db: TelemetryDb, path: Path, x: Any, start: float, stop: float
) -> None:
    values = np.random.default_rng(0).normal(size=10_500)
    db.apply(Batch(Position(1, 1, 1), points={"a": points(values)}))
    with TelemetryReader(path) as reader:
        found = reader.overview("a", 20_000, x=x, start=start, stop=stop)
        first, last = {"step": (5001, 6000), "time": (5001, 6000), "index": (5001, 6000)}[x]
        assert found.index.tolist() == list(range(first, last + 1))
        assert np.array_equal(found.value, values[first : last + 1])


def test_new_points_are_those_an_overview_reads(db: TelemetryDb, path: Path) -> None:
    new = NewPoints()
    for number, values in enumerate(([0.5, math.nan], np.arange(1500.0)), start=1):
        new.add(db.apply(Batch(Position(1, 1, number), points={"a": points(values)})).points)
        found = new.take()["series"]["a"]
        assert not new
        with TelemetryReader(path) as reader:
            stored = reader.tail("a", 5000)
        assert found["total"] == stored.total
        for column in ("step", "time", "value"):
            assert np.array_equal(found[column], getattr(stored, column)[found["index"]], equal_nan=True)


def test_many_new_points_keep_their_peaks_and_the_newest_half(db: TelemetryDb) -> None:
    values = np.zeros(5000)
    values[[77, 3001]] = [50.0, -60.0]
    new = NewPoints()
    for number in (1, 2):
        new.add(db.apply(Batch(Position(1, 1, number), points={"a": points(values)})).points)
    found = new.take()["series"]["a"]
    assert len(found["index"]) <= MAX_NEW_POINTS
    assert (np.diff(found["index"]) > 0).all()
    assert (found["index"][0], found["index"][-1], found["total"]) == (0, 9999, 10_000)
    assert {77, 3001, 5077, 8001} <= set(found["index"].tolist())
    newest = MAX_NEW_POINTS // 2
    assert found["index"][-newest:].tolist() == list(range(10_000 - newest, 10_000))


def test_a_long_range_starts_and_ends_at_its_bounds(db: TelemetryDb, path: Path) -> None:
    db.apply(Batch(Position(1, 1, 1), points={"a": points(np.arange(200_000.0))}))
    with TelemetryReader(path) as reader:
        found = reader.overview("a", 500, x="index", start=1_500, stop=180_250)
        assert (found.index[0], found.index[-1]) == (1_500, 180_250)
        assert len(found) <= 500


def test_steps_that_went_back_after_a_resume_are_ascending_in_an_overview(
    db: TelemetryDb, path: Path
) -> None:
    db.apply(Batch(Position(1, 1, 1), points={"a": points([1.0, 2.0, 3.0])}))
    db.apply(Batch(Position(2, 1, 1), points={"a": points([9.0, 8.0], first=1)}))
    with TelemetryReader(path) as reader:
        assert reader.overview("a").step.tolist() == [0, 10, 10, 20, 20]
        assert reader.tail("a", 3).value.tolist() == [3.0, 9.0, 8.0]
        assert reader.after("a", 2, 1).value.tolist() == [9.0]


events = st.lists(
    st.one_of(
        st.tuples(st.just("point"), st.sampled_from(["a", "b"]), st.integers(1, 1500)),
        st.tuples(st.just("episode"), st.integers(1, 90), st.booleans()),
        st.tuples(st.just("part"), st.integers(1, 30), st.integers(0, 1)),
        st.tuples(st.just("tick"), st.integers(0, 9), st.just(0)),
    ),
    min_size=1,
    max_size=25,
)


class Stream:
    """Turns drawn events into batches, always the same for the same events."""

    def __init__(self, events: list[Any]) -> None:
        self.events = events

    def batch(self, first: int, last: int) -> Batch:
        batch = Batch(
            Position(1, 1, last), context=CONTEXT, state={"events": last}, metrics_jsonl_bytes=last * 7
        )
        series: dict[str, Columns] = {}
        lists: dict[str, list[Any]] = {"episodes": [], "recordings": [], "ticks": []}
        for number in range(first, last):
            self._fold(number, series, lists)
        batch.points = series
        batch.episodes, batch.recordings, batch.ticks = lists["episodes"], lists["recordings"], lists["ticks"]
        batch.counters = {"sent": last - first}
        return batch

    def _fold(self, number: int, series: dict[str, Columns], lists: dict[str, list[Any]]) -> None:
        kind, a, b = self.events[number]
        if kind == "point":
            column = series.setdefault(a, Columns())
            values = np.random.default_rng(number).normal(size=b).tolist()
            column.values += values
            column.steps += [number] * b
            column.times += [float(number)] * b
        elif kind == "episode":
            for episode in range(number * 100, number * 100 + a):
                lists["episodes"].append(
                    NewEpisode(episode, float(number), reward=float(episode % 7), length=20)
                )
                if b:
                    lists["recordings"].append(recording(episode))
        elif kind == "part":
            whole = trace_of(recording(number, a))
            lists["recordings"].append(
                playing(number, b, number, a, whole.actions, values=whole.values, chosen=whole.chosen)
            )
        else:
            lists["ticks"].append({"timestep": a})


def everything(path: Path) -> dict[str, Any]:
    """All a reader can learn of a file."""
    with TelemetryReader(path, "r") as reader:
        episodes = reader.episodes(limit=1000, sort="episode").items
        return {
            "series": {n: reader.tail(n, 20_000).value.tolist() for n in reader.series_names()},
            "overview": {n: reader.overview(n, 100).value.tolist() for n in reader.series_names()},
            "episodes": episodes,
            "recordings": [reader.recording(e.episode) for e in episodes],
            "live": [reader.live(0), reader.live(1)],
            "ticks": reader.ticks_tail(1000),
            "counters": reader.counters(),
            "position": reader.position(),
        }


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=events, data=st.data())
def test_any_split_into_batches_with_crashes_gives_the_same_result(
    tmp_path_factory: pytest.TempPathFactory, events: list[Any], data: st.DataObject
) -> None:
    folder, stream = tmp_path_factory.mktemp("t"), Stream(events)
    at_once = TelemetryDb(folder / "once.db")
    at_once.apply(stream.batch(0, len(events)))
    at_once.close()
    cut = TelemetryDb(folder / "cut.db")
    while cut.position().offset < len(events):
        first = cut.position().offset
        last = data.draw(st.integers(first + 1, len(events)))
        end = data.draw(st.sampled_from(["commit", "commit and crash", "crash before commit"]))
        if end == "crash before commit":
            with pytest.raises(ZeroDivisionError), cut._transaction():
                cut._store(stream.batch(first, last))
                _ = 1 / 0
        else:
            cut.apply(stream.batch(first, last))
        if end != "commit":
            cut._conn.close()
            cut = TelemetryDb(folder / "cut.db")
        assert cut.state() in (None, {"events": cut.position().offset})
    cut.close()
    assert everything(folder / "cut.db") == everything(folder / "once.db")


def test_a_recording_is_read_back_with_all_its_fields(db: TelemetryDb, path: Path) -> None:
    made = recording(7, 100)
    row = NewEpisode(
        7, 5.0, seed=made.seed, reward=3.5, length=100, terminated=True, truncated=False, timestep=900
    )
    db.apply(Batch(Position(1, 1, 1), episodes=[row], recordings=[made], context=CONTEXT))
    with TelemetryReader(path, "run") as reader:
        found = reader.recording(7)
        assert found is not None
        assert (found.run_id, found.env_id, found.env_kwargs, found.action) == (
            "run",
            "CartPole-v1",
            {"a": 1},
            {"n": 2},
        )
        assert (found.seed, found.count, found.actions, found.chosen) == (
            made.seed,
            100,
            trace_of(made).actions,
            trace_of(made).chosen,
        )
        assert (found.returned, found.terminated, found.truncated, found.timestep) == (3.5, True, False, 900)
        sent, kept = np.frombuffer(trace_of(made).values, "<f2"), np.frombuffer(found.values, "<f2")
        assert np.abs(sent - kept).max() < 0.05
        assert reader.episode(7).recorded is True
        assert reader.latest_recording() == found
        with pytest.raises(NotFound, match="no episode 8"):
            reader.episode(8)


def test_a_long_episode_is_assembled_and_can_be_watched_meanwhile(db: TelemetryDb, path: Path) -> None:
    parts = [recording(3, 10, env=2, start=s, seed=42) for s in (0, 10, 20)]
    for i, part in enumerate(parts[:2]):
        more = {"start": trace_of(part).start, "returned": float(i), "timestep": i}
        live = playing(3, 2, 42, 10, trace_of(part).actions, **more)
        db.apply(Batch(Position(1, 1, i + 1), recordings=[live], context=CONTEXT))
    with TelemetryReader(path) as reader:
        live_now = reader.live(env=2)
        assert live_now is not None
        assert (live_now.count, live_now.complete, live_now.returned) == (20, False, 1.0)
        assert live_now.actions == trace_of(parts[0]).actions + trace_of(parts[1]).actions
        assert reader.live(env=0) is None
    db.apply(Batch(Position(1, 1, 3), recordings=[parts[2]], episodes=[NewEpisode(3, 1.0, env=2, length=30)]))
    with TelemetryReader(path) as reader:
        found = reader.recording(3)
        assert found is not None
        assert found.actions == b"".join(trace_of(p).actions for p in parts)
        assert (found.complete, found.values) == (True, b"")
        assert reader.live(env=2) is None


@pytest.mark.parametrize(
    "bad",
    [
        finished(1, 0, 5, 0, b""),
        finished(1, 0, 5, 3, b"\0\0"),
        finished(1, 0, None, 2, b"\0\0"),
        finished(1, 0, 2**70, 2, b"\0\0"),
        finished(1, 0, 5, 2, b"\0\0", start=4),
        finished(1, 0, 5, -1, b"\0"),
    ],
)
def test_a_recording_that_cannot_be_replayed_is_not_offered(
    db: TelemetryDb, path: Path, bad: EpisodeEvent
) -> None:
    row = NewEpisode(1, 1.0, seed=2**70, timestep=2**70)
    db.apply(Batch(Position(1, 1, 1), episodes=[row], recordings=[bad], context=CONTEXT))
    with TelemetryReader(path) as reader:
        assert (reader.recording(1), reader.episode(1).recorded, reader.episode(1).seed) == (
            None,
            False,
            None,
        )


def test_an_episode_that_ends_without_a_trace_is_no_longer_live(db: TelemetryDb, path: Path) -> None:
    db.apply(Batch(Position(1, 1, 1), recordings=[playing(0, 0, 9, 2, b"\0\1")], context=CONTEXT))
    db.apply(Batch(Position(1, 1, 2), episodes=[NewEpisode(0, 1.0, seed=9, length=5)]))
    with TelemetryReader(path) as reader:
        assert reader.live() is None


def test_thinning_keeps_first_latest_best_worst_and_every_kth(path: Path) -> None:
    db = TelemetryDb(path, recording_budget_bytes=40_000)
    rewards = {1234: 99.0, 777: -99.0}
    thinned = 0
    for number in range(100):
        numbers = range(number * 30, number * 30 + 30)
        rows = [NewEpisode(n, 1.0, reward=rewards.get(n, n % 11), length=20) for n in numbers]
        applied = db.apply(
            Batch(
                Position(1, 1, number + 1),
                episodes=rows,
                recordings=[recording(n) for n in numbers],
                context=CONTEXT,
            )
        )
        thinned += applied.thinned
    k = applied.kept_every
    db.close()
    with TelemetryReader(path) as reader:
        listed = reader.episodes(EpisodeFilter(recorded=True), limit=1000)
        kept = {e.episode for e in listed.items}
        assert {0, 777, 1234, 2999} <= kept
        assert {n for n in range(2000) if n % k == 0} <= kept
        assert thinned == reader.counters()["recordings_thinned"] == 3000 - listed.total > 0
        for n in range(0, 3000, 7):
            assert (reader.recording(n) is not None) == (n in kept)
        stored = reader._conn.execute("SELECT sum(size) FROM recording_chunks").fetchone()[0]
    assert stored < 60_000
    assert k in (2**i for i in range(1, 12))


def test_one_recording_larger_than_the_budget_is_kept_and_ends_the_thinning(path: Path) -> None:
    db = TelemetryDb(path, recording_budget_bytes=100)
    huge = finished(0, 0, 1, 300_000, np.random.default_rng(0).bytes(300_000))
    db.apply(
        Batch(
            Position(1, 1, 1), episodes=[NewEpisode(0, 1.0, reward=1.0)], recordings=[huge], context=CONTEXT
        )
    )
    for i in range(70):
        db.apply(Batch(Position(1, 1, i + 2)))
    db.close()
    with TelemetryReader(path) as reader:
        found = reader.recording(0)
        assert found is not None
        assert found.actions == trace_of(huge).actions


@pytest.mark.parametrize("sort", [sign + name for name in EPISODE_SORTS for sign in ("", "-")])
def test_pages_of_episodes_have_no_gaps_or_duplicates(db: TelemetryDb, path: Path, sort: str) -> None:
    rewards = [1.0, None, 2.0, 1.0, None, float("nan"), -4.0, 1.0, 0.0]
    rows = [
        NewEpisode(i, 5.0 + i // 3, reward=r, length=i % 4, timestep=r and i * 10)
        for i, r in enumerate(rewards)
    ]
    db.apply(Batch(Position(1, 1, 1), episodes=rows))
    with TelemetryReader(path) as reader:
        whole = [e.episode for e in reader.episodes(sort=sort, limit=100).items]
        assert sorted(whole) == list(range(len(rewards)))
        for limit in (1, 2, 4):
            paged, cursor = [], None
            while True:
                page = reader.episodes(sort=sort, limit=limit, cursor=cursor)
                paged += [e.episode for e in page.items]
                if (cursor := page.next_cursor) is None:
                    break
            assert paged == whole


@pytest.mark.parametrize("sort", ["-episode", "reward", "-reward", "-length"])
def test_a_page_around_an_episode_contains_it_and_continues(db: TelemetryDb, path: Path, sort: str) -> None:
    rows = [
        NewEpisode(i, 5.0 + i, reward=None if i % 7 == 0 else float(i % 5), length=i % 4) for i in range(60)
    ]
    db.apply(Batch(Position(1, 1, 1), episodes=rows))
    with TelemetryReader(path) as reader:
        whole = [e.episode for e in reader.episodes(sort=sort, limit=100).items]
        for wanted in (whole[0], whole[25], whole[-1]):
            page = reader.episodes(sort=sort, limit=12, around=wanted)
            listed = [e.episode for e in page.items]
            assert wanted in listed
            assert listed == whole[page.skipped : page.skipped + 12]
        page = reader.episodes(sort=sort, limit=12, around=whole[25])
        assert page.skipped == 15
        following = reader.episodes(sort=sort, limit=12, cursor=page.next_cursor)
        assert [e.episode for e in following.items] == whole[27:39]
        assert reader.episodes(sort=sort, limit=12, around=999).skipped == 0


def test_episodes_are_filtered_by_return_length_ending_and_time(db: TelemetryDb, path: Path) -> None:
    rows = [
        NewEpisode(0, 1.0, reward=1.0, length=10, terminated=True, truncated=False, timestep=10),
        NewEpisode(
            1, 2.0, reward=5.0, length=500, terminated=False, truncated=True, timestep=510, success=True
        ),
        NewEpisode(2, 3.0, reward=3.0, length=50, terminated=True, truncated=False, timestep=560, env=1),
    ]
    db.apply(Batch(Position(1, 1, 1), episodes=rows))
    with TelemetryReader(path) as reader:
        numbers = lambda **f: [e.episode for e in reader.episodes(EpisodeFilter(**f), "episode").items]  # noqa: E731
        assert numbers(min_reward=2.0, max_reward=4.0) == [2]
        assert numbers(max_length=50) == [0, 2]
        assert numbers(ending="truncated") == numbers(success=True) == [1]
        assert numbers(min_timestep=500, env=1) == [2]
        assert numbers(recorded=True) == []
        assert numbers(role="evaluation") == []
        with pytest.raises(InvalidInput, match="sort"):
            reader.episodes(sort="seed")
        with pytest.raises(InvalidInput, match="cursor"):
            reader.episodes(cursor="invalid")


def test_ticks_are_numbered_without_gaps_across_restarts(path: Path) -> None:
    for i in range(3):
        db = TelemetryDb(path)
        assert (
            db.apply(
                Batch(Position(1, 1, i + 1), ticks=[{"timestep": 2 * i}, {"timestep": 2 * i + 1}])
            ).first_tick_id
            == 2 * i + 1
        )
        db.close()
    with TelemetryReader(path) as reader:
        assert [(t.id, t.timestep) for t in reader.ticks_after(2)] == [(3, 2), (4, 3), (5, 4), (6, 5)]
        assert [t.id for t in reader.ticks_tail(2)] == [5, 6]


def test_sampled_steps_are_read_newest_last(db: TelemetryDb, path: Path) -> None:
    for i in range(3):
        db.apply(
            Batch(Position(1, 1, i + 1), steps=[{"step": 2 * i, "obs": [1.5, "\ud800"]}, {"step": 2 * i + 1}])
        )
    with TelemetryReader(path) as reader:
        assert [s["step"] for s in reader.steps_tail(3)] == [3, 4, 5]


def test_a_checkpoint_empties_the_log_and_reports_three_numbers(db: TelemetryDb, path: Path) -> None:
    db.apply(Batch(Position(1, 1, 1), points={"a": points([1.0, 2.0])}))
    wal = path.with_name(f"{path.name}-wal")
    assert wal.stat().st_size > 0
    assert db.checkpoint() == (0, 0, 0)
    assert wal.stat().st_size == 0
    db.apply(Batch(Position(1, 1, 2), points={"a": points([3.0])}))
    with TelemetryReader(path) as reader, reader._snapshot() as conn:
        conn.execute("SELECT count(*) FROM series").fetchone()
        db.apply(Batch(Position(1, 1, 3), points={"a": points([4.0])}))
        assert db.checkpoint().busy == 1
    assert db.checkpoint().busy == 0


def test_steps_are_read_on_from_any_cursor(db: TelemetryDb, path: Path) -> None:
    for i in range(3):
        db.apply(Batch(Position(1, 1, i + 1), steps=[{"step": 2 * i}, {"step": 2 * i + 1}]))
    with TelemetryReader(path) as reader:
        whole = reader.steps_after(0, 100)
        assert [step["step"] for _, step in whole] == [0, 1, 2, 3, 4, 5]
        for number, (cursor, _) in enumerate(whole, 1):
            assert reader.steps_after(cursor, 100) == whole[number:]
        assert [step["step"] for _, step in reader.steps_after(0, 1)] == [0, 1]


def test_readers_on_other_threads_see_complete_batches_during_writes(db: TelemetryDb, path: Path) -> None:
    db.apply(Batch(Position(1, 1, 1), points={"a": points([0.0] * 300), "b": points([0.0] * 300)}))
    done, wrong, reads = threading.Event(), [], []

    def read() -> None:
        while not done.is_set():
            with TelemetryReader(path) as reader:
                a = reader.tail("a", 20_000)
                if len(a) % 300 or len(reader.overview("a", 100)) > 100 or len(reader.episodes().items) > 50:
                    wrong.append(len(a))
                reads.append(len(a))

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for i in range(2, 60):
            batch = points(np.full(300, float(i)))
            rows = [NewEpisode(i * 10 + k, 1.0, reward=1.0) for k in range(10)]
            db.apply(Batch(Position(1, 1, i), points={"a": batch, "b": batch}, episodes=rows))
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert wrong == []
    assert len(reads) >= 3


def test_a_file_can_be_read_after_a_clean_close_and_after_a_crash(
    db: TelemetryDb, path: Path, tmp_path: Path
) -> None:
    db.apply(Batch(Position(1, 1, 1), counters={"sent": 3}))
    copy = tmp_path / "crashed.db"
    for suffix in ("", "-wal"):
        Path(f"{copy}{suffix}").write_bytes(Path(f"{path}{suffix}").read_bytes())
    db.close()
    for file in (path, copy):
        with TelemetryReader(file) as reader:
            assert reader.counters() == {"sent": 3}


def test_a_reader_neither_writes_nor_checkpoints(db: TelemetryDb, path: Path) -> None:
    db.apply(Batch(Position(1, 1, 1), counters={"sent": 3}))
    size = path.stat().st_size
    with TelemetryReader(path) as reader, pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader._conn.execute("DELETE FROM counters")
    assert path.stat().st_size == size
    assert Path(f"{path}-wal").stat().st_size > 0


def test_a_missing_or_damaged_file_raises_gone_with_a_message(
    db: TelemetryDb, path: Path, tmp_path: Path
) -> None:
    with pytest.raises(Gone, match="missing"):
        TelemetryReader(tmp_path / "nothing.db")
    (tmp_path / "garbage.db").write_bytes(b"garbage" * 1000)
    with pytest.raises(Gone, match="damaged"):
        TelemetryReader(tmp_path / "garbage.db")
    path.unlink()
    with pytest.raises(Gone, match="deleted while"):
        db.apply(Batch(Position(1, 1, 1)))


def test_the_number_of_metrics_per_run_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rl_lab.store.telemetry.series_writer.MAX_SERIES", 3)
    path = tmp_path / "telemetry.db"
    writer = TelemetryDb(path)
    first = writer.apply(Batch(Position(1, 1, 1), points={f"m{n}": points([1.0, 2.0]) for n in range(5)}))
    writer.close()
    writer = TelemetryDb(path)
    again = writer.apply(Batch(Position(1, 1, 2), points={"m0": points([3.0], 2), "new": points([1.0])}))
    writer.close()
    assert (first.points_left_out, again.points_left_out) == (4, 1)
    with TelemetryReader(path) as reader:
        assert reader.series_names() == ["m0", "m1", "m2"]
        assert reader.tail("m0", 10).value.tolist() == [1.0, 2.0, 3.0]
        assert reader.counters()["points_left_out"] == 5


def test_several_series_are_read_from_one_snapshot(tmp_path: Path) -> None:
    path = tmp_path / "telemetry.db"
    writer = TelemetryDb(path)
    writer.apply(
        Batch(Position(1, 1, 1), points={"a": points([1.0, 2.0, 3.0]), "b": points([4.0, 5.0, 6.0])})
    )
    writer.close()
    with TelemetryReader(path) as reader:
        cut = reader.overviews(["a", "b", "none"], x="index", start=1)
        assert {name: one.value.tolist() for name, one in cut.items()} == {
            "a": [2.0, 3.0],
            "b": [5.0, 6.0],
            "none": [],
        }
        assert reader.tails(["b"], 2)["b"].value.tolist() == [5.0, 6.0]


def test_a_table_of_all_points_leaves_none_out(tmp_path: Path) -> None:
    path = tmp_path / "telemetry.db"
    writer = TelemetryDb(path)
    writer.apply(Batch(Position(1, 1, 1), points={"reward": points([float(i) for i in range(25_000)])}))
    writer.close()
    with TelemetryReader(path) as reader:
        assert write_table(reader).count("\n") == 1 + 25_000
