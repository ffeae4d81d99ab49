"""Events on a pipe: numbered, in order, gathered, and sent at once where it matters."""

from __future__ import annotations

import json
import math
import os
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rl_lab.core.protocol.events import MetricEvent
from rl_lab.core.protocol.lines import as_float, parse_line
from rl_lab.worker.telemetry import Telemetry


class Wire:
    def __init__(self) -> None:
        self.read_fd, self.write_fd = os.pipe()
        self.telemetry = Telemetry(self.write_fd)

    def waiting(self) -> list[dict[str, Any]]:
        """What has been written so far."""
        os.set_blocking(self.read_fd, False)
        try:
            return [json.loads(line) for line in os.read(self.read_fd, 1 << 20).splitlines()]
        except BlockingIOError:
            return []

    def next_read(self) -> bytes:
        os.set_blocking(self.read_fd, True)
        return os.read(self.read_fd, 1 << 16)


@pytest.fixture
def wire() -> Iterator[Wire]:
    made = Wire()
    yield made
    made.telemetry.close()
    os.close(made.read_fd)


def test_what_the_lab_acts_on_leaves_at_once(wire: Wire) -> None:
    wire.telemetry.status("hello")
    wire.telemetry.log("warning", "careful")
    wire.telemetry.checkpoint(path="checkpoints/a.zip", timestep=3)
    wire.telemetry.finished("stopped", cause="stopped")
    assert [e["type"] for e in wire.waiting()] == ["status", "log", "checkpoint", "finished"]


def test_other_events_are_gathered_and_leave_by_themselves(wire: Wire) -> None:
    wire.telemetry.metrics({"loss": 1.0}, 1)
    wire.telemetry.episode(steps=3, return_=2.0)
    lines = wire.next_read().splitlines()  # blocks until the flush a moment later
    assert [json.loads(line)["type"] for line in lines] == ["metric", "episode"]


def test_a_full_buffer_does_not_wait(wire: Wire) -> None:
    wire.telemetry.emit_many(MetricEvent(name="x" * 1000, value=1.0) for _ in range(40))
    assert len(wire.waiting()) >= 30


def test_numbers_that_json_lacks_survive(wire: Wire) -> None:
    wire.telemetry.metrics({"loss": math.nan, "kl": -math.inf, "fps": 3}, 7)
    wire.telemetry.flush()
    event = parse_line(json.dumps(wire.waiting()[0]).encode())
    assert isinstance(event, MetricEvent)
    assert math.isnan(as_float(event.values["loss"]))
    assert as_float(event.values["kl"]) == -math.inf
    assert event.values["fps"] == 3


def test_scalars_of_numpy_are_sent_as_numbers(wire: Wire) -> None:
    wire.telemetry.metrics({"loss": np.float32(0.5), "kl": np.float64(2.5), "fps": np.float32("inf")}, 7)
    wire.telemetry.flush()
    assert wire.waiting()[0]["values"] == {"loss": 0.5, "kl": 2.5, "fps": "inf"}


def test_threads_share_one_numbering(wire: Wire) -> None:
    def speak() -> None:
        for index in range(100):
            wire.telemetry.metrics({"loss": index}, index)

    threads = [threading.Thread(target=speak) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wire.telemetry.flush()
    assert [e["seq"] for e in wire.waiting()] == list(range(400))
