"""Messages between a worker and the process of user code.

What the worker sends may be anything that `marshal` writes. What comes back is from code that nobody trusts, so it is
read as JSON and as plain numbers only, and checked.
"""

from __future__ import annotations

import os
import select
import socket
import struct
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

LENGTH = struct.Struct("<I")
MAX_MESSAGE_BYTES = 1 << 30
MAX_ANSWER_BYTES = 256 << 20
STAMP_BYTES = 8
"""Each question has a random stamp that its answer begins with: an answer to nothing is noticed."""
MAX_TERMS, MAX_NAME = 32, 64
"""Of the terms of a reward, and of the numbers of an evaluation."""
Column = tuple[str, tuple[int, ...], bytes]
"""dtype, shape and bytes of an array."""


def to_column(array: NDArray[Any]) -> Column:
    return (array.dtype.str, array.shape, array.tobytes())


def from_column(column: Column) -> NDArray[Any]:
    """A view that cannot be written to: user code must not change what it was given."""
    dtype, shape, data = column
    return np.frombuffer(data, dtype).reshape(shape)


def write_all(fd: int, data: bytes) -> None:
    view = memoryview(LENGTH.pack(len(data)) + data)
    while view:
        view = view[os.write(fd, view) :]


def read_exactly(fd: int, count: int) -> bytes:
    """EOFError when the other side is gone."""
    data = os.read(fd, count)
    if len(data) == count:
        return data
    parts = [data]
    while data and (count := count - len(data)):
        data = os.read(fd, min(count, 1 << 20))
        parts.append(data)
    if not data:
        raise EOFError
    return b"".join(parts)


def read_message(fd: int, most: int) -> bytes:
    (length,) = LENGTH.unpack(read_exactly(fd, LENGTH.size))
    if length > most:
        raise EOFError
    return read_exactly(fd, length)


class CodeChannel:
    """The worker's end: nothing waits longer than until a moment of `time.monotonic`, whatever the other side does."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._connection = connection
        self._fd = connection.fileno()
        self._poll = select.poll()

    @property
    def is_closed(self) -> bool:
        return self._fd < 0

    def close(self) -> None:
        """The number of the descriptor may be used by another file from now on, so it is forgotten."""
        self._fd = -1
        self._connection.close()

    def write(self, data: bytes, until: float) -> None:
        """TimeoutError when the other side does not read; OSError when it has closed, or this one."""
        view = memoryview(LENGTH.pack(len(data)) + data)
        while view:
            try:
                view = view[os.write(self._fd, view) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, until)

    def read(self, most: int, until: float) -> bytes:
        """EOFError when the other side has closed, ValueError when it announces too much; TimeoutError."""
        (length,) = LENGTH.unpack(self._read_exactly(LENGTH.size, until))
        if length > most:
            raise ValueError(f"{length} bytes are announced")
        return self._read_exactly(length, until)

    def _read_exactly(self, count: int, until: float) -> bytes:
        parts: list[bytes] = []
        while count:
            try:
                data = os.read(self._fd, min(count, 1 << 20))
            except BlockingIOError:
                self._wait(select.POLLIN, until)
                continue
            if not data:
                raise EOFError
            parts.append(data)
            count -= len(data)
        return b"".join(parts)

    def _wait(self, event: int, until: float) -> None:
        self._poll.register(self._fd, event)
        if not self._poll.poll(max(0.0, until - time.monotonic()) * 1000):
            raise TimeoutError
