"""Descriptors of a guardian: what it opens, what it inherits and what it passes on. Standard library only."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import time

CLOSE_RANGE_CLOEXEC = 4
FIRST_OTHER = 3
"""The first descriptor after stdin, stdout and stderr."""
LAST = 0xFFFFFFFF
LOCK_TRIES = 20
PIPE_BYTES = 1 << 20

_libc = ctypes.CDLL(None, use_errno=True)


def close_inherited() -> None:
    """Close what the parent left open besides stdin, stdout and stderr; before this process opens anything itself."""
    if not _close_range(0):
        for fd in _others_open():
            with contextlib.suppress(OSError):  # the list itself was one of them
                os.close(fd)


def fill_stdio() -> None:
    """Open descriptors 0 to 2 if they are closed, or a pipe would get one of these numbers."""
    while (fd := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(fd)


def keep_from_exec() -> None:
    """Called before exec: of our descriptors the new program gets stdin, stdout and stderr only."""
    if not _close_range(CLOSE_RANGE_CLOEXEC):
        for fd in _others_open():
            with contextlib.suppress(OSError):
                os.set_inheritable(fd, False)


def take_lock(lock_fd: int) -> bool:
    """Retries for a while: a lab that checks the lock holds it for a moment itself."""
    for _ in range(LOCK_TRIES):
        try:
            fcntl.flock(lock_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.01)
        else:
            return True
    return False


def exists(name: str, folder_fd: int) -> bool:
    try:
        os.stat(name, dir_fd=folder_fd)
    except FileNotFoundError:
        return False
    return True


def open_folder(name: str, folder_fd: int) -> int:
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=folder_fd)
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=folder_fd)


def open_control(folder_fd: int) -> int:
    with contextlib.suppress(FileExistsError):
        os.mkfifo("control", 0o600, dir_fd=folder_fd)
    # For reading and writing, so that it never reports end-of-file when a sender closes it.
    return os.open("control", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder_fd)


def widen(pipe_fd: int) -> None:
    with contextlib.suppress(OSError):  # over this user's limit; the default size works too
        fcntl.fcntl(pipe_fd, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def _close_range(flags: int) -> bool:
    """False where the kernel (before 5.11) or libc has no such call."""
    call = getattr(_libc, "close_range", None)
    return call is not None and call(FIRST_OTHER, ctypes.c_uint(LAST), flags) == 0


def _others_open() -> list[int]:
    return [fd for fd in map(int, os.listdir("/proc/self/fd")) if fd >= FIRST_OTHER]  # noqa: PTH208
