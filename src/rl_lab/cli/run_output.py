"""Prints what a run's program prints, while the run lasts."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

LOOK_S = 0.3
TAIL = 5000


@contextmanager
def show_output(client: LabClient, run_id: str, *, quiet: bool) -> Iterator[None]:
    """Prints new lines of the run's log to stdout; the rest follows when the run has ended."""
    if quiet:
        yield
        return
    output, ended = OutputPrinter(client, run_id), threading.Event()
    thread = threading.Thread(target=output.follow, args=(ended,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class OutputPrinter:
    """Remembers which lines of a log are printed; starts with the last `first` lines."""

    def __init__(self, client: LabClient, run_id: str, *, first: int = TAIL) -> None:
        self._client = client
        self._tail = first
        self._address = f"/api/runs/{run_id}/log"
        self._seen: list[str] = []

    def follow(self, ended: threading.Event) -> None:
        from rl_lab.core.errors import LabError

        with contextlib.suppress(LabError):  # the follower of the run reports a lab that went away
            while not ended.wait(LOOK_S):
                self.print_new()
            self.print_new()

    def print_new(self) -> None:
        lines = self._client.get(self._address, tail=self._tail)["lines"]
        for line in new_lines(self._seen, lines):
            print(line, flush=True)
        if lines:
            self._seen, self._tail = lines, TAIL


def new_lines(seen: list[str], lines: list[str]) -> list[str]:
    """The lines after the last seen ones; all lines if the last seen ones are no longer in the tail."""
    if not seen:
        return lines
    last = seen[-20:]
    for end in range(len(lines), len(last) - 1, -1):
        if lines[end - len(last) : end] == last:
            return lines[end:]
    return lines
