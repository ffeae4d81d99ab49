"""Commands from the lab: lines of JSON, read by a thread and handled at update boundaries."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from types import FrameType
from typing import Any, Protocol

POLL_S = 0.2
WATCH_LEASE_S = 10.0
"""The lab repeats `watch` before this time is over; after a crash of the lab, drawing ends by itself."""


class StatusSink(Protocol):
    """Reports the worker's status to the lab."""

    def status(self, state: Any, *, timestep: int = ...) -> None: ...


class Control:
    """Flags that the learner checks; setting one never interrupts it."""

    def __init__(self, fd: int = 0) -> None:
        self.stop_requested = False
        self.pause_requested = False
        self.checkpoint_requested = False
        self._watched_until = 0.0
        self._fd = fd
        self._changed = threading.Event()
        threading.Thread(target=self._read_commands, name="control", daemon=True).start()

    @property
    def watched(self) -> bool:
        """Whether there is a viewer, so that frames must be drawn here."""
        return time.monotonic() < self._watched_until

    def stop_on_signal(self) -> None:
        """SIGTERM requests a stop; call from the main thread."""
        signal.signal(signal.SIGTERM, self._on_signal)

    def wait_while_paused(self, telemetry: StatusSink, timestep: int) -> None:
        """Returns when resumed or when a stop is requested."""
        if not self.pause_requested or self.stop_requested:
            return
        telemetry.status("paused", timestep=timestep)
        while self.pause_requested and not self.stop_requested:
            self._changed.wait(POLL_S)
            self._changed.clear()
        if not self.stop_requested:
            telemetry.status("resumed", timestep=timestep)

    def handle(self, command: str) -> None:
        """Unknown commands are ignored, so that an older worker works with a newer lab."""
        if command == "stop":
            self.stop_requested = True
        elif command in ("pause", "resume"):
            self.pause_requested = command == "pause"
        elif command == "checkpoint":
            self.checkpoint_requested = True
        elif command in ("watch", "unwatch"):
            self._watched_until = time.monotonic() + WATCH_LEASE_S if command == "watch" else 0.0
        self._changed.set()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        # Only sets a flag: taking a lock in a signal handler can deadlock; the wait above polls.
        self.stop_requested = True

    def _read_commands(self) -> None:
        rest = b""
        while chunk := self._read():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self.handle(_command_of(line))
            rest = rest[-4096:]

    def _read(self) -> bytes:
        try:
            return os.read(self._fd, 4096)
        except OSError:
            return b""


def _command_of(line: bytes) -> str:
    try:
        command = json.loads(line)
    except ValueError:
        return ""
    return str(command.get("cmd", "")) if isinstance(command, dict) else ""
