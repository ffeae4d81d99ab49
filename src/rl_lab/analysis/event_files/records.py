"""The records of an event file: an eight-byte length, its checksum, the bytes, their checksum.

Records are located one after another and then verified all at once. An incomplete record at the end of a file is not
an error, because the writer may still be active; a wrong checksum is reported. A length is used only if its checksum
is correct.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from rl_lab.analysis.event_files.crc32c import masked_crcs
from rl_lab.analysis.event_files.wire import PADDING, TOO_LONG, gather

HEAD, FOOT = 12, 4
_LENGTH = struct.Struct("<Q")
BLOCK = 16 << 20
LARGEST = 64 << 20
"""Maximum size of a record that is read; larger ones (videos, graphs) contain no scalars and are skipped."""


@dataclass(frozen=True)
class Block:
    """Complete records with correct checksums."""

    data: NDArray[np.uint8]
    """The bytes, followed by PADDING."""
    start: NDArray[np.int64]
    end: NDArray[np.int64]


@dataclass
class ReadPosition:
    """How far a file has been read, and the errors so far."""

    offset: int
    """Start of the next record."""
    damaged: int = 0
    """Number of records skipped because of a wrong checksum."""
    too_large: int = 0
    is_lost: bool = False
    """The length at `offset` is wrong, so later records cannot be found."""


def blocks(file: BinaryIO, position: ReadPosition, limit: int | None = None) -> Iterator[Block]:
    """The file from `position.offset` on, in blocks of a few megabytes; ends after about `limit` bytes."""
    first, want = position.offset, BLOCK
    size = file.seek(0, os.SEEK_END)
    while position.offset < size and (limit is None or position.offset - first < limit):
        file.seek(position.offset)
        data = file.read(want)
        block = _whole_records(data, position)
        if block is not None:
            yield block
        following = None if position.is_lost else _next_size(data if block is None else b"", position, size)
        if following is None:
            return
        want = following


def _next_size(unread: bytes, position: ReadPosition, size: int) -> int | None:
    """How many bytes to read next: a normal block, or one larger record; None if the record is incomplete."""
    if not unread:
        return BLOCK if position.offset < size else None
    if len(unread) < HEAD:
        return None
    whole = HEAD + int(_LENGTH.unpack_from(unread)[0]) + FOOT
    if position.offset + whole > size:
        return None
    if whole <= LARGEST:
        return max(whole, BLOCK)
    position.too_large += 1
    position.offset += whole
    return BLOCK


def _whole_records(data: bytes, position: ReadPosition) -> Block | None:
    """Moves `position` past the complete records of these bytes; None if there is none."""
    starts, lengths = _frames(data)
    padded = np.zeros(len(data) + PADDING, np.uint8)
    padded[: len(data)] = np.frombuffer(data, np.uint8)
    is_right = _are_lengths_right(padded, starts - HEAD, lengths)
    if not is_right.all():
        position.is_lost = True
        many = int(np.argmin(is_right))
        starts, lengths = starts[:many], lengths[:many]
    elif len(starts) and starts[-1] + lengths[-1] + FOOT > len(data):
        starts, lengths = starts[:-1], lengths[:-1]
    if not len(starts):
        return None
    ends = starts + lengths
    position.offset += int(ends[-1]) + FOOT
    is_sound = masked_crcs(padded, starts, lengths) == _uint32_at(padded, ends)
    position.damaged += int(np.count_nonzero(~is_sound))
    return Block(padded, starts[is_sound], ends[is_sound])


def _frames(data: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Start and length of each record's bytes; the last record may be incomplete."""
    starts, lengths = [], []
    at, last, unpack = 0, len(data) - HEAD, _LENGTH.unpack_from
    while at <= last:
        (length,) = unpack(data, at)
        starts.append(at)
        lengths.append(length)
        at += length + 16
    sizes = np.minimum(np.array(lengths, np.uint64), np.uint64(TOO_LONG)).astype(np.int64)
    return np.array(starts, np.int64) + HEAD, sizes


def _are_lengths_right(
    data: NDArray[np.uint8], heads: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Verifies each distinct length once: equal lengths have equal checksums."""
    if not len(heads):
        return np.empty(0, np.bool_)
    _, firsts, which = np.unique(lengths, return_index=True, return_inverse=True)
    expected = masked_crcs(data, heads[firsts], np.full(len(firsts), 8, np.int64))
    right: NDArray[np.bool_] = expected[which] == _uint32_at(data, heads + 8)
    return right


def _uint32_at(data: NDArray[np.uint8], at: NDArray[np.int64]) -> NDArray[np.uint32]:
    """The four bytes at each position as an integer."""
    return gather(data, at, 4).view("<u4").reshape(-1)
