"""The tables of a telemetry.db and how its file is opened."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

from rl_lab.core.errors import Gone, NotReady

VERSION = 5
BUSY_TIMEOUT_MS = 5000
WAL_LIMIT_BYTES = 8 << 20

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, count INTEGER NOT NULL,
  last_step INTEGER, last_ms INTEGER, last_value REAL);
CREATE TABLE chunks (series INTEGER, first INTEGER, count INTEGER NOT NULL, sealed INTEGER NOT NULL,
  step_min INTEGER NOT NULL, step_max INTEGER NOT NULL, ms_min INTEGER NOT NULL, ms_max INTEGER NOT NULL,
  v_min REAL, v_max REAL, v_sum REAL, nans INTEGER, outline BLOB,
  PRIMARY KEY (series, first)) WITHOUT ROWID;
CREATE TABLE chunk_data (series INTEGER, first INTEGER, payload BLOB NOT NULL, PRIMARY KEY (series, first));
CREATE TABLE open_points (series INTEGER, first INTEGER, payload BLOB NOT NULL,
  PRIMARY KEY (series, first)) WITHOUT ROWID;
CREATE TABLE episodes (episode INTEGER PRIMARY KEY, at REAL NOT NULL, env INTEGER NOT NULL, seed INTEGER, reward REAL,
  length INTEGER NOT NULL, terminated INTEGER, truncated INTEGER, success INTEGER, timestep INTEGER,
  recorded INTEGER NOT NULL, extra TEXT, env_group INTEGER, group_step INTEGER);
CREATE INDEX episodes_reward ON episodes (reward);
CREATE INDEX episodes_length ON episodes (length);
CREATE TABLE contexts (id INTEGER PRIMARY KEY, data TEXT NOT NULL UNIQUE);
CREATE TABLE recordings (episode INTEGER PRIMARY KEY, context INTEGER NOT NULL, seed INTEGER NOT NULL,
  count INTEGER NOT NULL, stride INTEGER NOT NULL, flags INTEGER NOT NULL, low REAL NOT NULL, high REAL NOT NULL,
  payload BLOB NOT NULL);
CREATE TABLE recording_chunks (id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL,
  count INTEGER NOT NULL, size INTEGER NOT NULL, payload BLOB NOT NULL);
CREATE INDEX recording_chunks_first ON recording_chunks (first, last);
CREATE TABLE live (env INTEGER PRIMARY KEY, episode INTEGER NOT NULL, context INTEGER, seed INTEGER NOT NULL,
  count INTEGER NOT NULL, returned REAL, timestep INTEGER, actions BLOB, rewards BLOB, vals BLOB, chosen BLOB,
  generator BLOB, env_group INTEGER, checksums BLOB, extra BLOB);
CREATE TABLE thoughts (episode INTEGER PRIMARY KEY, payload BLOB NOT NULL);
CREATE TABLE ticks (id INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT NOT NULL);
CREATE TABLE step_batches (id INTEGER PRIMARY KEY AUTOINCREMENT, count INTEGER NOT NULL, payload BLOB NOT NULL);
"""


_UPGRADES = {
    1: "ALTER TABLE live ADD COLUMN generator BLOB;",
    2: "ALTER TABLE live ADD COLUMN env_group INTEGER; ALTER TABLE episodes ADD COLUMN env_group INTEGER;"
    " ALTER TABLE episodes ADD COLUMN group_step INTEGER;",
    3: "ALTER TABLE live ADD COLUMN checksums BLOB;",
    4: "ALTER TABLE live ADD COLUMN extra BLOB;",
}
"""Upgrades from a version to the next one. Readers read files of all versions without upgrading them."""


def open_writer(path: Path) -> sqlite3.Connection:
    """The only connection that writes and checkpoints; creates the file when it is missing."""
    if not path.exists():
        _create(path)
    conn = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    conn.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    conn.execute("PRAGMA synchronous=FULL")
    conn.execute(f"PRAGMA journal_size_limit={WAL_LIMIT_BYTES}")
    version = conn.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        conn.close()
        raise _newer(path, version)
    for older in range(version, VERSION):
        conn.executescript(f"BEGIN IMMEDIATE; {_UPGRADES[older]} PRAGMA user_version={older + 1}; COMMIT;")
    return conn


def _create(path: Path) -> None:
    """Create under another name, then rename: a reader finds a file with its tables, or none."""
    aside = path.with_name(f".new-{path.name}")
    aside.unlink(missing_ok=True)
    conn = sqlite3.connect(aside, isolation_level=None)
    conn.execute("PRAGMA journal_mode=WAL")
    conn.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version={VERSION}; COMMIT;")
    conn.close()
    aside.rename(path)


def open_reader(path: Path) -> sqlite3.Connection:
    """A connection that can neither write nor checkpoint."""
    if not path.exists():
        raise Gone(
            f"The telemetry of this run is missing: {path} does not exist.",
            next_step="Restore the run's folder from a backup, or delete the run.",
        )
    uri = f"file:{quote(str(path))}?mode=ro"
    conn = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        conn.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        conn.execute("PRAGMA query_only=ON")
        conn.execute("PRAGMA wal_autocheckpoint=0")
        version = conn.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as error:
        conn.close()
        raise damaged(path, error) from error
    if version > VERSION:
        conn.close()
        raise _newer(path, version)
    return conn


def damaged(path: Path, error: sqlite3.DatabaseError) -> Gone:
    return Gone(
        f"The telemetry of this run cannot be read: {path} is damaged ({error}).",
        next_step="Restore the file from a backup; the run's metrics.jsonl may still be intact.",
    )


def _newer(path: Path, version: int) -> NotReady:
    return NotReady(
        f"{path} has version {version}, written by a newer RL Lab; this one reads up to version {VERSION}.",
        next_step="Install the newer version again.",
    )
