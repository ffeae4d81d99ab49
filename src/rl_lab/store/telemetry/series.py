"""Reads series of a run: overviews, ranges, tails. An overview of a long series reads outlines only."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rl_lab.store.telemetry.batch import StoredPoints
from rl_lab.store.telemetry.chunks import (
    EMPTY,
    SPOT,
    Columns,
    Floats,
    Ints,
    decode_chunk,
    decode_open,
    join,
)

Axis = Literal["step", "time", "index"]
DECODED = 64
"""Chunks an overview may open; of a longer range it reads the outlines, 17 points of each thousand."""


@dataclass(frozen=True)
class StoredSeries:
    """Points of a metric, ascending in the axis asked for. A NaN value is a gap."""

    name: str
    index: Ints
    """Number of the point in the series, from 0."""
    step: Ints
    time: Floats
    """Unix seconds."""
    value: Floats
    total: int
    """Points stored in the range asked for, of which these are a selection."""

    def __len__(self) -> int:
        return len(self.index)

    def columns(self) -> dict[str, Any]:
        """As a client gets it, without the name."""
        return {
            "index": self.index,
            "step": self.step,
            "time": self.time,
            "value": self.value,
            "total": self.total,
        }


@dataclass(frozen=True)
class _Found:
    """Points with their numbers, before the cut to size."""

    index: Ints
    columns: Columns

    def take(self, which: Ints | np.ndarray[tuple[int], np.dtype[np.bool_]]) -> _Found:
        c = self.columns
        return _Found(self.index[which], Columns(c.steps[which], c.times_ms[which], c.values[which]))

    def axis(self, x: Axis) -> Ints:
        return {"step": self.columns.steps, "time": self.columns.times_ms, "index": self.index}[x]

    def series(self, name: str, total: int) -> StoredSeries:
        c = self.columns
        return StoredSeries(name, self.index, c.steps, c.times_ms / 1000, c.values, total)


@dataclass(frozen=True)
class _Range:
    """Part of an axis, both ends included, in the axis's stored unit."""

    x: Axis
    start: float
    stop: float

    def holds(self, found: _Found) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        axis = found.axis(self.x)
        return np.asarray((axis >= self.start) & (axis <= self.stop))


_BOUNDS = {
    "step": ("step_min", "step_max"),
    "time": ("ms_min", "ms_max"),
    "index": ("first", "first + count - 1"),
}


def overview(
    conn: sqlite3.Connection,
    name: str,
    points: int,
    x: Axis,
    *,
    start: float | None = None,
    stop: float | None = None,
) -> StoredSeries:
    """At most `points` points that keep every peak: each interval gives its smallest and largest value."""
    scale = 1000 if x == "time" else 1
    part = _Range(x, -np.inf if start is None else start * scale, np.inf if stop is None else stop * scale)
    chunks = _chunks_in(conn, name, part)
    count = sum(chunk.count for chunk in chunks)
    if count > points and len(chunks) > DECODED:
        found, total = _outline(conn, chunks, part), count
    else:
        found = _decode(conn, chunks)
        found = found.take(part.holds(found))
        total = len(found.index)
    return _decimate(_ascending(found, x), points).series(name, total)


def select_part(
    series: StoredSeries, points: int, x: Axis, *, start: float | None = None, stop: float | None = None
) -> StoredSeries:
    """An overview of a series that is in memory, as if it were stored."""
    scale = 1000 if x == "time" else 1
    part = _Range(x, -np.inf if start is None else start * scale, np.inf if stop is None else stop * scale)
    times_ms = np.rint(series.time * 1000).astype(np.int64)
    found = _Found(series.index, Columns(series.step, times_ms, series.value))
    found = found.take(part.holds(found))
    return _decimate(_ascending(found, x), max(3, points)).series(series.name, len(found.index))


def select_newest(series: StoredSeries, count: int) -> StoredSeries:
    """The last points of a series that is in memory."""
    keep = slice(max(0, len(series) - count), None)
    return StoredSeries(
        series.name,
        series.index[keep],
        series.step[keep],
        series.time[keep],
        series.value[keep],
        series.total,
    )


def tail(conn: sqlite3.Connection, name: str, count: int) -> StoredSeries:
    """The newest points, oldest of them first."""
    size = _size(conn, name)
    return after(conn, name, size - count - 1, count)


def after(conn: sqlite3.Connection, name: str, index: int, limit: int) -> StoredSeries:
    """Points whose number is greater than `index`, in order of arrival."""
    part = _Range("index", index + 1, index + limit)
    found = _decode(conn, _chunks_in(conn, name, part))
    return found.take(part.holds(found)).series(name, _size(conn, name))


