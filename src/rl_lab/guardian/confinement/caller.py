"""A thread whose system call waits for the guardian: its memory, its open files and its working folder."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator

PATH_MAX = 4096
AT_FDCWD = -100
_PATH = os.O_PATH | os.O_CLOEXEC


class Caller:
    """`folder` is the descriptor that relative paths begin at, or the file itself for calls on a descriptor."""

    def __init__(self, thread: int, memory: int, folder: int) -> None:
        self.thread = thread
        self.memory = memory
        self.folder = folder

    def read(self, address: int, size: int) -> bytes:
        """At most `size` bytes of its memory; EFAULT when there are none."""
        try:
            data = os.pread(self.memory, size, address)
        except (OSError, OverflowError):
            data = b""
        if not data and size:
            raise OSError(errno.EFAULT, "not in its memory")
        return data

    def read_exactly(self, address: int, size: int) -> bytes:
        data = self.read(address, size)
        if len(data) < size:
            raise OSError(errno.EFAULT, "not in its memory")
        return data

    def text(self, address: int, most: int = PATH_MAX) -> bytes:
        """A string that ends with a zero byte."""
        text, zero, _ = self.read(address, most).partition(b"\0")
        if not zero:
            raise OSError(errno.ENAMETOOLONG, "too long")
        return text

    def open(self, path: bytes, flags: int) -> int:
        """The file as the caller would find it. Only a descriptor of its place: no pipe or device is opened."""
        for ours, theirs in (
            (b"/proc/self/", b"/proc/%d/"),
            (b"/proc/thread-self/", b"/proc/%d/"),
            (b"/dev/fd/", b"/proc/%d/fd/"),
        ):
            if path.startswith(ours):
                path = theirs % self.thread + path[len(ours) :]
        if not path.startswith(b"/") and self.folder < 0:
            raise OSError(errno.EBADF, "no such folder")
        return os.open(path, _PATH | flags, dir_fd=self.folder if self.folder >= 0 else None)

    def open_folder(self) -> int:
        if self.folder < 0:
            raise OSError(errno.EBADF, "no such descriptor")
        return os.open(f"/proc/self/fd/{self.folder}", _PATH)


@contextlib.contextmanager
def caller(thread: int, descriptor: int) -> Iterator[Caller]:
    """`descriptor` is one of the thread's, or AT_FDCWD for its working folder."""
    place = "cwd" if descriptor == AT_FDCWD else f"fd/{descriptor}"
    memory = os.open(f"/proc/{thread}/mem", os.O_RDONLY | os.O_CLOEXEC)
    try:
        folder = os.open(f"/proc/{thread}/{place}", _PATH)
    except OSError:
        folder = -1  # needed for relative paths only
    try:
        yield Caller(thread, memory, folder)
    finally:
        os.close(memory)
        if folder >= 0:
            os.close(folder)
