"""Progress of a training run: a bar on a terminal, plain lines in a file or a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from rl_lab.cli.output import duration, number
from rl_lab.cli.terminal import make_progress, print
from rl_lab.core.lengths.limits import NO_LIMITS, RunLimits, progress_fraction, seconds_left
from rl_lab.core.words.shown_text import on_one_line

LINE_EVERY_S = 5.0


class Display(Protocol):
    def tick(self, tick: dict[str, Any]) -> None: ...

    def expect(self, total: int) -> None:
        """Sets the total number of steps; some scripts report it only after they start."""
        ...


@contextmanager
def open_display(run: dict[str, Any], quiet: bool) -> Iterator[Display]:
    pace = TrainingPace(
        run["config"]["total_timesteps"],
        limits_in(run["config"]),
        run["progress"]["elapsed_s"],
        unit=f"{run['progress']['unit']}s",
    )
    if quiet:
        yield SilentDisplay()
    elif sys.stderr.isatty():
        with BarDisplay(f"{run['name']}{_expected(run)}", pace) as bar:
            yield bar
    else:
        print(f"Run {run['id']}: {run['name']}{_expected(run)}", file=sys.stderr, flush=True)
        yield LineDisplay(pace)


def _expected(run: dict[str, Any]) -> str:
    """The estimate of a run that ends by time or episodes."""
    config = run["config"]
    steps = config.get("expected_steps")
    return f" (about {steps:,} {run['progress']['unit']}s)" if steps and not config["total_timesteps"] else ""


def limits_in(config: dict[str, Any]) -> RunLimits:
    return RunLimits(config.get("max_seconds") or 0, config.get("max_episodes") or 0)


class SilentDisplay:
    def tick(self, tick: dict[str, Any]) -> None:
        pass

    def expect(self, total: int) -> None:
        pass


class LineDisplay:
    """Prints one line every `LINE_EVERY_S` seconds."""

    def __init__(self, pace: TrainingPace) -> None:
        self._pace = pace
        self._printed_at = -LINE_EVERY_S

    def tick(self, tick: dict[str, Any]) -> None:
        self._pace.update(tick)
        if time.monotonic() - self._printed_at >= LINE_EVERY_S:
            self._printed_at = time.monotonic()
            of = f"/{self._pace.total:,}" if self._pace.total else ""
            share = f"{self._pace.fraction:4.0%}  " if self._pace.has_end else ""
            done = f"{share}{self._pace.timestep:,}{of} {self._pace.unit}"
            print(
                f"{done}  {self._pace.speed_text}  mean reward {number(tick.get('mean_reward'))}"
                f"{self._pace.eta_text('  ')}",
                file=sys.stderr,
                flush=True,
            )

    def expect(self, total: int) -> None:
        self._pace.total = total


class BarDisplay:
    """A progress bar with steps, rate, mean reward and remaining time."""

    def __init__(self, name: str, pace: TrainingPace) -> None:
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn

        self._pace = pace
        self._progress = make_progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[status]}", markup=False),
        )
        self._task = self._progress.add_task(on_one_line(name), total=self._whole, status="starting …")

    def __enter__(self) -> BarDisplay:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def tick(self, tick: dict[str, Any]) -> None:
        self._pace.update(tick)
        status = (
            f"{self._pace.speed_text} · mean reward {number(tick.get('mean_reward'))}"
            f"{self._pace.eta_text(' · ')}"
        )
        self._progress.update(self._task, completed=self._pace.fraction, status=status)

    def expect(self, total: int) -> None:
        self._pace.total = total
        self._progress.update(self._task, total=self._whole)

    @property
    def _whole(self) -> float | None:
        return 1.0 if self._pace.has_end else None


class TrainingPace:
    """Speed of the run and its estimated time of completion."""

    def __init__(
        self, total: int, limits: RunLimits = NO_LIMITS, seconds0: float = 0.0, *, unit: str = "steps"
    ) -> None:
        """`seconds0`: training time before the first tick. `unit`: what is counted."""
        self.unit = unit
        self.total = total
        self.timestep = self.episodes = 0
        self.fps: float | None = None
        self._limits = limits
        self._seconds0 = seconds0
        self._first_at: float | None = None
        self._seconds = seconds0

    def update(self, tick: dict[str, Any]) -> None:
        self.timestep = max(self.timestep, int(tick.get("timestep") or 0))
        self.episodes = max(self.episodes, int(tick.get("episode_count") or 0))
        self.fps = tick.get("fps") or self.fps
        at = tick.get("timestamp")
        if at:
            self._first_at = self._first_at or at
            self._seconds = self._seconds0 + max(0.0, at - self._first_at)

    @property
    def has_end(self) -> bool:
        """Whether it is known when the run ends."""
        return self.total > 0 or self._limits != NO_LIMITS

    @property
    def fraction(self) -> float:
        return progress_fraction(
            self._limits,
            timestep=self.timestep,
            total=self.total,
            seconds=self._seconds,
            episodes=self.episodes,
        )

    @property
    def speed_text(self) -> str:
        return f"{number(self.fps, 0)} {self.unit}/s"

    def eta_text(self, before: str) -> str:
        """The remaining time; empty if the end of the run is unknown."""
        return f"{before}ETA {duration(self.eta_s)}" if self.has_end else ""

    @property
    def eta_s(self) -> float | None:
        is_known = self.fps and self.total
        steps_s = max(0, self.total - self.timestep) / self.fps if self.fps and is_known else None
        return seconds_left(self._limits, steps_s=steps_s, seconds=self._seconds, episodes=self.episodes)
