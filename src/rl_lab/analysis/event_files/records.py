"""The records of an event file: an eight-byte length, its checksum, the bytes, their checksum.

Records are found one after the other, then checked all at once. A record that is cut at the end of a file is no
fault, the writer may be at work; a wrong checksum is told. No length is believed before its checksum was right.
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
"""Bytes of a record that is looked into; what is larger (films, graphs) holds no scalars and is stepped over."""


@dataclass(frozen=True)
class Block:
    """Whole records with right checksums."""

    data: NDArray[np.uint8]
    """The bytes, with PADDING behind them."""
    start: NDArray[np.int64]
    end: NDArray[np.int64]


@dataclass
class Progress:
    """How far a file was read, and what was wrong on the way."""

    offset: int
    """Where the next record begins, or will begin."""
    damaged: int = 0
    """Records left out because their checksum is wrong."""
    too_large: int = 0
    is_lost: bool = False
    """The length at `offset` is wrong, so nothing behind it can be found."""


def blocks(file: BinaryIO, progress: Progress, limit: int | None = None) -> Iterator[Block]:
    """The file from `progress.offset` on, a few megabytes at a time; `limit` ends it after about that many bytes."""
    first, want = progress.offset, BLOCK
    size = file.seek(0, os.SEEK_END)
    while progress.offset < size and (limit is None or progress.offset - first < limit):
        file.seek(progress.offset)
        data = file.read(want)
        block = _whole_records(data, progress)
        if block is not None:
            yield block
        following = None if progress.is_lost else _next_size(data if block is None else b"", progress, size)
        if following is None:
            return
        want = following


def _next_size(unread: bytes, progress: Progress, size: int) -> int | None:
    """How much to read next: a usual block, or one record that is larger than that; None when it is cut."""
    if not unread:
        return BLOCK if progress.offset < size else None
    if len(unread) < HEAD:
        return None
    whole = HEAD + int(_LENGTH.unpack_from(unread)[0]) + FOOT
    if progress.offset + whole > size:
        return None
    if whole <= LARGEST:
        return max(whole, BLOCK)
    progress.too_large += 1
    progress.offset += whole
    return BLOCK


def _whole_records(data: bytes, progress: Progress) -> Block | None:
    """Moves `progress` behind the whole records of these bytes; None when there is not one."""
    starts, lengths = _frames(data)
    padded = np.zeros(len(data) + PADDING, np.uint8)
    padded[: len(data)] = np.frombuffer(data, np.uint8)
    is_right = _are_lengths_right(padded, starts - HEAD, lengths)
    if not is_right.all():
        progress.is_lost = True
        many = int(np.argmin(is_right))
        starts, lengths = starts[:many], lengths[:many]
    elif len(starts) and starts[-1] + lengths[-1] + FOOT > len(data):
        starts, lengths = starts[:-1], lengths[:-1]
    if not len(starts):
        return None
    ends = starts + lengths
    progress.offset += int(ends[-1]) + FOOT
    is_sound = masked_crcs(padded, starts, lengths) == _words(padded, ends)
    progress.damaged += int(np.count_nonzero(~is_sound))
    return Block(padded, starts[is_sound], ends[is_sound])


def _frames(data: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each record's bytes begin and how many they are; the last one may be cut."""
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
    """The same length has the same checksum, and few lengths occur."""
    if not len(heads):
        return np.empty(0, np.bool_)
    _, firsts, which = np.unique(lengths, return_index=True, return_inverse=True)
    expected = masked_crcs(data, heads[firsts], np.full(len(firsts), 8, np.int64))
    right: NDArray[np.bool_] = expected[which] == _words(data, heads + 8)
    return right


def _words(data: NDArray[np.uint8], at: NDArray[np.int64]) -> NDArray[np.uint32]:
    """The four bytes at each position as a number."""
    return gather(data, at, 4).view("<u4").reshape(-1)
