"""Follows a run in the terminal until it ends; Ctrl-C stops the run."""

from __future__ import annotations

import signal
import sys
import threading
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

    stopper = Stopper(client, run["id"])
    is_script = run["config"]["runner"] in SCRIPTS and not run["config"]["total_timesteps"]
    requests = TOTAL_REQUESTS if is_script and not quiet else 0
    with stopper, open_display(run, quiet) as display:
        for name, data in client.stream(f"/api/runs/{run['id']}/stream"):
            if name == "metrics":
                if requests > 0:
                    total = client.get(f"/api/runs/{run['id']}")["progress"]["total_timesteps"]
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
    """Handles Ctrl-C: the first asks the run to stop, the second kills it, the third exits the command."""

    def __init__(self, client: LabClient, run_id: str) -> None:
        self.count = 0
        self._client = client
        self._run_id = run_id
        self._before: Any = None

    def __enter__(self) -> Stopper:
        self._before = signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _interrupted(self, _signal: int, _frame: FrameType | None) -> None:
        self.count += 1
        if self.count > 2:
            raise KeyboardInterrupt
        print(f"\n{STOP_MESSAGES[self.count - 1]}", file=sys.stderr, flush=True)
        # In a thread: a signal handler must not wait for a response.
        threading.Thread(target=self._ask_to_stop, args=(self.count > 1,), daemon=True).start()

    def _ask_to_stop(self, force: bool) -> None:
        from rl_lab.core.errors import LabError

        try:
            self._client.post(f"/api/runs/{self._run_id}/stop", force=force)
        except LabError:
            return  # The run has ended in the meantime.
