"""Steps per second of trainings that take turns: each runs for a quarter of a second while the others are stopped.

A shared machine changes its speed by a third within a minute; taking turns, all of them are slowed down alike. Only the
time in which a training had its turn counts.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench.worker_speed import speed_of, write_job

TURN_S = 0.25
MakeJob = Callable[[str], dict[str, Any]]


class Training:
    """A worker process that may be stopped and continued."""

    def __init__(self, folder: str, make_job: MakeJob, variables: Mapping[str, str]) -> None:
        self._events = Path(folder) / "events"
        with self._events.open("wb") as events:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "rl_lab.worker", str(write_job(folder, make_job))],
                env=dict(variables),
                stdin=subprocess.DEVNULL,
                stdout=events,
                stderr=subprocess.DEVNULL,
            )
        self._process.send_signal(signal.SIGSTOP)
        self._turns: list[tuple[float, float]] = []

    def take_turn(self) -> bool:
        """Whether it continues afterwards."""
        began = time.time()
        self._process.send_signal(signal.SIGCONT)
        try:
            self._process.wait(TURN_S)
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, self._process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        self._turns.append((began, time.time()))
        return self._process.poll() is None

    def speed(self) -> float:
        assert self._process.returncode == 0, self._process.returncode
        return speed_of(self._events.read_bytes(), self._seconds)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _seconds(self, first: float, last: float) -> float:
        """The time between two moments in which it had its turn."""
        return sum(max(0.0, min(end, last) - max(start, first)) for start, end in self._turns)


def speeds_of(jobs: Sequence[MakeJob], variables: Mapping[str, str]) -> list[float]:
    with ExitStack() as stack:
        trainings = []
        for make_job in jobs:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            trainings.append(Training(folder, make_job, variables))
            stack.callback(trainings[-1].kill)
        running = trainings
        while running:
            running = [training for training in running if training.take_turn()]
        return [training.speed() for training in trainings]
