"""Files of the lab are for its user only: the mask for new ones, and closing a home folder that is open to others."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from rl_lab.core.errors import NotReady
from rl_lab.guardian.files import PRIVATE_UMASK

_users_umask: int | None = None


@contextmanager
def private_files() -> Iterator[None]:
    """New files of this process, and of its children, can be used by their owner only."""
    global _users_umask
    _users_umask = os.umask(PRIVATE_UMASK)
    try:
        yield
    finally:
        os.umask(_users_umask)
        _users_umask = None


def users_umask() -> int:
    """The mask that the lab was started with, for programs that write the user's own files; -1 = not known."""
    if _users_umask is not None:
        return _users_umask
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    return -1


def open_private(path: Path) -> IO[bytes]:
    """A new, empty file for this user only; for a process that keeps the user's own mask."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, 0o600), "wb")


def close_home(home: Path) -> None:
    """Takes the home folder and what is in it away from others; NotReady where the folder is not ours to close.

    The token is left as it is: one that others could read must not be used any longer.
    """
    found = home.stat()
    if found.st_uid not in (os.geteuid(), 0):
        raise NotReady(
            f"The folder {home} belongs to another user, who could change the lab's token and database.",
            next_step="Name a folder of your own with --home or RL_LAB_HOME.",
        )
    with suppress(PermissionError):
        _close(home, found)
    if home.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise NotReady(
            f"Other users can write to the folder {home}, so they could change the lab's token and database.",
            next_step=f"Close it with `chmod 700 {home}`, or name another one with --home or RL_LAB_HOME.",
        )
    for folder in (home, home / "runs"):
        _close_entries(folder)


def _close_entries(folder: Path) -> None:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name != "token":
                with suppress(OSError):
                    _close(entry, entry.stat(follow_symlinks=False))


def _close(path: Path | os.DirEntry[str], found: os.stat_result) -> None:
    """Only what this user owns; links, pipes and files with a second name stay as they are."""
    is_folder = stat.S_ISDIR(found.st_mode)
    if found.st_uid != os.geteuid() or not (
        is_folder or (stat.S_ISREG(found.st_mode) and found.st_nlink == 1)
    ):
        return
    mode = stat.S_IMODE(found.st_mode)
    # In a lab of root, programs run as another user: the folders above theirs let its group through, and no more.
    allowed = 0o710 if is_folder and mode & stat.S_IRWXG == stat.S_IXGRP else 0o700
    if mode & ~allowed:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            os.fchmod(fd, mode & allowed)
        finally:
            os.close(fd)
