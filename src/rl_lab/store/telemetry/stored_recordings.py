"""A StoredRecording is a recording as telemetry.db holds it: actions exact, values in one byte per step.

The value of a state is kept in 255 levels between the episode's least and greatest; level 255 means unknown.
A recording is stored alone in a row first, later together with others in a compressed chunk. A chunk holds them
column by column, because zlib compresses similar bytes better when they are next to each other.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from rl_lab.core.bounds import CHECKSUM_BYTES, CHECKSUM_STEPS, GENERATOR_BYTES
from rl_lab.core.protocol.events import BYTES_PER_STEP, EpisodeEvent, Trace
from rl_lab.core.recordings import shared_fields

LEVELS = 254
UNKNOWN = 255
ROW = ("episode", "context", "seed", "count", "stride", "flags", "low", "high")
"""The columns of the table `recordings`, before the payload."""
_HEAD = np.dtype(
    [
        ("episode", "<i8"),
        ("context", "<i4"),
        ("seed", "<i8"),
        ("count", "<u4"),
        ("stride", "<u4"),
        ("low", "<f4"),
        ("high", "<f4"),
        ("flags", "u1"),
    ]
)


class RecordingColumn(NamedTuple):
    """Bytes that every stored recording may have."""

    name: str
    per_step: int | None = 0
    """Bytes per step; None: as many as a packed action has (`stride`)."""
    per_episode: int = 0
    every: int = 1
    """Only after so many steps each."""
    flag: int = 0
    """The bit of `flags` that says that the column is there; 0: it always is."""
    as_differences: bool = False
    """A chunk holds each byte less the one before."""


COLUMNS = (
    RecordingColumn("actions", per_step=None),
    RecordingColumn("rewards", per_step=BYTES_PER_STEP["rewards"], flag=1),
    RecordingColumn("levels", per_step=1, flag=2, as_differences=True),
    RecordingColumn("chosen", per_step=BYTES_PER_STEP["chosen"], flag=4),
    RecordingColumn("generator", per_episode=GENERATOR_BYTES, flag=8),
    RecordingColumn("checksums", per_step=CHECKSUM_BYTES, every=CHECKSUM_STEPS, flag=16),
)
"""In the order they are written; a new one goes to the end, so that files written before can still be read."""


class StoredRecording(msgspec.Struct, frozen=True, kw_only=True):
    episode: int
    context: int
    """Row of `contexts`: environment, versions and action packing it was made with."""
    seed: int | None
    """None where there is a generator; stored as 0."""
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
    checksums: bytes = b""

    @property
    def flags(self) -> int:
        return sum(column.flag for column in COLUMNS if getattr(self, column.name))

    @property
    def payload(self) -> bytes:
        return b"".join(getattr(self, column.name) for column in COLUMNS)

    @property
    def size(self) -> int:
        return sum(len(getattr(self, column.name)) for column in COLUMNS)

    @property
    def values(self) -> bytes:
        """The policy's values as float16, as they are on the wire."""
        return restore_values(self.levels, self.low, self.high)


def to_stored(event: EpisodeEvent, trace: Trace, context: int) -> StoredRecording:
    """From the wire; `trace` is the whole episode's."""
    levels, low, high = reduce_values(trace.values) if trace.values else (b"", 0.0, 0.0)
    return StoredRecording(
        **shared_fields(StoredRecording, event, trace),
        context=context,
        stride=len(trace.actions) // trace.count,
        levels=levels,
        low=low,
        high=high,
    )


def to_row(recording: StoredRecording) -> tuple[Any, ...]:
    return (*_numbers(recording, ROW), recording.payload)


def from_row(row: tuple[Any, ...]) -> StoredRecording:
    *numbers, payload = row
    head = dict(zip(ROW, numbers, strict=True))
    columns, at = [], 0
    for size in column_sizes(head["count"], head["stride"], head["flags"]):
        columns.append(payload[at : at + size])
        at += size
    return _from_parts(head, columns)


def encode_chunk_of_recordings(recordings: Sequence[StoredRecording]) -> bytes:
    head = np.array([_numbers(recording, _HEAD.names or ()) for recording in recordings], _HEAD)
    columns = [_planes(head.tobytes(), _HEAD.itemsize)]
    for column in COLUMNS:
        width = [recording.stride if column.per_step is None else column.per_step for recording in recordings]
        parts = [_planes(getattr(r, column.name), w) for r, w in zip(recordings, width, strict=True)]
        joined = b"".join(parts)
        columns.append(_differences(joined) if column.as_differences else joined)
    return len(recordings).to_bytes(4, "little") + zlib.compress(b"".join(columns), 9)


def decode_chunk_of_recordings(payload: bytes) -> list[StoredRecording]:
    count = int.from_bytes(payload[:4], "little")
    body = zlib.decompress(memoryview(payload)[4:])
    at = count * _HEAD.itemsize
    heads = np.frombuffer(_unplanes(body[:at], _HEAD.itemsize), _HEAD)
    sizes = column_sizes(heads["count"].astype(np.int64), heads["stride"].astype(np.int64), heads["flags"])
    cut = []
    for column, size in zip(COLUMNS, sizes, strict=True):
        end = at + int(size.sum())
        joined = _sums(body[at:end]) if column.as_differences else body[at:end]
        widths = heads["stride"] if column.per_step is None else [column.per_step] * count
        cut.append([_unplanes(part, int(w)) for part, w in zip(_cut(joined, size), widths, strict=True)])
        at = end
    rows = (dict(zip(_HEAD.names or (), head.tolist(), strict=True)) for head in heads)
    return [_from_parts(row, parts) for row, *parts in zip(rows, *cut, strict=True)]


def column_sizes(count: Any, stride: Any, flags: Any) -> list[Any]:
    """Bytes of each column of one recording, or of many at once."""
    sizes = []
    for column in COLUMNS:
        width = stride if column.per_step is None else column.per_step
        size = count // column.every * width + column.per_episode
        sizes.append(size * (flags & column.flag != 0) if column.flag else size)
    return sizes


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


def _numbers(recording: StoredRecording, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(getattr(recording, name) or 0 for name in names)


def _from_parts(head: dict[str, Any], columns: Sequence[bytes]) -> StoredRecording:
    fields = head | {column.name: part for column, part in zip(COLUMNS, columns, strict=True)}
    del fields["flags"]
    if fields["generator"]:
        fields["seed"] = None
    return StoredRecording(**fields)


def _cut(column: bytes, sizes: NDArray[np.int64]) -> list[bytes]:
    ends = np.cumsum(sizes)
    return [column[int(end - size) : int(end)] for end, size in zip(ends, sizes, strict=True)]


def _planes(data: bytes, width: int) -> bytes:
    """Numbers of `width` bytes as all their first bytes, then all their second ones, …"""
    if width <= 1 or not data:
        return data
    return np.ascontiguousarray(np.frombuffer(data, np.uint8).reshape(-1, width).T).tobytes()


def _unplanes(data: bytes, width: int) -> bytes:
    if width <= 1 or not data:
        return data
    return np.ascontiguousarray(np.frombuffer(data, np.uint8).reshape(width, -1).T).tobytes()


def _differences(column: bytes) -> bytes:
    return np.diff(np.frombuffer(column, np.uint8), prepend=np.uint8(0)).tobytes()


def _sums(column: bytes) -> bytes:
    return np.cumsum(np.frombuffer(column, np.uint8), dtype=np.uint8).tobytes()
