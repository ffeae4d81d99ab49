"""A Tape is a recording as it is stored: actions exact, thoughts in one byte a step. Many make one chunk.

The value of a state is kept in 255 levels between the episode's least and greatest; level 255 means unknown.
In a chunk the tapes lie column by column, so that zlib sees likes beside likes.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.core.bounds import GENERATOR_BYTES

LEVELS = 254
UNKNOWN = 255

_HEAD = np.dtype(
    [
        ("episode", "<i8"),
        ("context", "<i4"),
        ("seed", "<i8"),
        ("count", "<u4"),
        ("stride", "<u4"),
        ("low", "<f4"),
        ("high", "<f4"),
        ("has", "u1"),
    ]
)
_REWARDS, _VALUES, _CHOSEN, _GENERATOR = 1, 2, 4, 8


@dataclass(frozen=True)
class Tape:
    episode: int
    context: int
    """Row of `contexts`: environment, versions and action packing it was made with."""
    seed: int
    count: int
    stride: int
    """Bytes of one packed action."""
    actions: bytes
    rewards: bytes = b""
    levels: bytes = b""
    low: float = 0.0
    high: float = 0.0
    chosen: bytes = b""
    generator: bytes = b""
    """Instead of a seed, which then is 0."""

    @property
    def beginning(self) -> tuple[int | None, bytes]:
        """Seed or state of the generator, whichever it has."""
        return (None, self.generator) if self.generator else (self.seed, b"")

    @property
    def size(self) -> int:
        return sum(len(column) for column in self.columns)

    @property
    def has(self) -> int:
        columns = (self.rewards, self.levels, self.chosen, self.generator)
        return sum(
            bit
            for bit, column in zip((_REWARDS, _VALUES, _CHOSEN, _GENERATOR), columns, strict=True)
            if column
        )

    @property
    def columns(self) -> tuple[bytes, ...]:
        """In the order of `column_sizes`."""
        return self.actions, self.rewards, self.levels, self.chosen, self.generator

    def values(self) -> bytes:
        """The policy's values as float16, as a worker packs them."""
        return restore_values(self.levels, self.low, self.high)


def reduce_values(halves: bytes) -> tuple[bytes, float, float]:
    """float16 values as levels between their least and greatest."""
    values = np.frombuffer(halves, "<f2").astype(np.float32)
    known = np.isfinite(values)
    if not known.any():
        return bytes([UNKNOWN]) * len(values), 0.0, 0.0
    low, high = float(values[known].min()), float(values[known].max())
    scale = LEVELS / (high - low) if high > low else 0.0
    levels = np.full(len(values), UNKNOWN, np.uint8)
    levels[known] = np.rint((values[known] - low) * scale).astype(np.uint8)
    return levels.tobytes(), low, high


def restore_values(levels: bytes, low: float, high: float) -> bytes:
    raw = np.frombuffer(levels, np.uint8)
    values = low + raw.astype(np.float32) * np.float32((high - low) / LEVELS)
    values[raw == UNKNOWN] = np.nan
    return values.astype("<f2").tobytes()


def encode_tapes(tapes: Sequence[Tape]) -> bytes:
    head = np.array(
        [(t.episode, t.context, t.seed, t.count, t.stride, t.low, t.high, t.has) for t in tapes], _HEAD
    )
    columns = [
        _planes(head.view(np.uint8), _HEAD.itemsize),
        b"".join(_planes(np.frombuffer(t.actions, np.uint8), t.stride) for t in tapes),
        b"".join(_planes(np.frombuffer(t.rewards, np.uint8), 4) for t in tapes),
        _differences(b"".join(t.levels for t in tapes)),
        b"".join(t.chosen for t in tapes),
        b"".join(t.generator for t in tapes),
    ]
    return len(tapes).to_bytes(4, "little") + zlib.compress(b"".join(columns), 9)


def decode_tapes(payload: bytes) -> list[Tape]:
    tapes = int.from_bytes(payload[:4], "little")
    body = zlib.decompress(memoryview(payload)[4:])
    at = tapes * _HEAD.itemsize
    heads = np.frombuffer(_unplanes(body[:at], _HEAD.itemsize), _HEAD)
    sizes = column_sizes(heads["count"].astype(np.int64), heads["stride"].astype(np.int64), heads["has"])
    columns = []
    for size in sizes:
        columns.append(body[at : at + int(size.sum())])
        at += int(size.sum())
    columns[2] = _sums(columns[2])
    cut = [_cut(column, size) for column, size in zip(columns, sizes, strict=True)]
    return [_tape(head, *parts) for head, *parts in zip(heads, *cut, strict=True)]


def column_sizes(count: Any, stride: Any, has: Any) -> list[Any]:
    """Bytes of each column of one tape, or of many at once."""
    return [
        count * stride,
        count * 4 * (has & _REWARDS != 0),
        count * (has & _VALUES != 0),
        count * (has & _CHOSEN != 0),
        GENERATOR_BYTES * (has & _GENERATOR != 0),
    ]


def _tape(head: np.void, *columns: bytes) -> Tape:
    actions, rewards, levels, chosen, generator = columns
    stride = int(head["stride"])
    return Tape(
        episode=int(head["episode"]),
        context=int(head["context"]),
        seed=int(head["seed"]),
        count=int(head["count"]),
        stride=stride,
        actions=_unplanes(actions, stride),
        rewards=_unplanes(rewards, 4),
        levels=levels,
        low=float(head["low"]),
        high=float(head["high"]),
        chosen=chosen,
        generator=generator,
    )


def _cut(column: bytes, sizes: NDArray[np.int64]) -> list[bytes]:
    ends = np.cumsum(sizes)
    return [column[int(end - size) : int(end)] for end, size in zip(ends, sizes, strict=True)]


def _planes(column: NDArray[np.uint8], size: int) -> bytes:
    return np.ascontiguousarray(column.reshape(-1, size).T).tobytes() if size > 1 else column.tobytes()


def _unplanes(column: bytes, size: int) -> bytes:
    if size <= 1 or not column:
        return column
    return np.ascontiguousarray(np.frombuffer(column, np.uint8).reshape(size, -1).T).tobytes()


def _differences(column: bytes) -> bytes:
    return np.diff(np.frombuffer(column, np.uint8), prepend=np.uint8(0)).tobytes()


def _sums(column: bytes) -> bytes:
    return np.cumsum(np.frombuffer(column, np.uint8), dtype=np.uint8).tobytes()