def select_new(name: str, parts: Sequence[StoredPoints], points: int) -> StoredSeries:
    """Points of consecutive batches in order of arrival; of more than `points`, the newest half and earlier peaks."""
    columns = join([part.columns for part in parts])
    first, count = parts[0].first, len(columns)
    found = _Found(np.arange(first, first + count, dtype=np.int64), columns)
    if count > points:
        newest = count - points // 2
        peaks = _peaks(columns.values[:newest], points - points // 2)
        found = found.take(np.concatenate([peaks, np.arange(newest, count)]))
    return found.series(name, first + count)


@dataclass(frozen=True)
class _Chunk:
    series: int
    first: int
    count: int
    sealed: bool
    inside: bool
    """All of it is in the requested range."""


def _chunks_in(conn: sqlite3.Connection, name: str, part: _Range) -> list[_Chunk]:
    low, high = _BOUNDS[part.x]
    rows = conn.execute(
        f"SELECT series, first, count, sealed, {low} >= ? AND {high} <= ? FROM chunks"  # noqa: S608
        f" WHERE series=(SELECT id FROM series WHERE name=?) AND {high} >= ? AND {low} <= ? ORDER BY first",
        (part.start, part.stop, name, part.start, part.stop),
    )
    return [_Chunk(*row) for row in rows]


def _outline(conn: sqlite3.Connection, chunks: list[_Chunk], part: _Range) -> _Found:
    """Outlines of whole chunks; those cut by the range, and the last with the newest point, are opened."""
    opened = [c for c in chunks if not (c.inside and c.sealed) or c is chunks[-1]]
    low, high = _BOUNDS[part.x]
    rows = conn.execute(
        f"SELECT outline FROM chunks WHERE series=? AND sealed AND {low} >= ? AND {high} <= ?",  # noqa: S608
        (chunks[0].series, part.start, part.stop),
    )
    spots = np.frombuffer(b"".join(outline for (outline,) in rows), SPOT)
    ends = _decode(conn, opened)
    columns = join([Columns(spots["step"], spots["ms"], spots["value"]), ends.columns])
    found = _Found(np.concatenate([spots["index"], ends.index]), columns)
    found = found.take(part.holds(found))
    return found.take(np.unique(found.index, return_index=True)[1])


def _decode(conn: sqlite3.Connection, chunks: list[_Chunk]) -> _Found:
    columns = join([_load(conn, chunk) for chunk in chunks])
    numbers = [np.arange(chunk.first, chunk.first + chunk.count, dtype=np.int64) for chunk in chunks]
    return _Found(np.concatenate(numbers) if numbers else EMPTY.steps, columns)


def _load(conn: sqlite3.Connection, chunk: _Chunk) -> Columns:
    if not chunk.sealed:
        blocks = conn.execute(
            "SELECT payload FROM open_points WHERE series=? ORDER BY first", (chunk.series,)
        )
        return join([decode_open(payload) for (payload,) in blocks])
    query = "SELECT payload FROM chunk_data WHERE series=? AND first=?"
    (payload,) = conn.execute(query, (chunk.series, chunk.first)).fetchone()
    return decode_chunk(payload, chunk.count)


def _ascending(found: _Found, x: Axis) -> _Found:
    """Steps go back when a run is resumed from an older checkpoint; a chart needs them ascending."""
    axis = found.axis(x)
    if len(axis) < 2 or bool((axis[1:] >= axis[:-1]).all()):
        return found
    return found.take(np.argsort(axis, kind="stable"))


def _decimate(found: _Found, points: int) -> _Found:
    return found if len(found.index) <= points else found.take(_peaks(found.columns.values, points))


def _peaks(values: Floats, points: int) -> Ints:
    """Places of at most `points` values: both ends, the least and greatest of each stretch, and its first gap."""
    count = len(values)
    missing = np.isnan(values)
    buckets = max(1, (points - 2) // (3 if missing.any() else 2))
    width = -(-count // buckets)
    low = _rows(values, missing, np.inf, width).argmin(axis=1)
    high = _rows(values, missing, -np.inf, width).argmax(axis=1)
    gaps = np.flatnonzero(missing)
    gaps = gaps[np.unique(gaps // width, return_index=True)[1]]
    base = np.arange(len(low)) * width
    chosen = np.concatenate([[0, count - 1], base + low, base + high, gaps])
    return np.unique(np.minimum(chosen, count - 1))


def _rows(
    values: Floats, missing: np.ndarray[tuple[int], np.dtype[np.bool_]], fill: float, width: int
) -> Floats:
    """The values in rows of `width`, gaps and the rest of the last row filled."""
    rows = np.full(-(-len(values) // width) * width, fill)
    rows[: len(values)] = np.where(missing, fill, values)
    return rows.reshape(-1, width)


def _size(conn: sqlite3.Connection, name: str) -> int:
    row = conn.execute("SELECT count FROM series WHERE name=?", (name,)).fetchone()
    return int(row[0]) if row else 0
