"""The emitter of captured scripts writes lines that the lab's own reader understands."""

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
        self.emitter = Emitter(write, seq=1)

    def received(self) -> list[Any]:
        self.emitter.flush()
        return [parse_line(line) for line in os.read(self._read, 1 << 16).splitlines()]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    pipe.emitter.close()


def test_every_kind_of_event_is_read_back(pipe: Pipe) -> None:
    emitter = pipe.emitter
    emitter.config(env_id="CartPole-v1", args={"lr": 0.1}, seed=0)
    emitter.episode(
        episode=0, return_=9.5, steps=10, terminated=True, truncated=False, generator=b"", seed=None
    )
    emitter.send("steps", episode=1, trace={"start": 3, "count": 2, "actions": b"\0\1"})
    emitter.metrics({"loss": 0.5}, 10)
    emitter.checkpoint(path="checkpoints/x.pt", timestep=10, role="final")
    emitter.artifact(path="files/a.mp4", kind="video")
    emitter.log("warning", "hm", "code")
    emitter.status("progress", timestep=0, total=None)
    emitter.finished("failed", cause="crashed", summary={"mean": float("inf")})
    received = pipe.received()
    kinds = [
        events.ConfigEvent,
        events.EpisodeEvent,
        events.StepsEvent,
        events.MetricEvent,
        events.CheckpointEvent,
        events.ArtifactEvent,
    ]
    assert [type(event) for event in received] == [
        *kinds,
        events.LogEvent,
        events.StatusEvent,
        events.FinishedEvent,
    ]
    assert [event.seq for event in received] == list(range(1, 10))
    config, episode, steps, metric = received[:4]
    assert (config.seed, config.args) == (0, {"lr": 0.1})
    assert (episode.return_, episode.truncated, episode.seed) == (9.5, False, None)
    assert (steps.trace.start, steps.trace.actions) == (3, b"\0\1")
    assert metric.values == {"loss": 0.5}
    assert received[7].timestep == 0
    assert received[8].summary == {"mean": "inf"}


def test_nan_and_infinities_are_sent_as_text(pipe: Pipe) -> None:
    pipe.emitter.metrics({"loss": float("nan"), "kl": float("-inf")}, 1)
    [metric] = pipe.received()
    assert metric.values == {"loss": "nan", "kl": "-inf"}


def test_values_json_has_no_type_for_become_text(pipe: Pipe) -> None:
    pipe.emitter.config(args={"path": os.fspath, "set": {1}, "odd": "\ud800"})
    [config] = pipe.received()
    assert config.args["set"] == "{1}"


def test_a_line_that_is_too_long_is_replaced_by_a_warning(pipe: Pipe) -> None:
    pipe.emitter.config(args={"text": "x" * MAX_LINE_BYTES})
    pipe.emitter.log("info", "next")
    left_out, following = pipe.received()
    assert "left out" in left_out.message
    assert (left_out.seq, following.seq) == (1, 2)


def test_a_script_continues_when_the_reader_is_gone() -> None:
    read, write = os.pipe()
    emitter = Emitter(write)
    os.close(read)
    emitter.log("info", "not read by anything")
    assert emitter.is_silent
    emitter.metrics({"loss": 1.0}, 1)
    emitter.close()
