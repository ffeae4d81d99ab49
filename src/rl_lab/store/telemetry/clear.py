"""Empties a telemetry.db in place: for an adopted source that was replaced and is read again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from rl_lab.store.telemetry.schema import BUSY_TIMEOUT_MS


def empty(path: Path) -> None:
    """In one transaction: readers see all or nothing. Ids of ticks continue, so that none is used twice."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        found = conn.execute("SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%'")
        tables = [name for (name,) in found]
        conn.execute("BEGIN IMMEDIATE")
        for table in tables:
            conn.execute(f"DELETE FROM {table}")  # noqa: S608 - a name of our own schema
        conn.execute("COMMIT")
