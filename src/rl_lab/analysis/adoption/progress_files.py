"""progress.csv as SB3's logger and Ray Tune write it: a header of names, then one row per update."""

from __future__ import annotations

import csv
import math
from typing import Any, BinaryIO

import numpy as np

from rl_lab.analysis.adoption.lines import read_lines
from rl_lab.analysis.adoption.pieces import Piece, curve, written_at
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.csv_text import as_written

STEP_COLUMNS = (
    "time/total_timesteps",
    "timesteps_total",
    "num_env_steps_sampled_lifetime",
    "total_timesteps",
    "global_step",
    "timesteps",
    "step",
    "training_iteration",
    "time/iterations",
)
CLOCK_COLUMNS = ("timestamp",)
ELAPSED_COLUMNS = ("time/time_elapsed", "time_total_s", "time_elapsed")
MAX_COLUMNS = 2000
csv.field_size_limit(1 << 20)


def read_progress(file: BinaryIO, start: int, memo: dict[str, Any]) -> Piece:
    found = read_lines(file, start)
    if found.too_long:
        problems = ["A line is longer than 4 MiB; it was left out."]
        return Piece(found.offset, memo=memo, problems=problems, is_complete=found.is_complete)
    lines = found.lines
    names: list[str] | None = memo.get("names")
    if names is None:
        if not lines:
            return Piece(start, memo=memo)
        names = [as_written(name) for name in _cells(lines.pop(0))]
        words = _refuse(names)
        if words:
            return Piece(found.offset, memo={"names": []}, problems=[words])
    piece = Piece(found.offset, memo={**memo, "names": names}, is_complete=found.is_complete)
    rows = [_cells(line) for line in lines if line.strip()]
    whole = [row for row in rows if len(row) == len(names)]
    if len(whole) < len(rows):
        bad = len(rows) - len(whole)
        piece.problems.append(f"{plural(bad, 'row')} with another number of columns left out.")
    if names and whole:
        _columns(piece, names, whole, written_at(file))
    return piece


def _cells(line: bytes) -> list[str]:
    try:
        return next(csv.reader([line.decode("utf-8", "replace").replace("\x00", "\ufffd")]), [])
    except csv.Error:
        return []


def _refuse(names: list[str]) -> str | None:
    if len(names) > MAX_COLUMNS:
        return f"It has {len(names):,} columns; up to {MAX_COLUMNS:,} are read."
    if any("\ufffd" in name or not name.isprintable() for name in names):
        return "It is no table of text: its first line holds other bytes."
    if len(names) < 2:
        return "Its first line holds no names of columns."
    return None


def _columns(piece: Piece, names: list[str], rows: list[list[str]], mtime: float) -> None:
    table = np.array([[_number(cell) for cell in row] for row in rows])
    column = {name: table[:, i] for i, name in enumerate(names)}
    first = int(piece.memo.get("rows", 0))
    piece.memo["rows"] = first + len(rows)
    steps = _steps(column, first, len(rows))
    times = _times(piece.memo, column, mtime, len(rows))
    clocks = {*STEP_COLUMNS, *CLOCK_COLUMNS, *ELAPSED_COLUMNS}
    for name, values in column.items():
        # An empty cell is a name that this update did not log.
        is_filled = np.array([row[names.index(name)].strip() != "" for row in rows])
        is_number = is_filled & ~(np.isnan(values) & ~_is_nan_text(rows, names.index(name)))
        if name not in clocks and is_number.any():
            piece.curves[name] = curve(steps, times, values).only(is_number)


def _is_nan_text(rows: list[list[str]], place: int) -> Any:
    return np.array([row[place].strip().lower() in ("nan", "+nan", "-nan") for row in rows])


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return math.nan


def _steps(column: dict[str, Any], first: int, count: int) -> Any:
    for name in STEP_COLUMNS:
        if name in column and np.isfinite(column[name]).any():
            return column[name]
    return np.arange(first, first + count)


def _times(memo: dict[str, Any], column: dict[str, Any], mtime: float, count: int) -> Any:
    for name in CLOCK_COLUMNS:
        if name in column:
            return column[name]
    for name in ELAPSED_COLUMNS:
        if name in column and np.isfinite(column[name]).any():
            memo.setdefault("began", mtime - float(np.nanmax(column[name])))
            return memo["began"] + column[name]
    return np.full(count, np.nan)
