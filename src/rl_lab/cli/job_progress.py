"""Progress of a job that takes a while: a bar with the remaining time on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from rl_lab.cli.output import bytes_text, duration
from rl_lab.cli.progress import LINE_EVERY_S
from rl_lab.cli.terminal import make_progress, print
from rl_lab.core.words.shown_text import on_one_line


class Advance(Protocol):
    def __call__(self, done: int, total: int, unit: str | None = None) -> None:
        """How much is done, and of how much; a total of 0 is unknown. `unit`: what is counted now, if that changes."""


@contextmanager
def open_job_bar(label: str, *, unit: str = "", quiet: bool = False) -> Iterator[Advance]:
    """Shows the label and how far the job is, on stderr."""
    if quiet:
        yield lambda done, total, unit=None: None
    elif sys.stderr.isatty():
        with _open_rich_bar(label, unit) as advance:
            yield advance
    else:
        print(f"{label} …", file=sys.stderr, flush=True)
        yield JobLines(label, unit).advance


class JobLines:
    """Prints one line every `LINE_EVERY_S` seconds, for a log file or a pipe."""

    def __init__(self, label: str, unit: str, now: Callable[[], float] = time.monotonic) -> None:
        self._label, self._unit, self._now = label, unit, now
        self._started_at = self._printed_at = now()

    def advance(self, done: int, total: int, unit: str | None = None) -> None:
        now = self._now()
        if unit is not None and unit != self._unit:
            self._unit, self._started_at = unit, now
        if not total or now - self._printed_at < LINE_EVERY_S:
            return
        self._printed_at = now
        took = now - self._started_at
        left = took * (total - done) / done if done and took else None
        amount = _amount(done, total, self._unit)
        print(
            f"{self._label}: {done / total:.0%}  {amount}  ETA {duration(left)}", file=sys.stderr, flush=True
        )


def _amount(done: int, total: int, unit: str) -> str:
    if unit == "bytes":
        return f"{bytes_text(done)} of {bytes_text(total)}"
    return f"{done:,} of {total:,} {unit}".rstrip()


@contextmanager
def _open_rich_bar(label: str, unit: str) -> Iterator[Advance]:
    from rich.progress import (
        BarColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[amount]}", markup=False),
        TimeElapsedColumn(),
        TextColumn("ETA"),
        TimeRemainingColumn(),
    )
    with make_progress(*columns) as progress:
        task = progress.add_task(on_one_line(label), total=None, amount="")
        counted = unit

        def advance(done: int, total: int, unit: str | None = None) -> None:
            nonlocal counted
            if unit is not None and unit != counted:
                counted = unit
                progress.reset(task, total=None)
            amount = _amount(done, total, counted) if total else ""
            progress.update(task, completed=done, total=total or None, amount=amount)

        yield advance
