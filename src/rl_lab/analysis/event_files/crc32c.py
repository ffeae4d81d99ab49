"""The checksum of event files (CRC-32C, masked), for many records at once.

A CRC is linear: the checksum of a record is the exclusive-or of one table entry per byte, where the table depends on
the byte's distance from the end. So one lookup handles one byte position of all records, regardless of their lengths.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

POLYNOMIAL = 0x82F63B78
REACH = 1024
"""Maximum record size for checking many at once; longer records are rare and are checked in blocks."""
_ONES = np.uint32(0xFFFFFFFF)
_LOW = np.uint32(0xFF)
_BYTE = np.uint32(8)


def masked_crcs(
    data: NDArray[np.uint8], start: NDArray[np.int64], length: NDArray[np.int64]
) -> NDArray[np.uint32]:
    """The masked checksum of each range of `data`."""
    crcs = np.empty(len(start), np.uint32)
    is_long = length > REACH
    for at in np.flatnonzero(is_long):
        crcs[at] = _long_crc(data[start[at] : start[at] + length[at]])
    short = np.flatnonzero(~is_long)
    crcs[short] = _short_crcs(data, start[short] + length[short], length[short])
    return mask(crcs)


def masked_row_crcs(rows: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """The masked checksum of each row of a matrix."""
    count, width = rows.shape
    start = np.arange(count, dtype=np.int64) * width
    return masked_crcs(np.ascontiguousarray(rows).reshape(-1), start, np.full(count, width, np.int64))


def mask(crcs: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Event files store checksums rotated and shifted, so that a checksum of data with checksums stays strong."""
    rotated = (crcs >> np.uint32(15)) | (crcs << np.uint32(17))
    masked: NDArray[np.uint32] = rotated + np.uint32(0xA282EAD8)
    return masked


def _short_crcs(
    data: NDArray[np.uint8], end: NDArray[np.int64], length: NDArray[np.int64]
) -> NDArray[np.uint32]:
    """Sorted longest first, so that the records that have a byte at a given distance are a slice, not a mask."""
    if not len(end):
        return np.empty(0, np.uint32)
    tables, seeds = _tables()
    order = np.argsort(-length, kind="stable")
    ends, lengths = end[order], length[order]
    reaching = np.searchsorted(-lengths, -np.arange(lengths[0]), side="left")
    crcs = seeds[lengths]
    for distance, many in enumerate(reaching):
        crcs[:many] ^= tables[distance].take(data.take(ends[:many] - (distance + 1)))
    restored = np.empty_like(crcs)
    restored[order] = crcs ^ _ONES
    return restored


def _long_crc(data: NDArray[np.uint8]) -> np.uint32:
    """Computes the checksums of all blocks in parallel, then combines them one after another."""
    tables, seeds = _tables()
    head = len(data) % REACH
    start = np.arange(head, len(data), REACH, dtype=np.int64)
    blocks = _short_crcs(data, start + REACH, np.full(len(start), REACH, np.int64)) ^ _ONES ^ seeds[REACH]
    crc = int(_short_crcs(data, np.array([head]), np.array([head]))[0]) ^ 0xFFFFFFFF
    far = [tables[REACH - 1 - place].tolist() for place in range(4)]
    for block in blocks.tolist():
        crc = far[0][crc & 255] ^ far[1][crc >> 8 & 255] ^ far[2][crc >> 16 & 255] ^ far[3][crc >> 24] ^ block
    return np.uint32(crc ^ 0xFFFFFFFF)


@cache
def _tables() -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The contribution of a byte at each distance from the end, and of the all-ones start value for each length."""

    tables = np.empty((REACH, 256), np.uint32)
    tables[0] = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        odd = tables[0] & np.uint32(1)
        tables[0] = (tables[0] >> np.uint32(1)) ^ odd * np.uint32(POLYNOMIAL)
    for distance in range(1, REACH):
        before = tables[distance - 1]
        tables[distance] = (before >> _BYTE) ^ tables[0][before & _LOW]
    seeds = np.empty(REACH + 1, np.uint32)
    seeds[0] = _ONES
    for length in range(1, REACH + 1):
        seeds[length] = (seeds[length - 1] >> _BYTE) ^ tables[0][seeds[length - 1] & _LOW]
    return tables, seeds
