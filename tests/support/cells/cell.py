"""One attempt of the matrix, and what all of them use."""

from __future__ import annotations

import ctypes
import errno
import os
import socket
from collections.abc import Callable
from typing import NamedTuple

REFUSED = frozenset({errno.EACCES, errno.EPERM, errno.ENOSYS, errno.EXDEV})

ABSENT = frozenset({errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.ENOTDIR})
"""Also for devices and files that not every machine has."""


class Cell(NamedTuple):
    """One attempt and what it must meet."""

    group: str
    name: str
    act: Callable[[], object]
    expected: frozenset[int] = REFUSED
    """Error numbers that count as refused."""
    row: str | None = None
    """The row of SECURITY.md that names it; None when it must be refused."""


libc = ctypes.CDLL(None, use_errno=True)


def check(result: int) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read(16)


def write(path: str, flags: int = os.O_WRONLY) -> None:
    os.close(os.open(path, flags, 0o600))


def write_mode(path: str, mode: int) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, mode))


def bind(address: str) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(address)
        one.listen()
