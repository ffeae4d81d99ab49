"""What the program must not have itself, and what it may do: each of these is named in SECURITY.md."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
from typing import Any

from .cell import ABSENT, REFUSED, Cell, bind, read, write, write_mode
from .rows import (
    LISTENS,
    LOCKS,
    READS_SYSTEM,
    SEES_NAMES,
    SEES_PROC,
    SHARES_MEMORY,
    USES_FOLDERS,
    USES_MACHINE,
)


def own(at: Any) -> list[Cell]:
    """What it must not have or regain itself."""

    def capabilities() -> None:
        if int(_status("CapEff"), 16) == 0 and _status("NoNewPrivs") == "1":
            raise PermissionError(errno.EPERM, "it has none")

    def descriptors() -> None:
        if at.descriptors <= {0, 1, 2}:
            raise PermissionError(errno.EPERM, "only its own")

    def larger_file() -> None:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 50, 1 << 50))
        except ValueError:
            raise PermissionError(errno.EPERM, "not allowed") from None

    return [
        Cell("own", "capabilities", capabilities),
        Cell("own", "descriptors of the guardian", descriptors),
        # A user namespace knows no other user: EINVAL.
        Cell("own", "another user", lambda: os.setuid(12345), REFUSED | {errno.EINVAL}),
        Cell("own", "another group", lambda: os.setgroups([0, 12345])),
        Cell("own", "a larger file", larger_file),
        Cell("own", "type into the terminal", lambda: fcntl.ioctl(0, 0x5412, b"x")),
        Cell("own", "the terminal", lambda: write("/dev/tty", os.O_RDWR), REFUSED | ABSENT),
    ]


def _status(name: str) -> str:
    with open("/proc/self/status") as file:
        return dict(line.split(":\t", 1) for line in file.read().splitlines())[name].strip()


def open_ones(at: Any) -> list[Cell]:
    """Each is named in SECURITY.md."""
    none: frozenset[int] = frozenset()
    script = at.project + "/train.py"

    def lock() -> None:
        with open(script) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    return [
        Cell("open", "size of the token", lambda: os.stat(at.home + "/token"), none, SEES_NAMES),
        Cell("open", "target of a link", lambda: os.readlink(at.own + "/link"), none, SEES_NAMES),
        Cell("open", "command line", lambda: read(f"/proc/{at.neighbour}/cmdline"), none, SEES_PROC),
        Cell("open", "status", lambda: read(f"/proc/{at.neighbour}/status"), none, SEES_PROC),
        Cell(
            "open", "number of descriptors", lambda: os.listdir(f"/proc/{at.neighbour}/fd"), none, SEES_PROC
        ),
        Cell("open", "keys", lambda: read("/proc/keys"), ABSENT, SEES_PROC),
        Cell("open", "local sockets", lambda: read("/proc/net/unix"), ABSENT, SEES_PROC),
        Cell("open", "hardware", lambda: os.listdir("/sys/class"), ABSENT, SEES_PROC),
        Cell("open", "accounts", lambda: read("/etc/passwd"), none, READS_SYSTEM),
        Cell("open", "libraries", lambda: os.listdir("/usr/lib"), none, READS_SYSTEM),
        Cell("open", "memory", lambda: bytearray(64 << 20), none, USES_MACHINE),
        Cell(
            "open",
            "an allowed folder",
            lambda: write_mode(at.run + "/scratch/new", 0o644),
            none,
            USES_FOLDERS,
        ),
        Cell(
            "open",
            "shared memory of a neighbour",
            lambda: write(at.shared_file, os.O_RDWR),
            none,
            SHARES_MEMORY,
        ),
        Cell("open", "a lock", lock, none, LOCKS),
        Cell("open", "a local server", lambda: bind("own-socket"), none, LISTENS),
        Cell("open", "an abstract local server", lambda: bind(f"\0rl-lab-{os.getpid()}"), none, LISTENS),
    ]
