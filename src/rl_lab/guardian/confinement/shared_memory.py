"""A /dev/shm of one's own: what a program leaves in it ends with its last process. Standard library only.

The program gets a view of the file system of its own, in which an empty folder in memory covers /dev/shm. Root may make
one; another user needs a user namespace, in which only that user has a name and files of others belong to “nobody”.
"""

from __future__ import annotations

import ctypes
import os

SHARED_MEMORY = "/dev/shm"  # noqa: S108  POSIX shared memory and semaphores are files in it
NEW_MOUNTS, NEW_USERS = 0x20000, 0x10000000
NOSUID, NODEV, NOEXEC, RECURSIVE, PRIVATE = 2, 4, 8, 1 << 14, 1 << 18

_libc = ctypes.CDLL(None, use_errno=True)


def cover_shared_memory(most: int = 0) -> None:
    """For this process and all it starts; OSError when the kernel refuses. `most`: bytes in it; 0 = as many as before.

    Files in it are memory of no process, so a limit of the processes' memory does not count them.
    """
    there = os.statvfs(SHARED_MEMORY)
    uid, gid = os.geteuid(), os.getegid()
    _check(_libc.unshare(NEW_MOUNTS if uid == 0 else NEW_MOUNTS | NEW_USERS))
    if uid != 0:
        _write("setgroups", "deny")
        _write("uid_map", f"{uid} {uid} 1")
        _write("gid_map", f"{gid} {gid} 1")
    # Nothing mounted here shall appear outside.
    _mount(None, "/", None, RECURSIVE | PRIVATE, "")
    flags = NOSUID | NODEV | (NOEXEC if there.f_flag & os.ST_NOEXEC else 0)
    size = there.f_blocks * there.f_frsize
    _mount("tmpfs", SHARED_MEMORY, "tmpfs", flags, f"mode=1777,size={min(size, most or size)}")


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: str) -> None:
    words = (None if word is None else word.encode() for word in (source, target, kind))
    _check(_libc.mount(*words, ctypes.c_ulong(flags), options.encode()))


def _write(name: str, text: str) -> None:
    fd = os.open(f"/proc/self/{name}", os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
