"""Columns of points to bytes and back.

A sealed chunk holds steps (int64, exact), times (milliseconds) and values (float64, exact; as float32 where
that loses nothing). Integers are stored as differences, all columns byte by byte by significance, then zlib:
9 to 12 bytes per point for noisy values, far fewer for smooth ones.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CHUNK_POINTS = 1000
_SINGLE, _DOUBLE = 1, 2
_EIGHTHS = 8
SPOT = np.dtype([("index", "<i8"), ("step", "<i8"), ("ms", "<i8"), ("value", "<f8")])
"""One point of an outline."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Columns:
    """Points: training step, time in milliseconds, value."""

    steps: Ints
    times_ms: Ints
    values: Floats

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, part: slice) -> Columns:
        return Columns(self.steps[part], self.times_ms[part], self.values[part])


EMPTY = Columns(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float64))


def join(parts: list[Columns]) -> Columns:
    if len(parts) == 1:
        return parts[0]
    return Columns(
        np.concatenate([p.steps for p in parts] or [EMPTY.steps]),
        np.concatenate([p.times_ms for p in parts] or [EMPTY.times_ms]),
        np.concatenate([p.values for p in parts] or [EMPTY.values]),
    )


def encode_chunk(columns: Columns) -> bytes:
    """A sealed chunk."""
    with np.errstate(over="ignore"):
        single = columns.values.astype("<f4")
    exact = np.array_equal(single.astype(np.float64), columns.values, equal_nan=True)
    kind, values = (_SINGLE, single) if exact else (_DOUBLE, columns.values.astype("<f8"))
    body = _shuffle(_differences(columns.steps)) + _shuffle(_differences(columns.times_ms)) + _shuffle(values)
    return bytes([kind]) + zlib.compress(body, 6)


def decode_chunk(payload: bytes, count: int) -> Columns:
    body = zlib.decompress(memoryview(payload)[1:])
    size = 4 if payload[0] == _SINGLE else 8
    steps = _sums(_unshuffle(body[: 8 * count], 8).view("<i8"))
    times_ms = _sums(_unshuffle(body[8 * count : 16 * count], 8).view("<i8"))
    values = _unshuffle(body[16 * count :], size).view(f"<f{size}").astype(np.float64)
    return Columns(steps, times_ms, values)


def encode_outline(columns: Columns, first: int) -> bytes:
    """The smallest and largest value of each eighth of a full chunk and its first gap, with their indices."""
    missing = np.isnan(columns.values)
    eighths = columns.values.reshape(_EIGHTHS, -1)
    gone = missing.reshape(_EIGHTHS, -1)
    starts = np.arange(_EIGHTHS) * (len(columns) // _EIGHTHS)
    low = starts + np.where(gone, np.inf, eighths).argmin(axis=1)
    high = starts + np.where(gone, -np.inf, eighths).argmax(axis=1)
    spots = np.concatenate([low, high, [missing.argmax()]])
    outline = np.empty(len(spots), SPOT)
    outline["index"] = first + spots
    outline["step"] = columns.steps[spots]
    outline["ms"] = columns.times_ms[spots]
    outline["value"] = columns.values[spots]
    return outline.tobytes()


def encode_open(columns: Columns) -> bytes:
    """Points of a chunk that is not full yet: written often, so not compressed."""
    return (
        columns.steps.astype("<i8").tobytes()
        + columns.times_ms.astype("<i8").tobytes()
        + columns.values.astype("<f8").tobytes()
    )


def decode_open(payload: bytes) -> Columns:
    steps, times_ms, values = np.frombuffer(payload, np.uint8).reshape(3, -1)
    return Columns(steps.view("<i8"), times_ms.view("<i8"), values.view("<f8"))


def _differences(column: Ints) -> Ints:
    """Each value minus the one before; overflow wraps around, as in `_sums`."""
    with np.errstate(over="ignore"):
        return np.diff(column, prepend=np.int64(0)).astype("<i8")


def _sums(differences: NDArray[np.int64]) -> Ints:
    return np.cumsum(differences, dtype=np.int64)


def _shuffle(column: NDArray[np.generic]) -> bytes:
    return np.ascontiguousarray(column.view(np.uint8).reshape(len(column), -1).T).tobytes()


def _unshuffle(body: bytes, size: int) -> NDArray[np.uint8]:
    return np.ascontiguousarray(np.frombuffer(body, np.uint8).reshape(size, -1).T).reshape(-1)
