"""Writes points of all series in chunks of a thousand: the open one grows at each commit, full ones are sealed."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rl_lab.store.telemetry.batch import PointColumns, StoredPoints
from rl_lab.store.telemetry.chunks import (
    CHUNK_POINTS,
    EMPTY,
    Columns,
    Ints,
    decode_chunk,
    decode_open,
    encode_chunk,
    encode_open,
    encode_outline,
    join,
)

MAX_SERIES = 2000
"""Metrics a run may have; a worker that uses a new name with each update would slow down every reader."""
_MOST_STEP = 2**62
_MOST_MS = 2**53


@dataclass
class _Open:
    """A series and its chunk that is not full yet."""

    id: int
    first: int
    """Index of the open chunk's first point."""
    points: Columns


class SeriesWriter:
    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        self._open: dict[str, _Open] = {}
        self._count: int | None = None

    def forget(self) -> None:
        """After a rollback: what is in memory may be ahead of the file."""
        self._open.clear()
        self._count = None

    def add(self, points: Mapping[str, PointColumns]) -> tuple[dict[str, StoredPoints], int]:
        """Returns the stored points, and how many were left out because the run has too many series."""
        stored: dict[str, StoredPoints] = {}
        left_out = 0
        for name, new in points.items():
            columns = to_columns(new)
            series = self._find(name) if len(columns) else None
            if series is not None:
                stored[name] = StoredPoints(series.first + len(series.points), columns)
                self._add(series, columns)
            else:
                left_out += len(columns)
        return stored, left_out

    def replace(self, points: Mapping[str, PointColumns]) -> None:
        """Store these series instead of those of the same names; one without points is removed."""
        self.forget()
        for name in points:
            row = self._conn.execute("SELECT id FROM series WHERE name=?", (name,)).fetchone()
            for table in ("chunks", "chunk_data", "open_points") if row else ():
                self._conn.execute(f"DELETE FROM {table} WHERE series=?", row)  # noqa: S608 - our own tables
            self._conn.execute("DELETE FROM series WHERE name=?", (name,))
        self.add(points)

    def cut(self, step: int) -> None:
        """Drop the points after a training step; a series that has no others is removed."""
        self.forget()
        query = "SELECT series, min(first) FROM chunks WHERE step_max > ? GROUP BY series"
        for number, first in self._conn.execute(query, (step,)).fetchall():
            self._cut(number, first, step)

    def _cut(self, number: int, first: int, step: int) -> None:
        """`first`: number of the first point of the first chunk that has a point after the step."""
        points = self._points_from(number, first)
        kept = Columns(*(column[points.steps <= step] for column in vars(points).values()))
        for table in ("chunks", "chunk_data", "open_points"):
            query = f"DELETE FROM {table} WHERE series=? AND first >= ?"  # noqa: S608 - our own tables
            self._conn.execute(query, (number, first))
        if first + len(kept) == 0:
            self._conn.execute("DELETE FROM series WHERE id=?", (number,))
            return
        self._last = kept if len(kept) else self._points_from(number, first - CHUNK_POINTS)[-1:]
        self._add(_Open(number, first, EMPTY), kept)

    def _points_from(self, number: int, first: int) -> Columns:
        """The points of a series from the first one of a chunk on."""
        query = (
            "SELECT payload, count FROM chunk_data JOIN chunks USING (series, first)"
            " WHERE series=? AND first >= ? ORDER BY first"
        )
        sealed = [decode_chunk(*row) for row in self._conn.execute(query, (number, first))]
        query = "SELECT payload FROM open_points WHERE series=? AND first >= ? ORDER BY first"
        return join([*sealed, *(decode_open(row[0]) for row in self._conn.execute(query, (number, first)))])

    def _add(self, series: _Open, new: Columns) -> None:
        room = CHUNK_POINTS - len(series.points)
        while len(new) >= room:
            self._seal(series, join([series.points, new[:room]]))
            new, room = new[room:], CHUNK_POINTS
        if len(new):
            at = series.first + len(series.points)
            self._conn.execute("INSERT INTO open_points VALUES (?,?,?)", (series.id, at, encode_open(new)))
            series.points = join([series.points, new])
            self._put_chunk(series, series.points, sealed=False)
        self._put_last(series, new)

    def _seal(self, series: _Open, full: Columns) -> None:
        self._conn.execute("DELETE FROM open_points WHERE series=?", (series.id,))
        self._put_chunk(series, full, sealed=True)
        payload = encode_chunk(full)
        self._conn.execute("INSERT INTO chunk_data VALUES (?,?,?)", (series.id, series.first, payload))
        self._last = full[-1:]
        series.first += len(full)
        series.points = EMPTY

    def _put_chunk(self, series: _Open, points: Columns, *, sealed: bool) -> None:
        steps, times = points.steps, points.times_ms
        ranges = (int(steps.min()), int(steps.max()), int(times.min()), int(times.max()))
        summary = _summary(points, series.first) if sealed else (None,) * 5
        row = (series.id, series.first, len(points), int(sealed), *ranges, *summary)
        self._conn.execute("INSERT OR REPLACE INTO chunks VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", row)

    def _put_last(self, series: _Open, new: Columns) -> None:
        last = new[-1:] if len(new) else self._last
        self._conn.execute(
            "UPDATE series SET count=?, last_step=?, last_ms=?, last_value=? WHERE id=?",
            (
                series.first + len(series.points),
                int(last.steps[0]),
                int(last.times_ms[0]),
                float(last.values[0]),
                series.id,
            ),
        )

    def _find(self, name: str) -> _Open | None:
        """The series of that name, created when it is new; None when the run has too many."""
        if name not in self._open:
            found = self._load(name)
            if found is None:
                return None
            self._open[name] = found
        return self._open[name]

    def _load(self, name: str) -> _Open | None:
        row = self._conn.execute("SELECT id, count FROM series WHERE name=?", (name,)).fetchone()
        if row is None:
            if self._count is None:
                self._count = int(self._conn.execute("SELECT count(*) FROM series").fetchone()[0])
            if self._count >= MAX_SERIES:
                return None
            self._count += 1
            cursor = self._conn.execute("INSERT INTO series (name, count) VALUES (?, 0)", (name,))
            return _Open(cursor.lastrowid or 0, 0, EMPTY)
        blocks = self._conn.execute("SELECT payload FROM open_points WHERE series=? ORDER BY first", row[:1])
        points = join([decode_open(payload) for (payload,) in blocks])
        return _Open(row[0], row[1] - len(points), points)


