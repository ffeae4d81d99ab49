"""Opens a path inside a directory without following links: openat2 on Linux, one component at a time elsewhere."""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import sys

from rl_lab.core.errors import Forbidden, NotFound

MAX_PATH = 1024
LINK_ERRORS = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EXDEV, errno.EMLINK})
"""Error codes for a link in a path that must not contain one."""

_SYS_OPENAT2 = 437
"""The same number on all Linux architectures."""
_RESOLVE = 0x02 | 0x04 | 0x08
"""NO_MAGICLINKS, NO_SYMLINKS, BENEATH."""
_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EPERM, errno.E2BIG, errno.EINVAL})
"""Error codes of old kernels and strict sandboxes that do not allow the call at all."""


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


def split_path(path: str) -> list[str]:
    """The components of a relative path; raises Forbidden unless they are plain names joined by single slashes."""
    parts = path.split("/")
    plain = path.isprintable() and "\\" not in path and len(path) <= MAX_PATH
    if not plain or any(part in ("", ".", "..") or len(os.fsencode(part)) > 255 for part in parts):
        raise Forbidden("This path is not inside the run's folder.")
    return parts


def open_beneath(folder: int, parts: list[str], flags: int) -> int:
    """A descriptor of the file at `parts` inside the directory `folder`; raises OSError like open(2)."""
    flags |= os.O_CLOEXEC | os.O_NOFOLLOW
    if sys.platform == "linux":
        try:
            return _openat2(folder, "/".join(parts), flags)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
    return open_by_component(folder, parts, flags)


def open_by_component(folder: int, parts: list[str], flags: int) -> int:
    """The portable implementation: opens one component after another; none may be a link."""
    above = os.dup(folder)
    try:
        for name in parts[:-1]:
            below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above)
            os.close(above)
            above = below
        return os.open(parts[-1], flags | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=above)
    finally:
        os.close(above)


def _openat2(folder: int, path: str, flags: int) -> int:
    how = _OpenHow(flags=flags, mode=0, resolve=_RESOLVE)
    fd = int(
        ctypes.CDLL(None, use_errno=True).syscall(
            _SYS_OPENAT2, folder, os.fsencode(path), ctypes.byref(how), ctypes.sizeof(how)
        )
    )
    if fd < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), path)
    return fd


def open_plain(folder: int, parts: list[str], missing: str) -> int:
    """A descriptor for reading a regular file inside `folder`; NotFound with the message `missing`, else Forbidden."""
    path = "/".join(parts)
    try:
        # Non-blocking, because opening a named pipe would block the server.
        fd = open_beneath(folder, parts, os.O_RDONLY | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(missing) from None
    except OSError as error:
        raise Forbidden(f"“{path}” cannot be opened: {os.strerror(error.errno or 0)}.") from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise Forbidden(f"“{path}” is not a regular file.")
    return fd
