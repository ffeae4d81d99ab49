"""Removes what a program left in /dev/shm, where it has no such folder of its own. Standard library only.

Other programs of the same user keep files there too. Only files are removed that a process of the tree had open for
writing right after they appeared, and that no process uses any more: nothing else tells who made a file.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import struct
from collections.abc import Iterator

from rl_lab.guardian.processes import all_pids, living_descendants, read_or_nothing

FOLDER = b"/dev/shm"
CREATED, MOVED_TO = 0x100, 0x80
EVENT = struct.Struct("iIII")
BUFFER = 64 << 10
MOST_FILES = 10_000
"""More are not followed."""
READ_ONLY, ACCESS = 0, 3

File = tuple[int, int]
"""Device and number of a file: a name can be given to another file."""

_libc = ctypes.CDLL(None, use_errno=True)


class LeftMemory:
    def __init__(self) -> None:
        self.events: int = _libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        """Readable when a file appeared; -1 where the kernel does not report it."""
        if self.events >= 0:
            _libc.inotify_add_watch(self.events, FOLDER, CREATED | MOVED_TO)
        self._ours: dict[bytes, File] = {}

    def look(self) -> None:
        """Note which of the files that appeared a process of ours is writing."""
        wanted = {file: name for name in set(self._appeared()) if (file := _file(FOLDER + b"/" + name))}
        if not wanted or len(self._ours) > MOST_FILES:
            return
        for pid in living_descendants(os.getpid()):
            for file in _written(pid):
                if file in wanted:
                    self._ours[wanted[file]] = file

    def remove(self) -> None:
        """Called when no process of the tree is left."""
        ours = {name: file for name, file in self._ours.items() if _file(FOLDER + b"/" + name) == file}
        used = set().union(*map(_used, all_pids())) if ours else set()
        for name, file in ours.items():
            if file not in used:
                with contextlib.suppress(OSError):
                    os.unlink(FOLDER + b"/" + name)  # noqa: PTH108  no pathlib in the guardian

    def _appeared(self) -> Iterator[bytes]:
        with contextlib.suppress(OSError):  # nothing to read
            data = os.read(self.events, BUFFER)
            while data:
                end = EVENT.size + EVENT.unpack_from(data)[3]
                yield data[EVENT.size : end].rstrip(b"\0")
                data = data[end:]


def _file(path: str | bytes) -> File | None:
    """None unless it is a regular file; text is a link below /proc, which is followed."""
    try:
        found = os.stat(path, follow_symlinks=isinstance(path, str))  # noqa: PTH116
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _written(pid: int) -> Iterator[File]:
    for number in _descriptors(pid):
        flags = read_or_nothing(f"/proc/{pid}/fdinfo/{number}").partition(b"flags:")[2].split()
        if flags and int(flags[0], 8) & ACCESS != READ_ONLY and (file := _file(f"/proc/{pid}/fd/{number}")):
            yield file


def _used(pid: int) -> set[File]:
    """Files of the folder that a process has open or mapped; a closed descriptor leaves its mapping."""
    found = {_file(f"/proc/{pid}/fd/{number}") for number in _descriptors(pid)}
    for line in read_or_nothing(f"/proc/{pid}/maps").splitlines():
        fields = line.split(None, 5)
        if len(fields) == 6 and fields[5].startswith(FOLDER):
            found.add(_file(fields[5]))
    return {file for file in found if file is not None}


def _descriptors(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/fd")  # noqa: PTH208
    except OSError:
        return []
