"""Ends the process when its ordered end takes too long: neither a stuck thread nor a client can hold the lab."""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import suppress
from queue import SimpleQueue

END_WITHIN_S = 10.0
FORCED = 1
"""The exit code of a lab that did not end in order."""


class Watchdog:
    """Its thread waits from the start on, because a signal handler must not start one."""

    def __init__(self, end_within_s: float = END_WITHIN_S) -> None:
        self._end_within_s = end_within_s
        # Of all queues only this one may be used in a signal handler.
        self._begun: SimpleQueue[None] = SimpleQueue()
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def begin(self) -> None:
        """The ordered end begins now; further calls change nothing."""
        self._begun.put(None)

    def _watch(self) -> None:
        self._begun.get()
        time.sleep(self._end_within_s)
        with suppress(OSError, ValueError):
            sys.stderr.write(self._report())
            sys.stderr.flush()
        # Each write is a transaction, runs belong to their guardians, and helpers end when their pipe is closed.
        os._exit(FORCED)

    def _report(self) -> str:
        main = threading.main_thread()
        busy = [thread.name for thread in threading.enumerate() if not thread.daemon and thread is not main]
        return (
            f"The lab did not end within {self._end_within_s:.0f} s and was ended at once "
            f"(threads that did not return: {', '.join(busy) or 'none'}). "
            "Nothing that was stored is lost; active runs continue.\n"
        )
