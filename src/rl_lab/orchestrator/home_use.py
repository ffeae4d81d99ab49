"""Which commands are using a home folder, so that the lab started for one of them serves them all.

Each command holds a shared flock on `<home>/commands.lock`. The lab that was started for commands ends when it can
take this lock alone, and keeps it until it has ended: no command meets a lab that is half gone.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from rl_lab.core.errors import LabBusy
from rl_lab.orchestrator.home import LOOK_S, find_server, make_home, open_lock, try_lock

END_S = 30.0
"""How long a lab may take to end."""


class HomeUse:
    """A command's use of the home folder, from its first look for a lab to its last request."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._path = home / "commands.lock"
        self._fd = -1

    def __enter__(self) -> HomeUse:
        make_home(self._home)
        self._fd = open_lock(self._path)
        deadline = time.monotonic() + END_S
        while not try_lock(self._fd, fcntl.LOCK_SH):
            if time.monotonic() > deadline:
                raise LabBusy(
                    f"The lab in {self._home} has been ending for {END_S:.0f} s.",
                    next_step="End its process; active runs continue, and the next lab reattaches to them.",
                )
            time.sleep(LOOK_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._fd)
        if (find_server(self._home) or {}).get("for_commands"):
            self._wait_for_the_end()

    def _wait_for_the_end(self) -> None:
        """The next command line may be `rl-lab serve`, which needs the home folder for itself."""
        lab = open_lock(self._home / "lab.lock")
        deadline = time.monotonic() + END_S
        try:
            while not self._is_used() and not try_lock(lab, fcntl.LOCK_SH) and time.monotonic() < deadline:
                time.sleep(LOOK_S)
        finally:
            os.close(lab)

    def _is_used(self) -> bool:
        """Whether another command is at work: the lock can be shared, but not taken alone."""
        fd = open_lock(self._path)
        try:
            return not try_lock(fd, fcntl.LOCK_EX) and try_lock(fd, fcntl.LOCK_SH)
        finally:
            os.close(fd)


@contextmanager
def turn_to_start(home: Path) -> Iterator[None]:
    """One command at a time starts a lab; the others wait here for the one that they will share."""
    fd = open_lock(home / "start.lock")
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


class NobodyLeft:
    """The other side: the lab's own hold on the lock, which it gets when no command is left."""

    def __init__(self, home: Path) -> None:
        self._fd = open_lock(home / "commands.lock")

    def is_true(self) -> bool:
        """Once true, new commands wait until this process has ended."""
        return try_lock(self._fd, fcntl.LOCK_EX)
