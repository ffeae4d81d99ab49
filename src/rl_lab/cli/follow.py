"""Follows a run in the terminal until it ends; Ctrl-C stops the run."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

from rl_lab.cli.bell import ring
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

FAILED, INTERRUPTED = 1, 130
SCRIPTS = frozenset({"script", "program"})
TOTAL_REQUESTS = 8
"""A script reports its total number of steps within the first ticks, or never."""
STOP_MESSAGES = (
    "Stopping with a checkpoint; press Ctrl-C again to kill the run.",
    "Killing the run; press Ctrl-C again to exit without waiting.",
)


def follow_run(client: LabClient, run: dict[str, Any], *, quiet: bool, bell: bool | None = None) -> bool:
    """Shows the run until it ends, then rings the bell; returns whether the user interrupted it with Ctrl-C."""
    from rl_lab.cli.progress import open_display

    address = f"/api/runs/{run['id']}"
    stopper = Stopper(STOP_MESSAGES, lambda number: client.post(f"{address}/stop", force=number > 1))
    is_script = run["config"]["runner"] in SCRIPTS and not run["config"]["total_timesteps"]
    requests = TOTAL_REQUESTS if is_script and not quiet else 0
    with stopper, open_display(run, quiet) as display:
        for name, data in client.stream(f"{address}/stream"):
            if name == "metrics":
                if requests > 0:
                    total = client.get(address)["progress"]["total_timesteps"]
                    requests = 0 if total else requests - 1
                    display.expect(total)
                display.tick(data)
            elif name == "end":
                break
    interrupted = stopper.count > 0
    if not interrupted:
        ring(bell)
    return interrupted


def exit_code(status: str, interrupted: bool) -> int:
    if interrupted:
        return INTERRUPTED
    return FAILED if status in {"failed", "lost"} else 0


class Stopper:
    """Handles Ctrl-C: each of the first ones asks the lab for more, the one after exits the command."""

    def __init__(self, messages: Sequence[str], ask: Callable[[int], object]) -> None:
        """`messages`: one per Ctrl-C that is not the last; `ask` gets its number, from 1."""
        self.count = 0
        self._messages = messages
        self._ask = ask
        self._before: Any = None

    def __enter__(self) -> Stopper:
        self._before = signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _interrupted(self, _signal: int, _frame: FrameType | None) -> None:
        self.count += 1
        if self.count > len(self._messages):
            raise KeyboardInterrupt
        print(f"\n{self._messages[self.count - 1]}", file=sys.stderr, flush=True)
        # In a thread: a signal handler must not wait for a response.
        threading.Thread(target=self._ask_to_stop, args=(self.count,), daemon=True).start()

    def _ask_to_stop(self, number: int) -> None:
        from rl_lab.core.errors import LabError

        try:
            self._ask(number)
        except LabError:
            return  # It has ended in the meantime.
