"""Journal lines become rows, the same ones however they are cut into batches."""

from __future__ import annotations

import itertools
import math
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from rl_lab.core.protocol import events as e
from rl_lab.core.protocol.lines import Broken, Parsed, Unknown, encode_line, parse_line
from rl_lab.orchestrator.ingest.fold import (
    BROKEN_KEPT,
    FILES_PER_ATTEMPT,
    HANDLERS,
    LOGS_PER_ATTEMPT,
    LOGS_PER_SECOND,
    UNKNOWN_KEPT,
    Fold,
)
from rl_lab.orchestrator.ingest.fold_result import FoldResult
from rl_lab.orchestrator.ingest.journal_reader import parse_lines
from rl_lab.orchestrator.ingest.run_state import SPARKLINE_POINTS, RunState

T0 = 1_700_000_000.0


def fold(*lines: Parsed | None, steps_per_second: int = 1000) -> tuple[FoldResult, RunState]:
    one = Fold(RunState(attempt=1), steps_per_second)
    one.add(lines)
    return one.take(), one.state


def episodes(count: int, reward: float = 1.0) -> list[e.EpisodeEvent]:
    return [
        e.EpisodeEvent(seq=i, t=T0 + i / 100, return_=reward * i, steps=10, timestep=10 * (i + 1))
        for i in range(count)
    ]


def test_every_event_type_has_a_handler() -> None:
    assert set(HANDLERS) == {*e.EVENT_CLASSES, Broken, Unknown}


def test_a_recorded_episode_is_passed_on_with_its_number() -> None:
    trace = e.Trace(count=2, actions=b"\0\1")
    out, _ = fold(
        e.StepsEvent(seed=1, trace=trace), e.StepsEvent(seed=1), e.EpisodeEvent(seed=1, trace=trace)
    )
    assert [type(event) for event in out.recordings] == [e.StepsEvent, e.EpisodeEvent]
    assert [event.episode for event in out.recordings] == [0, 0]


def test_episodes_of_a_play_that_were_cut_off_or_taken_over_are_neither_its_best_nor_in_its_mean() -> None:
    extras = [{"cut_off": True}, {"taken_over_at": 40}, {"player": "person", "taken_over_at": 0}]
    out, state = fold(*(e.EpisodeEvent(return_=9.0 - n, steps=5, extra=x) for n, x in enumerate(extras)))
    assert [episode.reward for episode in out.episodes] == [9.0, 8.0, 7.0]
    assert (state.best_reward, state.mean_reward, state.episodes) == (7.0, 7.0, 3)


def test_a_list_of_artifacts_becomes_files_inside_the_run_folder() -> None:
    one = Fold(RunState(attempt=1), 10, ["/lab/runs/x"])
    line = {
        "event": "artifacts",
        "video": ["/lab/runs/x/files/a.mp4", "/lab/runs/x/../y/b.mp4", "/etc/c.mp4"],
        "tensorboard": "files/runs/x/",
        "wandb_url": "https://wandb.ai/r",
    }
    one.add([parse_line(msgspec.json.encode(line))])
    out = one.take()
    assert [(file.kind, file.path) for file in out.files] == [
        ("video", "files/a.mp4"),
        ("tensorboard", "files/runs/x"),
        ("wandb", "wandb"),
    ]
    assert [log.type for log in out.logs] == ["path_refused"]


def test_a_line_with_a_strange_event_field_is_broken_or_unknown() -> None:
    for text in (b'{"event":["artifacts"]}', b'{"event":"artifacts","video":7}', b'{"event":"party"}'):
        assert isinstance(parse_line(text), Broken)


def test_the_environment_is_reported_once_in_plain_words() -> None:
    config = e.ConfigEvent(env_id="CartPole-v1", env_version="gymnasium 1.4.0", n_envs=8, seed=42)
    out, _ = fold(config)
    [line] = [log for log in out.logs if log.type == "environment_initialized"]
    assert line.message == "Environment initialised: CartPole-v1 (gymnasium 1.4.0), 8 at once, seed 42."
    assert line.level == "info"


def test_a_log_line_without_a_code_has_the_type_of_its_level() -> None:
    out, _ = fold(
        *(e.LogEvent(level=level, message="x") for level in ("info", "warning", "error")),
        e.LogEvent(level="warning", message="x", code="nan_reward"),
    )
    assert [log.type for log in out.logs] == ["log", "warning", "error", "nan_reward"]


