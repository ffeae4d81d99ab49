"""Progress of a job that takes a while: a bar with the remaining time on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rl_lab.cli.output import bytes_text, duration
from rl_lab.cli.progress import LINE_EVERY_S
from rl_lab.cli.terminal import make_progress, print
from rl_lab.core.words.shown_text import on_one_line

Advance = Callable[[int, int], None]
"""Called with how much is done and the total; a total of 0 is unknown."""


@contextmanager
def open_job_bar(label: str, *, unit: str = "", quiet: bool = False) -> Iterator[Advance]:
    """Shows the label and how far the job is, on stderr."""
    if quiet:
        yield lambda done, total: None
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

    def advance(self, done: int, total: int) -> None:
        now = self._now()
        if not total or now - self._printed_at < LINE_EVERY_S:
            return
        self._printed_at = now
        left = (now - self._started_at) * (total - done) / done if done else None
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
        DownloadColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        *((DownloadColumn(),) if unit == "bytes" else (MofNCompleteColumn(), TextColumn(unit, markup=False))),
        TimeElapsedColumn(),
        TextColumn("ETA"),
        TimeRemainingColumn(),
    )
    with make_progress(*columns) as progress:
        task = progress.add_task(on_one_line(label), total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total or None)
