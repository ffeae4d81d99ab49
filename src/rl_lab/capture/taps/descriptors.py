"""Passes file descriptors between processes of a script that may not connect sockets.

multiprocessing sends a descriptor through a local socket, and torch sends every shared tensor that way (a DataLoader
with workers). Without sockets the receiver opens it below /proc, while the sender keeps it open.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import tempfile
from types import ModuleType

_kept: dict[str, int] = {}
"""Marker file → the descriptor that stays open until the receiver has removed the marker."""


def tap_sharer(module: ModuleType, session: object = None) -> None:
    """For `multiprocessing.resource_sharer`; nothing changes where sockets may be connected."""
    if not can_connect():
        module.DupFd = HeldDescriptor  # type: ignore[attr-defined]
        os.register_at_fork(after_in_child=_close_all)


class HeldDescriptor:
    """Replaces multiprocessing's DupFd: created by the sender, pickled, `detach`ed once by the receiver."""

    def __init__(self, fd: int) -> None:
        _close_received()
        marker_fd, self._marker = tempfile.mkstemp(prefix="descriptor-")
        os.close(marker_fd)
        held = _kept[self._marker] = os.dup(fd)
        self._path = f"/proc/{os.getpid()}/fd/{held}"
        self._mode = fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE

    def detach(self) -> int:
        fd = os.open(self._path, self._mode | os.O_CLOEXEC)
        os.unlink(self._marker)
        return fd


def _close_received() -> None:
    """Closes descriptors that were received; those still in a queue stay open."""
    for marker in list(_kept):
        if not os.path.exists(marker):
            held = _kept.pop(marker, None)
            if held is not None:
                os.close(held)


def _close_all() -> None:
    """In a forked child: closes the copies of the parent's descriptors."""
    while _kept:
        os.close(_kept.popitem()[1])


def can_connect() -> bool:
    """Whether this process may connect local sockets; tried with a path that does not exist."""
    try:
        with socket.socket(socket.AF_UNIX) as local:
            local.connect("/nowhere")
    except OSError as error:
        return error.errno not in (errno.EACCES, errno.EPERM)
    return True
