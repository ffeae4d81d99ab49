"""Watching a run from the terminal until it ends; Ctrl-C is passed on to it."""

from __future__ import annotations

import signal
import sys
import threading
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

FAILED, INTERRUPTED = 1, 130
TOTAL_QUESTIONS = 8
"""A script says how long it will train within the first ticks, or never."""
WORDS_OF_STOP = (
    "Stopping with a checkpoint; Ctrl-C again ends it at once.",
    "Ending it at once; Ctrl-C again leaves.",
)


def watch(client: LabClient, run: dict[str, Any], *, quiet: bool) -> bool:
    """Shows the run until it ends; whether it was interrupted by Ctrl-C."""
    from rl_lab.cli.progress import open_display

    stopper = Stopper(client, run["id"])
    questions = TOTAL_QUESTIONS if not run["config"]["total_timesteps"] and not quiet else 0
    with stopper, open_display(run, quiet) as display:
        for name, data in client.stream(f"/api/runs/{run['id']}/stream"):
            if name == "metrics":
                if questions > 0:
                    total = client.get(f"/api/runs/{run['id']}")["progress"]["total_timesteps"]
                    questions = 0 if total else questions - 1
                    display.expect(total)
                display.tick(data)
            elif name == "end":
                break
    return stopper.count > 0


def exit_code(status: str, interrupted: bool) -> int:
    if interrupted:
        return INTERRUPTED
    return FAILED if status in {"failed", "lost"} else 0


class Stopper:
    """Ctrl-C while a run is watched: the first asks it to stop, the second ends it at once, a third leaves."""

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
        words = WORDS_OF_STOP[self.count - 1]
        print(f"\n{words}", file=sys.stderr, flush=True)
        # Not in the handler itself: it must not wait for an answer in the middle of whatever it interrupted.
        threading.Thread(target=self._ask_to_stop, args=(self.count > 1,), daemon=True).start()

    def _ask_to_stop(self, force: bool) -> None:
        from rl_lab.core.errors import LabError

        try:
            self._client.post(f"/api/runs/{self._run_id}/stop", force=force)
        except LabError:
            return  # It has just ended by itself.
