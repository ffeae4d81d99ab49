"""Opens files that a user or a program named. Regular files only: a pipe or a device could block the caller."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader

KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISDIR, "a folder"),
)


def open_regular(path: str | os.PathLike[str]) -> BufferedReader:
    """The file, opened for reading; OSError with a plain reason when it is anything but a regular file."""
    # Without O_NONBLOCK, opening a pipe waits for a writer that may never come.
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        mode = os.fstat(fd).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, f"it is {_kind(mode)}, not a file", os.fspath(path))
        return os.fdopen(fd, "rb")
    except OSError:
        os.close(fd)
        raise


def _kind(mode: int) -> str:
    return next((words for is_kind, words in KINDS if is_kind(mode)), "something else")
