"""Trackio's database: a SQLite file per project; its table `metrics` has a row of JSON per step of each run.

The database is read from a copy: SQLite would write next to a file that it opens, and the folder is not to be changed.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from rl_lab.analysis.adoption.configs import facts_of_config
from rl_lab.analysis.adoption.pieces import Facts, Piece, curve

MAGIC = b"SQLite format 3\x00"
MAX_BYTES = 1 << 30
MAX_NAMES = 1500
MAX_RUNS = 1000
SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
COLUMNS = {"id", "timestamp", "run_name", "step", "metrics"}


def find_runs(file: BinaryIO) -> list[str]:
    """The names of the runs in a database of Trackio; empty for any other file."""
    if file.read(len(MAGIC)) != MAGIC:
        return []
    try:
        with _opened(file) as conn:
            found = {row[1] for row in conn.execute("PRAGMA table_info(metrics)")}
            if not found >= COLUMNS:
                return []
            query = "SELECT DISTINCT run_name FROM metrics ORDER BY run_name LIMIT ?"
            return [str(name) for (name,) in conn.execute(query, (MAX_RUNS,)) if str(name).isprintable()]
    except (OSError, sqlite3.Error):
        return []


def read_trackio(file: BinaryIO, start: int, memo: dict[str, Any]) -> Piece:
    """Rows of the run `memo["run"]` after the last one that was read."""
    piece = Piece(os.fstat(file.fileno()).st_size, memo=dict(memo))
    columns: dict[str, tuple[list[float], list[float], list[float]]] = {}
    try:
        with _opened(file) as conn:
            piece.facts = _config(conn, memo["run"])
            query = "SELECT id, timestamp, step, metrics FROM metrics WHERE run_name=? AND id>? ORDER BY id"
            for number, at, step, text in conn.execute(query, (memo["run"], memo.get("last", 0))):
                piece.memo["last"] = number
                for name, value in _numbers(text):
                    for column, cell in zip(
                        columns.setdefault(name, ([], [], [])), (step, _time(at), value), strict=True
                    ):
                        column.append(cell)
    except (sqlite3.Error, OSError) as error:
        piece.problems.append(f"It cannot be read as a database of Trackio ({error}).")
    piece.curves = {name: curve(*column) for name, column in list(columns.items())[:MAX_NAMES]}
    piece.facts.title = str(memo["run"])[:200]
    return piece


@contextmanager
def _opened(file: BinaryIO) -> Iterator[sqlite3.Connection]:
    """A copy of the database with what its write-ahead log holds."""
    beside = Path(f"{Path(f'/proc/self/fd/{file.fileno()}').readlink()}-wal")
    with tempfile.TemporaryDirectory(prefix="rl-lab-") as folder:
        copy = Path(folder, "copy.db")
        has_log = beside.is_file() and not beside.is_symlink()
        if os.fstat(file.fileno()).st_size + (beside.stat().st_size if has_log else 0) > MAX_BYTES:
            raise OSError(f"it is larger than {MAX_BYTES >> 30} GiB")
        file.seek(0)
        with copy.open("wb") as target:
            shutil.copyfileobj(file, target)
        if has_log:
            shutil.copy(beside, Path(folder, "copy.db-wal"))
        with closing(sqlite3.connect(copy)) as conn:
            yield conn


def _config(conn: sqlite3.Connection, run: str) -> Facts:
    try:
        row = conn.execute("SELECT config FROM configs WHERE run_name=?", (run,)).fetchone()
    except sqlite3.Error:  # early versions have no such table
        return Facts()
    found = _json(row[0]) if row else {}
    return facts_of_config({key: value for key, value in found.items() if not key.startswith("_")})


def _numbers(text: Any) -> Iterator[tuple[str, float]]:
    for name, value in _json(text).items():
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e308:
            yield name[:200], float(value)
        elif isinstance(value, str) and value in SPECIAL:
            yield name[:200], SPECIAL[value]


def _json(text: Any) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _time(text: Any) -> float:
    try:
        return datetime.fromisoformat(str(text)).timestamp()
    except (ValueError, OverflowError):
        return math.nan
