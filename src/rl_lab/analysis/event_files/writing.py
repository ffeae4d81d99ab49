"""Writes event files for TensorBoard: a version record, then one record per point, built many at once."""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rl_lab.analysis.event_files.columns import Column
from rl_lab.analysis.event_files.config import table_of_config
from rl_lab.analysis.event_files.crc32c import masked_crcs, masked_row_crcs
from rl_lab.analysis.event_files.wire import double, integer, message

VERSION = b"brain.Event:2"
"""With this version TensorBoard detects only restarts marked by the writer, and keeps steps that decrease."""
CONFIG_TAG = b"hyperparameters/text_summary"
AT_ONCE = 1 << 16
STRING_TYPE = 7


def write_scalars(
    path: str | os.PathLike[str],
    columns: Mapping[str, Column],
    *,
    config: Mapping[str, Any] | None = None,
    wall_time: float | None = None,
) -> int:
    """Writes a new file, replacing an existing one; returns its size in bytes."""
    with Path(path).open("wb") as file:
        write_head(file, config, wall_time)
        write_columns(file, columns)
        return file.tell()


def write_head(
    file: BinaryIO, config: Mapping[str, Any] | None = None, wall_time: float | None = None
) -> None:
    """Writes the first records of a file; TensorBoard shows the configuration on its Text page."""
    began = time.time() if wall_time is None else wall_time
    file.write(_record(double(1, began) + message(3, VERSION)))
    if config:
        file.write(_record(_config_event(dict(config), began)))


def write_columns(file: BinaryIO, columns: Mapping[str, Column]) -> None:
    """Writes points at the file's current position, which must be the end of a complete record."""
    for tag, column in columns.items():
        for piece in _pieces(column):
            file.write(_records(tag.encode(), piece))


def _pieces(column: Column) -> Iterator[Column]:
    for start in range(0, len(column), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        yield Column(column.steps[part], column.wall_times[part], column.values[part])


def _records(tag: bytes, column: Column) -> memoryview:
    """The records of one tag in the given order; records with equally long steps are built as one matrix."""
    steps = np.ascontiguousarray(column.steps, np.int64).view(np.uint64)
    width = _varint_widths(steps)
    value = message(1, tag) + b"\x15" + bytes(4)
    tail = message(5, message(1, value))
    size = 12 + 9 + np.where(width > 0, width + 1, 0) + len(tail) + 4
    at = np.cumsum(size) - size
    out = np.empty(int(size.sum()), np.uint8)
    for bytes_of_step in np.unique(width).tolist():
        which = np.flatnonzero(width == bytes_of_step)
        rows = _rows(steps[which], bytes_of_step, tail, column, which)
        out[at[which][:, None] + np.arange(rows.shape[1])] = rows
    return out.data


def _rows(
    steps: NDArray[np.uint64], width: int, tail: bytes, column: Column, which: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Step 0 is left out, like protocol buffers do with default values."""
    times = np.ascontiguousarray(column.wall_times[which], "<f8")
    with np.errstate(over="ignore"):
        values = np.ascontiguousarray(column.values[which], "<f4")
    step_bytes = width + 1 if width else 0
    length = 9 + step_bytes + len(tail)
    rows = np.empty((len(which), 12 + length + 4), np.uint8)
    rows[:, :12] = np.frombuffer(_head(length), np.uint8)
    rows[:, 12] = 0x09
    rows[:, 13:21] = times.view(np.uint8).reshape(-1, 8)
    if width:
        rows[:, 21] = 0x10
        rows[:, 22 : 22 + width] = _varint_rows(steps, width)
    rows[:, 21 + step_bytes : 12 + length] = np.frombuffer(tail, np.uint8)
    rows[:, 12 + length - 4 : 12 + length] = values.view(np.uint8).reshape(-1, 4)
    rows[:, -4:] = masked_row_crcs(rows[:, 12:-4]).astype("<u4").view(np.uint8).reshape(-1, 4)
    return rows


def _varint_widths(numbers: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The number of bytes of each varint; 0 for the number 0, which is left out."""
    width = np.zeros(len(numbers), np.int64)
    for bits in range(0, 70, 7):
        width += (numbers >> np.uint64(bits)) > 0
    return width


def _varint_rows(numbers: NDArray[np.uint64], width: int) -> NDArray[np.uint8]:
    shifts = np.arange(width, dtype=np.uint64) * np.uint64(7)
    groups = ((numbers[:, None] >> shifts) & np.uint64(0x7F)).astype(np.uint8)
    groups[:, :-1] |= 0x80
    return groups


def _record(data: bytes) -> bytes:
    return _head(len(data)) + data + struct.pack("<I", _masked(data))


def _head(length: int) -> bytes:
    packed = struct.pack("<Q", length)
    return packed + struct.pack("<I", _masked(packed))


def _masked(data: bytes) -> int:
    whole = np.frombuffer(data, np.uint8)
    return int(masked_crcs(whole, np.zeros(1, np.int64), np.array([len(data)], np.int64))[0])


def _config_event(config: dict[str, Any], wall_time: float) -> bytes:
    shape = message(2, message(2, integer(1, 1)))
    tensor = integer(1, STRING_TYPE) + shape + message(8, table_of_config(config).encode())
    metadata = message(1, message(1, b"text"))
    value = message(1, CONFIG_TAG) + message(8, tensor) + message(9, metadata)
    return double(1, wall_time) + message(5, message(1, value))
