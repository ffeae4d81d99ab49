"""Reads a whole series in few values: the first thousand and the newest points one by one, between them bins.

A bin is a sealed chunk. Its mean, lowest and highest value are in its row; its spread is that of a few chunks that
are opened, interpolated between them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rl_lab.store.telemetry.chunks import CHUNK_POINTS, Floats
from rl_lab.store.telemetry.series import StoredSeries, after

NEWEST = 20_000
OPENED = 24
"""Chunks between the ends that are opened for their spread, and at most as many for a value that is not finite."""


@dataclass(frozen=True)
class ThinnedSeries:
    """Columns of equal length, in order of arrival."""

    step: Floats
    time: Floats
    value: Floats
    n: Floats
    """Points that the value is the mean of."""
    spread: Floats
    low: Floats
    high: Floats

    def __len__(self) -> int:
        return len(self.value)


class _Bin(NamedTuple):
    first: int
    points: int
    step: float
    time: float
    low: float | None
    high: float | None
    total: float | None
    gaps: int

    @property
    def mean(self) -> float:
        known = self.points - self.gaps
        return self.total / known if known and self.total is not None else float("nan")


def read_thinned(conn: sqlite3.Connection, name: str) -> ThinnedSeries:
    """All points of a series, thinned if there are many."""
    size = _size(conn, name)
    if size <= NEWEST + CHUNK_POINTS:
        return _single(after(conn, name, -1, size))
    newest = (size - NEWEST) // CHUNK_POINTS * CHUNK_POINTS
    between = _chunks(conn, name, CHUNK_POINTS, newest)
    parts = [_single(after(conn, name, -1, CHUNK_POINTS))]
    parts += _middle(conn, name, between)
    parts += [_single(after(conn, name, newest - 1, size - newest))]
    return _join(parts)


def _middle(conn: sqlite3.Connection, name: str, chunks: Sequence[_Bin]) -> list[ThinnedSeries]:
    """Bins, and point by point the first chunks that hold a value which is not finite."""
    broken = [chunk for chunk in chunks if chunk.gaps or not np.isfinite(chunk.mean)][:OPENED]
    spread = _spreads(conn, name, chunks)
    ends = [*(place for place, chunk in enumerate(chunks) if chunk in broken), len(chunks)]
    parts, begin = [], 0
    for end in ends:
        parts.append(_bins(chunks[begin:end], spread[begin:end]))
        if end < len(chunks):
            parts.append(_single(after(conn, name, chunks[end].first - 1, chunks[end].points)))
        begin = end + 1
    return [part for part in parts if len(part)]


def _bins(chunks: Sequence[_Bin], spread: Floats) -> ThinnedSeries:
    def column(values: list[float | None]) -> Floats:
        return np.array([np.nan if value is None else value for value in values], np.float64)

    return ThinnedSeries(
        step=column([chunk.step for chunk in chunks]),
        time=column([chunk.time for chunk in chunks]),
        value=column([chunk.mean for chunk in chunks]),
        n=column([float(chunk.points) for chunk in chunks]),
        spread=spread,
        low=column([chunk.low for chunk in chunks]),
        high=column([chunk.high for chunk in chunks]),
    )


def _spreads(conn: sqlite3.Connection, name: str, chunks: Sequence[_Bin]) -> Floats:
    """How much neighbouring points of a chunk differ, without their trend: measured in some, interpolated in others."""
    places = np.unique(np.linspace(0, max(0, len(chunks) - 1), OPENED).astype(np.int64))
    found = []
    for place in places[: len(chunks)]:
        values = after(conn, name, chunks[place].first - 1, chunks[place].points).value
        jumps = np.diff(values[np.abs(values) < 1e150])
        found.append(float(np.sqrt(np.mean(jumps**2) / 2)) if len(jumps) else 0.0)
    return np.interp(np.arange(len(chunks)), places, found) if chunks else np.empty(0)


def _single(points: StoredSeries) -> ThinnedSeries:
    value, ones = points.value, np.ones(len(points))
    step = points.step.astype(np.float64)
    return ThinnedSeries(step, points.time, value, ones, 0 * ones, value, value)


def _join(parts: Sequence[ThinnedSeries]) -> ThinnedSeries:
    names = ThinnedSeries.__dataclass_fields__
    return ThinnedSeries(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


def _chunks(conn: sqlite3.Connection, name: str, start: int, stop: int) -> list[_Bin]:
    rows = conn.execute(
        "SELECT first, count, (step_min + step_max) / 2.0, ms_max / 1000.0, v_min, v_max, v_sum, nans FROM chunks"
        " WHERE series=(SELECT id FROM series WHERE name=?) AND first >= ? AND first < ? ORDER BY first",
        (name, start, stop),
    )
    return [_Bin(*row) for row in rows]


def _size(conn: sqlite3.Connection, name: str) -> int:
    row = conn.execute("SELECT count FROM series WHERE name=?", (name,)).fetchone()
    return int(row[0]) if row else 0
