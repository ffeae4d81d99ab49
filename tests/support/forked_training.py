"""Trains in a forked process: a new process for every attempt, without loading the libraries each time."""

from __future__ import annotations

import os
import signal
import traceback
from pathlib import Path
from typing import Any, NamedTuple

from rl_lab.core.job_file import Job
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol import events
from rl_lab.core.protocol.lines import parse_line
from rl_lab.portable.control import Control
from rl_lab.runners.registry import load_runner
from rl_lab.worker.repeating.weight_digests import weights_digest
from rl_lab.worker.session import Session
from rl_lab.worker.telemetry import Telemetry


class Attempt(NamedTuple):
    """What one process reported, and how it ended."""

    status: int
    sent: list[Any]

    def of(self, kind: Any) -> list[Any]:
        return [event for event in self.sent if isinstance(event, kind)]

    @property
    def checkpoints(self) -> list[events.CheckpointEvent]:
        return [c for c in self.of(events.CheckpointEvent) if c.role != "best"]

    @property
    def best(self) -> list[tuple[int, Any]]:
        return [(c.timestep, c.score) for c in self.of(events.CheckpointEvent) if c.role == "best"]

    @property
    def episodes(self) -> list[tuple[Any, ...]]:
        return [
            (e.episode, e.env, e.seed, e.steps, e.return_, e.timestep, e.terminated, e.truncated, e.trace)
            for e in self.of(events.EpisodeEvent)
        ]

    def metrics(self, *, without: tuple[str, ...] = ("fps",)) -> dict[tuple[int, str], Any]:
        return {
            (m.step, name): value
            for m in self.of(events.MetricEvent)
            for name, value in m.values.items()
            if name not in without
        }


class InterruptedSession(Session):
    """Stops, pauses or kills its process once a step is reached."""

    def __init__(self, *given: Any, stop_at: int = 0, kill_at: int = 0, pause_at: int = 0) -> None:
        super().__init__(*given)
        self._stop_at, self._kill_at, self._pause_at = stop_at, kill_at, pause_at

    def progress(self, timestep: int, *, now: bool = False) -> None:
        super().progress(timestep, now=now)
        if self._kill_at and timestep >= self._kill_at:
            self.telemetry.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        if self._stop_at and timestep >= self._stop_at:
            self.control.stop_requested = True
        if self._pause_at and timestep >= self._pause_at:
            self._pause_at, self.control.pause_requested = 0, True
            self.control.wait_while_paused = self._continue  # type: ignore[method-assign]

    def _continue(self, *_given: Any) -> None:
        self.control.pause_requested = False


def train(
    run_dir: Path, config: TrainConfig, *, interrupt: dict[str, int] | None = None, **job: Any
) -> Attempt:
    """One attempt at a training in its own process."""
    run_dir.mkdir(parents=True, exist_ok=True)
    events_file = run_dir / f"events-{len(list(run_dir.glob('events-*')))}.jsonl"
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            _work(Job(run_id="r1", config=config, run_dir=run_dir, **job), events_file, interrupt or {})
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    lines = events_file.read_bytes().splitlines()
    return Attempt(status, [parse_line(line) for line in lines])


def resume(run_dir: Path, config: TrainConfig, checkpoint: events.CheckpointEvent, **more: Any) -> Attempt:
    return train(
        run_dir,
        config,
        resume_from=checkpoint.path,
        resume_sha256=checkpoint.sha256,
        timestep0=checkpoint.timestep,
        attempt=more.pop("attempt", 2),
        **more,
    )


def weights_at_end(run_dir: Path) -> str | None:
    model = next(run_dir.glob("model.*"))
    return weights_digest(model)


def _work(job: Job, events_file: Path, interrupt: dict[str, int]) -> None:
    fd = os.open(events_file, os.O_WRONLY | os.O_CREAT)
    telemetry = Telemetry(fd)
    silent, _ = os.pipe()
    session = InterruptedSession(job, telemetry, Control(silent), **interrupt)
    runner = load_runner(job.train_config.runner)
    session.checkpoint_suffix = runner.spec.checkpoint_suffix
    runner.train(session)
    session.report_end()
    telemetry.close()