def test_the_mean_is_of_the_last_hundred_episodes() -> None:
    out, state = fold(*episodes(250))
    assert state.mean_reward == sum(range(150, 250)) / 100
    assert state.best_mean == state.mean_reward
    assert state.best_reward == 249
    assert [row.episode for row in out.episodes] == list(range(250))
    assert out.points["reward"].steps[-1] == 2500
    assert len(state.sparkline) <= SPARKLINE_POINTS


def test_episodes_without_a_number_are_numbered_on() -> None:
    out, state = fold(e.EpisodeEvent(episode=7), e.EpisodeEvent(), e.EpisodeEvent())
    assert [row.episode for row in out.episodes] == [7, 8, 9]
    assert state.episodes == 10


def test_a_reward_that_is_no_number_leaves_the_mean_alone() -> None:
    line = parse_line(b'{"type":"episode","return":NaN,"steps":3}')
    out, state = fold(e.EpisodeEvent(return_=4.0), line, e.MetricEvent(values={"loss": "nan"}))
    assert state.mean_reward == 4.0
    assert math.isnan(out.points["loss"].values[0])
    assert state.loss is None
    assert b'"loss":null' in out.jsonl[-1]


def test_ticks_come_at_most_four_times_a_second_of_the_workers_clock() -> None:
    out, _ = fold(
        *[e.MetricEvent(t=T0 + i / 1000, values={"loss": 1.0}, step=i) for i in range(1000)],
        e.FinishedEvent(t=T0 + 1),
    )
    assert 4 <= len(out.ticks) <= 6
    assert out.ticks[-1]["timestamp"] == T0 + 1


def test_steps_beyond_the_limit_are_counted_to_the_last_one() -> None:
    out, _ = fold(*[e.StepEvent(t=T0 + i / 500, step=i) for i in range(1000)], steps_per_second=100)
    assert len(out.steps) == 200
    assert out.counters["sampled_out"] == 800
    assert out.counters["sent"] == out.counters["stored"] + out.counters["sampled_out"] == 1000


def test_a_clock_that_jumps_neither_reorders_nor_adds_time() -> None:
    times = [T0, T0 + 1, T0 + 86_400, T0 + 86_401, T0 - 86_400, T0 - 86_399]
    out, state = fold(*[e.StatusEvent(t=t, timestep=i * 100, total=1000) for i, t in enumerate(times)])
    assert state.elapsed_s == 3.0
    assert state.timestep == 500
    assert [tick["timestep"] for tick in out.ticks] == [0, 100, 200, 300, 400, 500]
    fps = state.progress().fps
    assert fps is None or 0 <= fps <= 100


def test_log_lines_are_limited_and_the_rest_is_said_once() -> None:
    out, _ = fold(*[e.LogEvent(t=T0, message=str(i)) for i in range(100)], e.FinishedEvent(t=T0))
    assert len(out.logs) == LOGS_PER_SECOND + 1
    assert out.logs[-1].data == {"count": 80}


def test_broken_and_unknown_lines_are_kept_up_to_a_number_and_counted() -> None:
    lines = [parse_line(b"{"), parse_line(b'{"type":"alien"}')] * 200
    out, state = fold(*lines)
    assert (out.counters["broken"], out.counters["unknown"]) == (200, 200)
    assert (len(out.broken), len(out.unknown)) == (BROKEN_KEPT, UNKNOWN_KEPT)
    assert [line.type for line in out.logs] == ["broken_line"]
    assert state.lines == 400


def test_numbers_nobody_can_mean_make_a_line_broken() -> None:
    out, state = fold(
        e.EpisodeEvent(timestep=10**30),
        e.MetricEvent(name="x", value=1.0, step=-1),
        e.StatusEvent(timestep=2**60),
        e.LogEvent(),
    )
    assert out.counters["broken"] == 3
    assert out.counters["sent"] == out.counters["stored"] == 1
    assert state.timestep == 0


def test_returns_too_large_to_be_added_have_a_mean() -> None:
    lines = [e.EpisodeEvent(return_=1.7e308, steps=1, t=float(i)) for i in range(120)]
    out, state = fold(*lines)
    assert len(out.episodes) == 120
    assert state.mean_reward == 1.7e308
    assert all(math.isfinite(value) for value in (state.best_mean or math.nan, *state.sparkline))


