"""A training in a process of its own, which can be broken at a chosen step: by a stop or by SIGKILL.

The process is forked before anything was trained, so that libraries are loaded once for all trainings. Its events
come back through a pipe; what a killed process has reported until then arrives like that of any other.
"""

from __future__ import annotations

import os
import random
import select
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

import msgspec

from rl_lab.core.errors import NotReady
from rl_lab.core.job_file import Job
from rl_lab.core.protocol.events import CheckpointEvent, EpisodeEvent, FinishedEvent, MetricEvent, StatusEvent
from rl_lab.core.protocol.lines import Parsed, parse_line
from rl_lab.core.reproduction.break_points import BreakPoint, TrainingSteps
from rl_lab.core.reproduction.event_comparison import ExpectedEvents, metric_values, to_compared
from rl_lab.guardian.processes import die_with_parent
from rl_lab.portable.atomic_files import Save
from rl_lab.portable.control import Control
from rl_lab.worker.failures import report_failure
from rl_lab.worker.runner import Runner
from rl_lab.worker.session import Session
from rl_lab.worker.telemetry import Telemetry

POLL_S = 0.2
CHUNK = 1 << 16
STEPS_FILE = "steps.msgpack"
Reached = Callable[[int], None]


class BreakableSession(Session):
    """Notes the steps at which its learner can stop, and breaks at one of them."""

    metrics_interval_s = 0.0  # every metric is compared

    def __init__(self, job: Job, telemetry: Telemetry, control: Control, point: BreakPoint | None) -> None:
        super().__init__(job, telemetry, control)
        self._point = point
        self.steps = TrainingSteps()

    def boundary(self, timestep: int, save: Save) -> bool:
        self.steps.between_updates.append(timestep)
        return super().boundary(timestep, save)

    def should_stop(self) -> bool:
        asked = self.steps.asked
        if not asked or asked[-1] != self.timestep:
            asked.append(self.timestep)
        if self._point is not None and self.timestep >= self._point.step:
            self._break(self._point)
        return super().should_stop()

    def _break(self, point: BreakPoint) -> None:
        if point.kind == "kill":
            self.telemetry.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        self.control.stop_requested = True


class TrainedPart(msgspec.Struct):
    """What one process reported, from its start or a checkpoint to its end or its break."""

    events: ExpectedEvents
    checkpoints: list[CheckpointEvent] = []
    finished: FinishedEvent | None = None

    @property
    def saved(self) -> list[CheckpointEvent]:
        """Without the best one, which is a copy under another name."""
        return [one for one in self.checkpoints if one.role != "best"]

    def take(self, event: Parsed) -> int | None:
        """Keeps what is compared; returns the step that the training has reached, if the event tells it."""
        if isinstance(event, EpisodeEvent):
            self.events.episodes.append(to_compared(event))
        elif isinstance(event, MetricEvent) and event.step is not None:
            for name, value in metric_values(event).items():
                self.events.series.setdefault(name, {})[event.step] = value
        elif isinstance(event, CheckpointEvent):
            self.checkpoints.append(event)
        elif isinstance(event, FinishedEvent):
            self.finished = event
        return event.timestep if isinstance(event, StatusEvent | EpisodeEvent) else None


class Trainer(NamedTuple):
    """Starts trainings, one process each, as long as its own job is not stopped."""

    runner: Runner
    control: Control
    reached: Reached
    """Called with the step of the training that is running."""

    def train(self, job: Job, point: BreakPoint | None = None) -> TrainedPart | None:
        """One training until it has ended or is broken; None when the job was stopped meanwhile."""
        (job.run_dir / "checkpoints").mkdir(parents=True, exist_ok=True)
        reader, writer = os.pipe()
        sys.stdout.flush(), sys.stderr.flush()
        parent, pid = os.getpid(), os.fork()
        if pid == 0:
            die_with_parent(parent)
            os.close(reader)
            _train(self.runner, job, point, writer)
        os.close(writer)
        part = TrainedPart(ExpectedEvents(end_step=job.train_config.total_timesteps))
        try:
            for line in _lines(reader, self.control):
                step = part.take(parse_line(line))
                if step is not None:
                    self.reached(step)
        finally:
            os.close(reader)
            if self.control.stop_requested:
                os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
        if self.control.stop_requested:
            return None
        _require_good_end(part, os.waitstatus_to_exitcode(status), point)
        return part


def read_steps(run_dir: Path) -> TrainingSteps:
    """What an unbroken training left about its steps."""
    return msgspec.msgpack.decode((run_dir / STEPS_FILE).read_bytes(), type=TrainingSteps)


def _train(runner: Runner, job: Job, point: BreakPoint | None, writer: int) -> NoReturn:
    """The forked process."""
    code, telemetry = 1, Telemetry(writer)
    try:
        control = Control(os.open(os.devnull, os.O_RDONLY))
        control.stop_on_signal()
        _forget_generators()
        session = BreakableSession(job, telemetry, control, point)
        session.checkpoint_suffix = runner.spec.checkpoint_suffix
        runner.train(session)
        (job.run_dir / STEPS_FILE).write_bytes(msgspec.msgpack.encode(session.steps))
        session.report_end()
        session.close()
        code = 0
    except BaseException as error:  # the edge of the process: every end is explained
        report_failure(telemetry, error)
    finally:
        telemetry.close()
        sys.stderr.flush()
        os._exit(code)


def _forget_generators() -> None:
    """The global generators start from entropy, as in a process that was not forked."""
    random.seed()
    if "numpy" in sys.modules:
        import numpy as np

        np.random.seed()


def _lines(reader: int, control: Control) -> Iterator[bytes]:
    rest = b""
    while not control.stop_requested:
        if not select.select([reader], [], [], POLL_S)[0]:
            continue
        chunk = os.read(reader, CHUNK)
        if not chunk:
            return
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines


def _require_good_end(part: TrainedPart, exit_code: int, point: BreakPoint | None) -> None:
    if part.finished is not None and part.finished.outcome == "failed":
        raise NotReady(
            f"A training of the certification failed: {part.finished.message}",
            cause=part.finished.cause or "crashed",
            next_step=part.finished.next_step,
        )
    expected = -signal.SIGKILL if point is not None and point.kind == "kill" else 0
    if exit_code != expected:
        how = f"was killed by signal {-exit_code}" if exit_code < 0 else f"ended with exit code {exit_code}"
        raise NotReady(
            f"A training of the certification {how} where it should not.",
            cause="crashed",
            next_step="Its log says more; certify again.",
        )
