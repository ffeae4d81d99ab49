"""seccomp notifications: system calls of a confined program that wait for the guardian's answer. Standard library only.

The kernel gives the process that installs the filter a descriptor, the listener. The confined child sends it to the
guardian before it executes the program, and keeps none.
"""

from __future__ import annotations

import _socket  # the module `socket` takes longer to import than all the rest of the guardian
import contextlib
import fcntl
import os
import select
import struct
from typing import NamedTuple

RECEIVE, SEND, IS_VALID = 0xC0502100, 0xC0182101, 0x40082102
_REQUEST = struct.Struct("=QIIiIQ6Q")
"""id, thread, flags, number of the call, architecture, address of the instruction, arguments."""
_ANSWER = struct.Struct("=QqiI")
"""id, result, negative error number, flags. The flag that lets the call continue is never used: its arguments could be
changed after they were checked."""
_USER = struct.Struct("=II")


class HandedOver(NamedTuple):
    """What the child sends: its listener, and the user it had become when it was confined."""

    listener: int
    user: int
    group: int


class Notification(NamedTuple):
    """A system call of a thread that waits for its result."""

    id: int
    thread: int
    number: int
    arguments: tuple[int, ...]


def channel() -> tuple[_socket.socket, _socket.socket]:
    """The guardian's end and the child's end."""
    return _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)


def hand_over(channel: _socket.socket, listener: int) -> None:
    descriptors = struct.pack("=i", listener)
    user = _USER.pack(os.geteuid(), os.getegid())
    channel.sendmsg([user], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, descriptors)])


def take_over(channel: _socket.socket) -> HandedOver | None:
    """Waits until the child has sent its listener, or has closed its end without one: then None."""
    data, ancillary, _, _ = channel.recvmsg(_USER.size, _socket.CMSG_SPACE(4), _socket.MSG_CMSG_CLOEXEC)
    if not data or not ancillary:
        return None
    (listener,) = struct.unpack("=i", ancillary[0][2])
    return HandedOver(listener, *_USER.unpack(data))


def is_waiting(listener: int) -> bool:
    """Whether a call waits; `receive` would block if none did."""
    return bool(_events(listener) & select.POLLIN)


def is_abandoned(listener: int) -> bool:
    """Whether no process with this filter is left."""
    return bool(_events(listener) & (select.POLLHUP | select.POLLERR | select.POLLNVAL))


def _events(listener: int) -> int:
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    return sum(events for _, events in poll.poll(0))


def receive(listener: int) -> Notification | None:
    """None when the thread was killed meanwhile, or a signal came first."""
    buffer = bytearray(_REQUEST.size)
    try:
        fcntl.ioctl(listener, RECEIVE, buffer)
    except OSError:
        return None
    number, thread, _, call, _, _, *arguments = _REQUEST.unpack(buffer)
    return Notification(number, thread, call, tuple(arguments))


def is_valid(listener: int, notification: Notification) -> bool:
    """Whether the thread still waits: what was opened below /proc/<thread> before was its own."""
    try:
        fcntl.ioctl(listener, IS_VALID, struct.pack("=Q", notification.id))
    except OSError:
        return False
    return True


def answer(listener: int, notification: Notification, error: int) -> None:
    """The result of the call: 0, or an error number."""
    with contextlib.suppress(OSError):  # the thread was killed
        fcntl.ioctl(listener, SEND, _ANSWER.pack(notification.id, 0, -error, 0))