def test_unknown_lines_may_hold_anything_json_can() -> None:
    deep = '{"type":"odd","x":' + "[" * 600 + "]" * 600 + "}"
    texts = ['{"type":"odd","x":' + "9" * 30 + "}", '{"type":"odd","x":"\\udcff"}', deep, '{"type":"metric"}']
    out, state = fold(*(parse_line(text.encode()) for text in texts))
    assert len(out.unknown) == 3
    assert state.lines == 4


def test_text_that_is_not_unicode_spoils_no_line_after_it() -> None:
    out, _ = fold(
        parse_line(b'{"type":"metric","values":{"\\ud800":1}}'), e.MetricEvent(name="loss", value=1.0)
    )
    assert "loss" in out.points
    assert all(name.encode() for name in out.points)


def test_a_file_outside_the_run_folder_is_refused_in_words() -> None:
    for path in ("/etc/passwd", "../x", "a/../../b", "a\\b", "", "x" * 600, "a\x00b"):
        out, _ = fold(e.CheckpointEvent(path=path))
        assert out.files == []
        assert [line.type for line in out.logs] == ["path_refused"]


def test_a_file_of_the_labs_own_is_nobody_elses_to_report() -> None:
    for path in (
        "telemetry.db",
        "./telemetry.db-wal",
        "attempts/1/journal/0",
        "config.json",
        "manifest.json",
        ".",
    ):
        out, _ = fold(e.ArtifactEvent(path=path, kind="video"))
        assert out.files == []
        assert [line.type for line in out.logs] == ["path_refused"]
    out, _ = fold(e.ArtifactEvent(path="files/telemetry.db"))
    assert len(out.files) == 1


def test_a_flood_of_files_and_configs_does_not_flood_the_database() -> None:
    told = FILES_PER_ATTEMPT + 10
    out, _ = fold(*(e.ArtifactEvent(path=f"files/{i}.png", kind="image") for i in range(told)))
    assert len(out.files) == FILES_PER_ATTEMPT
    assert [line.type for line in out.logs if line.level == "warning"] == ["files_left_out"]
    assert out.counters["files_left_out"] == 10
    out, _ = fold(*(e.ConfigEvent(env_id="X", seed=i) for i in range(LOGS_PER_ATTEMPT + 10)))
    assert len(out.logs) == LOGS_PER_ATTEMPT
    assert out.script_config["seed"] == LOGS_PER_ATTEMPT + 9


def test_missing_sequence_numbers_are_counted_as_lost() -> None:
    out, _ = fold(e.LogEvent(seq=0), e.LogEvent(seq=1), e.LogEvent(seq=5))
    assert out.counters["lost"] == 3


def test_fps_and_the_time_left_follow_the_last_seconds() -> None:
    _, state = fold(*[e.StatusEvent(t=T0 + i, timestep=i * 50, total=1000) for i in range(5)])
    progress = state.progress()
    assert progress.fps == 50
    assert progress.eta_s == (1000 - 200) / 50
    assert progress.fraction == 0.2


_numbers = st.one_of(st.none(), st.integers(-5, 10**6), st.integers())
_times = st.one_of(st.none(), st.floats(allow_nan=False), st.floats(T0, T0 + 10))
_events = st.one_of(
    st.builds(e.StepEvent, t=_times, step=st.integers()),
    st.builds(e.EpisodeEvent, t=_times, timestep=_numbers, steps=st.integers(0, 500), return_=st.floats()),
    st.builds(
        e.MetricEvent,
        t=_times,
        step=_numbers,
        values=st.dictionaries(st.text(max_size=5), st.floats(), max_size=3),
    ),
    st.builds(e.LogEvent, t=_times, message=st.text(max_size=20)),
    st.builds(
        e.StatusEvent,
        t=_times,
        timestep=_numbers,
        state=st.sampled_from(["hello", "progress", "paused", "resumed"]),
    ),
    st.builds(e.CheckpointEvent, t=_times, path=st.text(max_size=10), timestep=st.integers()),
    st.builds(e.FinishedEvent, t=_times),
)
_lines = st.lists(
    st.one_of(_events.map(encode_line), st.binary(max_size=30).map(lambda b: b.replace(b"\n", b"") + b"\n"))
)


