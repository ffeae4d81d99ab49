"""CaptureSession: the taps report to it, and it handles the lab's commands to a captured script.

A tap checks `attention` at every environment step and metric, which is cheap, and calls `boundary` when it is set:
a few times a second, and when there is a command.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rl_lab.capture.argument_values import Arguments
from rl_lab.capture.d4rl_standin.dataset_run import find_dataset_run
from rl_lab.capture.files import FileSweep
from rl_lab.capture.metric_names import MetricNames
from rl_lab.capture.script_control import ScriptControl
from rl_lab.portable.emitter import Emitter, Level

PROGRESS_S = 0.25
LOOK_S = 5.0
"""Time between two searches for models, so that those of a function that has returned are still known."""


class Stopped(SystemExit):
    """Raised in the script when the lab requests a stop; like any SystemExit it is not caught by `except Exception`."""


class CaptureSession:
    def __init__(self, job: Mapping[str, Any], lines: Emitter, command_fd: int) -> None:
        self.job = job
        self.config: dict[str, Any] = dict(job.get("config") or {})
        self.params: dict[str, Any] = dict(self.config.get("params") or {})
        self.run_dir = str(job.get("run_dir") or os.getcwd())
        self.telemetry = lines
        self.attention = True
        """Checked by the taps; a plain attribute, since it is read millions of times."""
        self.is_main_process = True
        """False in forked children, where nothing is captured."""
        self.dataset_run = find_dataset_run(job)
        """What the script learns from instead of an environment; None for all others."""
        self.has_environment = False
        self.recorder: Any = None
        """Set by the tap of gymnasium, like `roles`."""
        self.roles: Any = None
        self.models: Any = None
        """The modules and optimisers found last; see `models.py`."""
        self.sweep = FileSweep(self)
        self.stood_in: set[str] = set()
        """Packages for which the script got our stand-in."""
        self.gaps: list[str] = []
        """Warnings to log if no environment is captured."""
        self.script_folder = ""
        self.metrics_seen = 0
        self.outcome: dict[str, Any] | None = None
        """How the script ended, as fields of the `finished` event; None while it runs."""
        self.on_end: list[Callable[[], object]] = []
        """Called before `finished` is sent: taps that have pending values."""
        self._known_config: dict[str, Any] = {}
        self._names = MetricNames()
        self.arguments = Arguments(self)
        self._metric_step = 0
        self._total: int | None = int(self.config.get("total_timesteps") or 0) or None
        self._last_progress = self._last_look = 0.0
        self._is_in_boundary = False
        self._stop_raised_at: float | None = None
        self._logged: set[str] = set()
        self._snapshot_knows_numpy: bool | None = None
        self._next_checkpoint: int | None = self.config.get("checkpoint_every")
        self._main_thread = threading.main_thread()
        self._has_finished = self._has_last_checkpoint = False
        self.pid = os.getpid()
        os.register_at_fork(after_in_child=self._on_fork)
        self.control = ScriptControl(command_fd, self)

    @property
    def timestep(self) -> int:
        """The step given with the script's metrics, or the steps of its environments, whichever is larger.

        A script that learns from a dataset counts updates: the environments are only there for evaluations.
        """
        stepped = self.recorder.timestep if self.recorder is not None else 0
        if self.dataset_run is not None:
            stepped = self.dataset_run.updates
        return max(stepped, self._metric_step)

    @property
    def total(self) -> int | None:
        return self._total

    def boundary(self) -> None:
        """Between two steps of the script: reports, saves, pauses; raises Stopped when a stop is requested."""
        if not self.attention or self._is_in_boundary or not self.is_main_process:
            return
        self._is_in_boundary = True
        try:
            self.attention = False
            if self.roles is not None:
                self.roles.review()
            self._report_progress()
            self._find_models()
            self._handle_commands()
        finally:
            self._is_in_boundary = False

    def after_episode(self) -> None:
        """A checkpoint that is due is saved at the next step; a fast script makes many between two boundaries."""
        if self._next_checkpoint is not None and self.timestep >= self._next_checkpoint:
            self.attention = True

    def interrupt(self) -> None:
        """The same from a signal handler, when the script makes no steps; not during a boundary or a write."""
        if self._is_in_boundary or self.telemetry.is_busy or not self.is_main_process:
            return
        if self.outcome is not None and self.control.stop_requested:
            from rl_lab.capture.endings import stopped

            self.outcome = stopped(self)
            os._exit(0)  # wrapped: sends `finished`
        self.attention = True
        self.boundary()

    @property
    def is_answering(self) -> bool:
        return self._is_in_boundary

    def report_config(self, **what: Any) -> None:
        """Add fields of the config event; if any is new, the event is sent again with all that is known."""
        before = dict(self._known_config)
        self._known_config.update({name: value for name, value in what.items() if value is not None})
        if "env_id" in what:
            self.has_environment = True
            self.arguments.read_again()
        if self._known_config != before:
            self._announce()

    def report_arguments(self, arguments: Any) -> None:
        """The result of a command-line parser of the script, or another object with its settings."""
        self.arguments.add(arguments)

    def set_total(self, total: Any, *, is_guess: bool = False) -> None:
        """The length of the training; a guess does not replace what is known."""
        if type(total) is int and total > 0 and not (is_guess and self._total):
            self._total = total

    def metrics(self, values: Mapping[str, Any], step: Any = None, source: str = "") -> None:
        """Values the script logged, under its own names and, where there is one, the lab's; `source`: with what."""
        if not self.is_main_process:
            return
        at = _as_step(step)
        if at is not None:
            self._metric_step = max(self._metric_step, at)
        if self.dataset_run is None or self.dataset_run.keeps(values, self.timestep):
            is_sb3 = "stable_baselines3" in sys.modules
            numbers = self._names.values(
                values, has_episodes=self.has_environment, is_sb3=is_sb3, source=source
            )
            if numbers:
                self._send_metrics(numbers, len(values), self.timestep if at is None else at)
        if self.gaps:
            self.log_gaps()
        if self.attention:
            self.boundary()

    def _send_metrics(self, numbers: dict[str, float], count: int, step: int) -> None:
        if not self.metrics_seen:
            self.arguments.read_again()
        self.metrics_seen += count
        self.telemetry.metrics(numbers, step, self._names.take_sources())

    def log_gaps(self) -> None:
        if not self.has_environment:
            for message in self.gaps:
                self.not_captured(message)
        self.gaps.clear()

    def log_once(self, code: str, message: str, level: Level = "warning") -> None:
        if message not in self._logged and self.is_main_process:
            self._logged.add(message)
            self.telemetry.log(level, message, code)

    def not_captured(self, message: str) -> None:
        """Log a warning, once, about something the lab cannot capture."""
        self.log_once("not_captured", message)

    def relative(self, path: str) -> str | None:
        """A path as in events, relative to the run folder; None when it is outside."""
        root, real = os.path.realpath(self.run_dir), os.path.realpath(path)
        return os.path.relpath(real, root) if real.startswith(root + os.sep) else None

    def save_checkpoint(self, role: str, frames: Sequence[Any] = (), *, is_asked: bool = True) -> None:
        """`is_asked`: a checkpoint was requested, so it is logged when there is nothing to save."""
        from rl_lab.capture.checkpoints import save_checkpoint

        save_checkpoint(self, role, frames, is_asked=is_asked)
        every = self.config.get("checkpoint_every")
        self._next_checkpoint = self.timestep + every if every else None

    def save_last_checkpoint(self, frames: Sequence[Any] = ()) -> None:
        """Once, when the script has ended; a stop has saved its own."""
        if self._has_last_checkpoint or self._stop_raised_at is not None or self.outcome is None:
            return
        self._has_last_checkpoint = True
        is_well = self.outcome["outcome"] == "succeeded"
        self.save_checkpoint(
            "final" if is_well else "stop", frames, is_asked=is_well and self.has_environment
        )

    def send_finished(self) -> None:
        """Report the files and send `finished`; only the first call does anything."""
        if self._has_finished or os.getpid() != self.pid:
            return
        self._has_finished = True
        from rl_lab.capture.endings import finish_run

        self.send_snapshot()
        finish_run(self)
        self.telemetry.close()

    def _announce(self) -> None:
        from rl_lab.capture.to_json import loaded_versions
        from rl_lab.portable.machine import describe_hardware

        self.telemetry.config(
            run_id=self.job.get("run_id"),
            algo=self.config.get("algorithm"),
            versions=loaded_versions(),
            hardware=describe_hardware(),
            **self._known_config,
        )
        self.send_snapshot()

    def send_snapshot(self) -> None:
        """Once, and again when numpy was loaded since: it is a part of the fingerprint."""
        known = "numpy" in sys.modules
        if self._snapshot_knows_numpy is None or known > self._snapshot_knows_numpy:
            from rl_lab.portable.snapshot import take_snapshot

            self._snapshot_knows_numpy = known
            self.telemetry.send("snapshot", data=take_snapshot())

    def _report_progress(self, *, now: bool = False) -> None:
        clock = time.monotonic()
        if now or clock - self._last_progress >= PROGRESS_S:
            self._last_progress = clock
            if self.timestep:
                self.telemetry.status("progress", timestep=self.timestep, total=self._total)

    def _find_models(self) -> None:
        clock = time.monotonic()
        if clock - self._last_look >= LOOK_S and "torch" in sys.modules:
            self._last_look = clock
            from rl_lab.capture.models import keep_models

            keep_models(self)

    def _handle_commands(self) -> None:
        control = self.control
        if control.stop_requested:
            self._stop()
            return
        every = self._next_checkpoint
        if control.checkpoint_requested or (every is not None and self.timestep >= every):
            control.checkpoint_requested = False
            self.save_checkpoint("interval")
        if control.pause_requested:
            # The process may be killed during a pause, so a checkpoint is saved first.
            self.save_checkpoint("interval")
            control.wait_while_paused(self.telemetry, self.timestep)
            if control.stop_requested:
                self._stop()

    def _stop(self) -> None:
        if threading.current_thread() is not self._main_thread:
            return  # SystemExit would end this thread only; the main thread gets a signal
        if self._stop_raised_at is None:
            self.telemetry.status("stopping", timestep=self.timestep)
            self.save_checkpoint("stop")
        self._stop_raised_at = time.monotonic()
        raise Stopped(0)

    @property
    def stop_raised_s_ago(self) -> float | None:
        return None if self._stop_raised_at is None else time.monotonic() - self._stop_raised_at

    def _on_fork(self) -> None:
        self.is_main_process = False


def read_job(path: str) -> dict[str, Any]:
    with open(path, "rb") as file:
        job = json.load(file)
    return job if isinstance(job, dict) else {}


def _as_step(step: Any) -> int | None:
    """A step the script gave with a metric; None when it is not a valid number."""
    try:
        number = int(step)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if 0 <= number < 1 << 53 else None
