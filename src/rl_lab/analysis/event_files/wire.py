"""The protocol-buffer wire format: reads fields one by one, reads many numbers at once, and writes fields."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

VARINT, EIGHT, BYTES, FOUR = 0, 1, 2, 5
PADDING = 64
"""Zero bytes after a block, so that reading a number at its end stays inside the array."""
TOO_LONG = 1 << 40
"""Replaces invalid lengths; it is larger than any real length and can be added to a position without overflow."""


class Malformed(ValueError):
    """These bytes are not a valid message."""


@dataclass(frozen=True, slots=True)
class Field:
    number: int
    kind: int
    start: int
    """Start of the payload."""
    end: int
    value: int = 0
    """The value, if the field is a varint."""


def fields(data: memoryview, start: int, end: int) -> Iterator[Field]:
    """The fields of the message between two positions, without copying."""
    while start < end:
        key, start = _varint(data, start, end)
        number, kind = key >> 3, key & 7
        begin, value = start, 0
        if kind == VARINT:
            value, start = _varint(data, start, end)
        elif kind == BYTES:
            length, begin = _varint(data, start, end)
            start = begin + length
        elif kind in (EIGHT, FOUR):
            start += 8 if kind == EIGHT else 4
        else:
            raise Malformed(f"wire type {kind}")
        if start > end or number == 0:
            raise Malformed("a field reaches beyond its message")
        yield Field(number, kind, begin, start, value)


def _varint(data: memoryview, at: int, end: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= end:
            break
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at
    raise Malformed("a varint does not end")


def signed(value: int, bits: int = 64) -> int:
    """Interprets a varint as a signed number."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def varints(data: NDArray[np.uint8], at: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The number at each position and its end; `data` must be followed by PADDING bytes."""
    first = data.take(at)
    value = (first & 0x7F).astype(np.uint64)
    end = at + 1
    going = np.flatnonzero(first >= 0x80)
    for shift in range(7, 70, 7):
        if not len(going):
            break
        byte = data.take(end[going])
        value[going] |= (byte & 0x7F).astype(np.uint64) << np.uint64(shift)
        end[going] += 1
        going = going[byte >= 0x80]
    return value, end


def lengths(data: NDArray[np.uint8], at: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Like `varints`, for lengths: an invalid length becomes TOO_LONG."""
    value, end = varints(data, at)
    return np.minimum(value, np.uint64(TOO_LONG)).astype(np.int64), end


def gather(data: NDArray[np.uint8], at: NDArray[np.int64], width: int) -> NDArray[np.uint8]:
    """`width` bytes from each position, one row per position."""
    windows = np.lib.stride_tricks.sliding_window_view(data, width)
    return windows[at]


def varint(value: int) -> bytes:
    value &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def message(number: int, payload: bytes) -> bytes:
    """A field with bytes: a text or another message."""
    return varint(number << 3 | BYTES) + varint(len(payload)) + payload


def double(number: int, value: float) -> bytes:
    return varint(number << 3 | EIGHT) + struct.pack("<d", value)


def integer(number: int, value: int) -> bytes:
    return varint(number << 3 | VARINT) + varint(value)