def to_columns(points: PointColumns) -> Columns:
    """Checked columns: integers that fit, finite times; a value may be anything a float can be."""
    times = np.nan_to_num(np.asarray(points.times, np.float64) * 1000, nan=0.0, posinf=0.0, neginf=0.0)
    times_ms = np.rint(np.clip(times, -_MOST_MS, _MOST_MS)).astype(np.int64)
    columns = Columns(_steps(points.steps), times_ms, np.asarray(points.values, np.float64))
    if not len(columns.steps) == len(columns.times_ms) == len(columns.values):
        raise ValueError("columns of a series differ in length")
    return columns


def _steps(steps: Any) -> Ints:
    try:
        return np.clip(np.asarray(steps, np.int64), -_MOST_STEP, _MOST_STEP)
    except OverflowError:
        return np.array([max(-_MOST_STEP, min(int(s), _MOST_STEP)) for s in steps], np.int64)


def _summary(points: Columns, first: int) -> tuple[float | None, float | None, float | None, int, bytes]:
    """Least, greatest, sum, number of gaps, and the outline an overview is drawn from."""
    known = points.values[~np.isnan(points.values)]
    outline = encode_outline(points, first)
    gaps = len(points) - len(known)
    if not len(known):
        return None, None, None, gaps, outline
    with np.errstate(invalid="ignore", over="ignore"):
        return float(known.min()), float(known.max()), float(known.sum()), gaps, outline
