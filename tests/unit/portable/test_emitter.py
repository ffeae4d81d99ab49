"""Lines speak the protocol: what a foreign interpreter writes is what the lab's own reader understands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from rl_lab.core.bounds import MAX_LINE_BYTES
from rl_lab.core.protocol import events
from rl_lab.core.protocol.lines import parse_line
from rl_lab.portable.emitter import Emitter


class Pipe:
    def __init__(self) -> None:
        self._read, write = os.pipe()
        self.lines = Emitter(write, seq=1)

    def heard(self) -> list[Any]:
        self.lines.flush()
        return [parse_line(line) for line in os.read(self._read, 1 << 16).splitlines()]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    pipe.lines.close()


def test_every_kind_of_event_is_read_back(pipe: Pipe) -> None:
    lines = pipe.lines
    lines.config(env_id="CartPole-v1", args={"lr": 0.1}, seed=0)
    lines.episode(
        episode=0, return_=9.5, steps=10, terminated=True, truncated=False, generator=b"", seed=None
    )
    lines.send("steps", episode=1, trace={"start": 3, "count": 2, "actions": b"\0\1"})
    lines.metrics({"loss": 0.5}, 10)
    lines.checkpoint(path="checkpoints/x.pt", timestep=10, role="final")
    lines.artifact(path="files/a.mp4", kind="video")
    lines.log("warning", "hm", "code")
    lines.status("progress", timestep=0, total=None)
    lines.finished("failed", cause="crashed", summary={"mean": float("inf")})
    heard = pipe.heard()
    kinds = [
        events.ConfigEvent,
        events.EpisodeEvent,
        events.StepsEvent,
        events.MetricEvent,
        events.CheckpointEvent,
        events.ArtifactEvent,
    ]
    assert [type(event) for event in heard] == [
        *kinds,
        events.LogEvent,
        events.StatusEvent,
        events.FinishedEvent,
    ]
    assert [event.seq for event in heard] == list(range(1, 10))
    config, episode, steps, metric = heard[:4]
    assert (config.seed, config.args) == (0, {"lr": 0.1})
    assert (episode.return_, episode.truncated, episode.seed) == (9.5, False, None)
    assert (steps.trace.start, steps.trace.actions) == (3, b"\0\1")
    assert metric.values == {"loss": 0.5}
    assert heard[7].timestep == 0
    assert heard[8].summary == {"mean": "inf"}


def test_what_is_no_number_travels_as_text(pipe: Pipe) -> None:
    pipe.lines.metrics({"loss": float("nan"), "kl": float("-inf")}, 1)
    [metric] = pipe.heard()
    assert metric.values == {"loss": "nan", "kl": "-inf"}


def test_values_json_does_not_know_become_text(pipe: Pipe) -> None:
    pipe.lines.config(args={"path": os.fspath, "set": {1}, "odd": "\ud800"})
    [config] = pipe.heard()
    assert config.args["set"] == "{1}"


def test_a_line_that_is_too_long_is_replaced_by_a_warning(pipe: Pipe) -> None:
    pipe.lines.config(args={"text": "x" * MAX_LINE_BYTES})
    pipe.lines.log("info", "next")
    left_out, following = pipe.heard()
    assert "left out" in left_out.message
    assert (left_out.seq, following.seq) == (1, 2)


def test_a_reader_that_went_away_costs_the_script_nothing() -> None:
    read, write = os.pipe()
    lines = Emitter(write)
    os.close(read)
    lines.log("info", "nobody hears this")
    assert lines.is_silent
    lines.metrics({"loss": 1.0}, 1)
    lines.close()
