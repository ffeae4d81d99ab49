"""Progress of a training run: a bar on a terminal, plain lines in a file or a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from rl_lab.cli.output import duration, number
from rl_lab.cli.terminal import make_progress, print
from rl_lab.core.words.shown_text import on_one_line

LINE_EVERY_S = 5.0


class Display(Protocol):
    def tick(self, tick: dict[str, Any]) -> None: ...

    def expect(self, total: int) -> None:
        """Sets the total number of steps; some scripts report it only after they start."""
        ...


@contextmanager
def open_display(run: dict[str, Any], quiet: bool) -> Iterator[Display]:
    total = run["config"]["total_timesteps"]
    if quiet:
        yield SilentDisplay()
    elif sys.stderr.isatty():
        with BarDisplay(run["name"], total) as bar:
            yield bar
    else:
        print(f"Run {run['id']}: {run['name']}", file=sys.stderr, flush=True)
        yield LineDisplay(total)


class SilentDisplay:
    def tick(self, tick: dict[str, Any]) -> None:
        pass

    def expect(self, total: int) -> None:
        pass


class LineDisplay:
    """Prints one line every `LINE_EVERY_S` seconds."""

    def __init__(self, total: int) -> None:
        self._pace = TrainingPace(total)
        self._printed_at = -LINE_EVERY_S

    def tick(self, tick: dict[str, Any]) -> None:
        self._pace.update(tick)
        if time.monotonic() - self._printed_at >= LINE_EVERY_S:
            self._printed_at = time.monotonic()
            done = f"{self._pace.timestep:,} steps"
            if self._pace.total:
                done = f"{self._pace.fraction:4.0%}  {self._pace.timestep:,}/{self._pace.total:,} steps"
            print(
                f"{done}  {number(self._pace.fps, 0)} steps/s  mean reward {number(tick.get('mean_reward'))}"
                f"{self._pace.eta_text('  ')}",
                file=sys.stderr,
                flush=True,
            )

    def expect(self, total: int) -> None:
        self._pace.total = total


class BarDisplay:
    """A progress bar with steps, rate, mean reward and remaining time."""

    def __init__(self, name: str, total: int) -> None:
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn

        self._pace = TrainingPace(total)
        self._progress = make_progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[status]}", markup=False),
        )
        self._task = self._progress.add_task(on_one_line(name), total=total or None, status="starting …")

    def __enter__(self) -> BarDisplay:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def tick(self, tick: dict[str, Any]) -> None:
        self._pace.update(tick)
        status = (
            f"{number(self._pace.fps, 0)} steps/s · mean reward {number(tick.get('mean_reward'))}"
            f"{self._pace.eta_text(' · ')}"
        )
        self._progress.update(self._task, completed=self._pace.timestep, status=status)

    def expect(self, total: int) -> None:
        self._pace.total = total
        self._progress.update(self._task, total=total)


class TrainingPace:
    """Speed of the run and its estimated time of completion."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.timestep = 0
        self.fps: float | None = None

    def update(self, tick: dict[str, Any]) -> None:
        self.timestep = max(self.timestep, int(tick.get("timestep") or 0))
        self.fps = tick.get("fps") or self.fps

    @property
    def fraction(self) -> float:
        return min(1.0, self.timestep / self.total) if self.total else 0.0

    def eta_text(self, before: str) -> str:
        """The remaining time; empty if the total number of steps is unknown."""
        return f"{before}ETA {duration(self.eta_s)}" if self.total else ""

    @property
    def eta_s(self) -> float | None:
        if not self.fps or not self.total:
            return None
        return max(0, self.total - self.timestep) / self.fps