@settings(max_examples=60, deadline=None)
@given(lines=_lines, cuts=st.sets(st.integers(0, 40)))
def test_the_cut_into_batches_changes_nothing(lines: list[bytes], cuts: set[int]) -> None:
    whole = Fold(RunState(attempt=1), 3)
    whole.add(parse_lines(b"".join(lines)))
    pieces = Fold(RunState(attempt=1), 3)
    parts: list[FoldResult] = []
    edges = [0, *sorted(c for c in cuts if c < len(lines)), len(lines)]
    for start, stop in itertools.pairwise(edges):
        pieces.add(parse_lines(b"".join(lines[start:stop])))
        parts.append(pieces.take())
        # A restart in between: what is remembered goes through the database.
        pieces = Fold(msgspec.convert(msgspec.to_builtins(pieces.state), RunState), 3)
    assert msgspec.to_builtins(pieces.state) == msgspec.to_builtins(whole.state)
    assert _joined(parts) == _joined([whole.take()])


def _joined(parts: list[FoldResult]) -> dict[str, Any]:
    counters: dict[str, int] = {}
    for part in parts:
        for name, count in part.counters.items():
            counters[name] = counters.get(name, 0) + count
    columns: dict[str, list[str]] = {}
    for part in parts:
        for name, points in part.points.items():
            columns.setdefault(name, []).extend(
                map(repr, zip(points.steps, points.times, points.values, strict=True))
            )
    return {
        "counters": counters,
        "points": columns,
        "episodes": [repr(row) for part in parts for row in part.episodes],
        "ticks": [repr(tick) for part in parts for tick in part.ticks],
        "logs": [repr(line) for part in parts for line in part.logs],
        "files": [repr(line) for part in parts for line in part.files],
        "jsonl": [line for part in parts for line in part.jsonl],
        "broken": [line for part in parts for line in part.broken],
    }


def evaluation(step: int, mean: float = 10.0) -> e.EvaluationEvent:
    return e.EvaluationEvent(t=T0, sha256="ab", timestep=step, episodes=5, return_mean=mean)


def test_an_evaluation_alongside_is_a_point_at_the_step_of_its_checkpoint() -> None:
    event = evaluation(400)
    event.return_low, event.return_high = 8.0, "nan"
    out, _ = fold(event)
    points = {name: (lists.steps, lists.values) for name, lists in out.points.items()}
    assert points == {
        "evaluation/return_mean": ([400], [10.0]),
        "evaluation/return_low": ([400], [8.0]),
    }
    assert out.evaluations == [event]
    assert "step 400 evaluated: return 10.0 over 5 episodes" in out.logs[0].message


def test_an_evaluation_that_is_sent_again_after_a_resume_is_one_point() -> None:
    one = Fold(RunState(attempt=1), 10)
    one.add([evaluation(400), evaluation(800)])
    one.state.begin_attempt(2, 800)
    one.add([evaluation(800), evaluation(1200)])
    out = one.take()
    assert out.points["evaluation/return_mean"].steps == [400, 800, 1200]
    one.state.begin_attempt(3, 400)
    one.add([evaluation(800)])
    assert one.take().points["evaluation/return_mean"].steps == [800], "a rewound training is measured again"


def test_an_evaluation_without_a_finite_mean_is_left_out() -> None:
    out, _ = fold(evaluation(400, math.nan), e.EvaluationEvent(timestep=1))
    assert (out.points, out.evaluations) == ({}, [])


def test_a_training_without_episodes_of_its_own_is_summed_up_by_its_evaluations() -> None:
    reference = e.LogEvent(t=T0, message="Normalised score: 0 is a return of 5.", code="score_reference")
    one = Fold(RunState(attempt=1), 10)
    one.add([reference, evaluation(400, 30.0), evaluation(800, 20.0)])
    summary = one.state.summary()
    assert (summary.mean_reward, summary.best_mean_reward, summary.sparkline) == (20, 30, [30, 20])
    assert summary.score_reference == "Normalised score: 0 is a return of 5."
    one.add([e.EpisodeEvent(t=T0, return_=7.0, steps=3)])
    summary = one.state.summary()
    assert (summary.mean_reward, summary.best_mean_reward) == (7, 7), (
        "its own episodes count where it has some"
    )
