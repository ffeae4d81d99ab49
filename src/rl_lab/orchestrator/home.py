"""The home folder of one lab process: the lock, and the address of its server."""

from __future__ import annotations

import fcntl
import json
import os
import time
from pathlib import Path
from typing import Any

from rl_lab.core.errors import LabBusy, NotReady
from rl_lab.orchestrator.private_files import close_home

PATIENCE_S = 0.5
"""A lab that is ending, and a command that looks whether it has ended, hold the lock for a moment only."""
LOOK_S = 0.01


class HomeLock:
    """An exclusive flock on `<home>/lab.lock`; it ends with the process, so it cannot be left behind.

    The file has the number of the last process that took it.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self._fd = -1

    def take(self) -> None:
        """Also makes the folder and closes it to other users."""
        make_home(self._home)
        close_home(self._home)
        fd = open_lock(self._home / "lab.lock")
        deadline = time.monotonic() + PATIENCE_S
        while not try_lock(fd, fcntl.LOCK_EX):
            if time.monotonic() > deadline:
                os.close(fd)
                raise busy(self._home)
            time.sleep(LOOK_S)
        os.ftruncate(fd, 0)
        os.write(fd, str(os.getpid()).encode())
        self._fd = fd

    def release(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def find_holder(home: Path) -> int | None:
    """The process of the lab that holds the lock, 0 when its number is not known; None when nobody holds it."""
    fd = open_lock(home / "lab.lock")
    try:
        if try_lock(fd, fcntl.LOCK_SH):
            return None
        written = os.read(fd, 20)
    finally:
        os.close(fd)
    return int(written) if written.isdigit() else 0


def is_starting(home: Path) -> bool:
    """Whether a lab holds the lock that has not written its address: it is starting, or about to end."""
    holder = find_holder(home)
    return holder is not None and (find_server(home) or {}).get("pid") != holder


def open_lock(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def try_lock(fd: int, kind: int) -> bool:
    try:
        fcntl.flock(fd, kind | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def make_home(home: Path) -> None:
    try:
        for folder in (home, home / "runs", home / "cache", home / "trash"):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise NotReady(
            f"The folder {home} cannot be created: {error.strerror}.",
            next_step="Name another one with --home or RL_LAB_HOME.",
        ) from None


def write_server(home: Path, url: str, *, for_commands: bool = False) -> None:
    """Writes the address of the server for the command line, and whether it ends with the commands that use it."""
    aside = home / f".server-{os.getpid()}.json"
    aside.write_text(json.dumps({"url": url, "pid": os.getpid(), "for_commands": for_commands}))
    aside.replace(home / "server.json")


def find_server(home: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((home / "server.json").read_text())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def forget_server(home: Path) -> None:
    found = find_server(home)
    if found is not None and found.get("pid") == os.getpid():
        (home / "server.json").unlink(missing_ok=True)


def boot_id() -> str:
    """Changes with each boot; empty where the system has no such id."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def busy(home: Path) -> LabBusy:
    found, holder = find_server(home) or {}, find_holder(home)
    if holder and found.get("pid") != holder:
        return LabBusy(
            f"A lab (process {holder}) is starting in {home} and does not answer yet.",
            next_step="Try again when it has started, or end that process.",
        )
    where = f" at {found['url']}" if found.get("url") else ""
    who = f" (process {found['pid']})" if found.get("pid") else ""
    return LabBusy(f"Another lab{who} is using {home}{where}.", next_step=_way_out(found))


def _way_out(found: dict[str, Any]) -> str:
    if found.get("for_commands"):
        return "It was started for a command in another terminal and ends with it; try again then."
    return f"Open {found['url']}" if found.get("url") else "End it first, or name another --home."
