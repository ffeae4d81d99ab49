"""Copies a telemetry.db that somebody else has made: row by row into a new file with the lab's own tables.

The foreign file is opened read-only and never used itself: its schema, triggers and views stay behind. Every value
must have the type of its column, and everything that is stored compressed must unpack to a sensible size.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson

from rl_lab.core.errors import LabError
from rl_lab.store.telemetry.chunks import CHUNK_POINTS
from rl_lab.store.telemetry.reader import TelemetryReader
from rl_lab.store.telemetry.schema import VERSION, open_reader, open_writer
from rl_lab.store.telemetry.stored_recordings import (
    ROW,
    StoredRecording,
    column_sizes,
    decode_chunk_of_recordings,
    from_row,
)

MAGIC = b"SQLite format 3\x00"
BITE = 1000
MAX_UNPACKED = 64 << 20
"""Of one compressed value."""
LEFT_BEHIND = ("live", "sqlite_sequence")
"""An episode that was being played; SQLite's own counters."""
PACKED = {"chunk_data": 1, "recording_chunks": 4, "thoughts": 0, "step_batches": 0}
"""Tables with compressed payloads, and the bytes before the compressed part."""
TYPES: dict[str, tuple[type, ...]] = {
    "INTEGER": (int,),
    "REAL": (int, float),
    "TEXT": (str,),
    "BLOB": (bytes,),
    "": (int, float, str, bytes),
}


class BadTelemetry(Exception):
    """The reason, as the end of a sentence."""


def copy_telemetry(source: Path, target: Path) -> None:
    """Raises BadTelemetry unless all of it can be read; `target` is then not to be used."""
    with source.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise BadTelemetry("it is not an SQLite database")
    try:
        with closing(_open_foreign(source)) as foreign, closing(open_writer(target)) as own:
            names = _check_schema(foreign)
            left = 4 * source.stat().st_size + (1 << 20)
            own.execute("BEGIN IMMEDIATE")
            for table in _own_tables(own):
                if table in names:
                    left = _copy_table(foreign, own, table, left)
            own.execute("COMMIT")
            own.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        _read_all(target)
    except (sqlite3.Error, LabError, zlib.error) as error:
        raise BadTelemetry(f"it is damaged ({error})") from None
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, MemoryError) as error:
        raise BadTelemetry(f"a value in it cannot be read ({type(error).__name__})") from None


def _open_foreign(path: Path) -> sqlite3.Connection:
    conn = sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True, isolation_level=None)
    conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_UNPACKED)
    for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "query_only=ON", "mmap_size=0"):
        conn.execute(f"PRAGMA {pragma}")
    return conn


def _check_schema(conn: sqlite3.Connection) -> set[str]:
    """The names of its tables; only plain tables and indexes, in a version that this lab reads."""
    version = conn.execute("PRAGMA user_version").fetchone()[0]
    if not 1 <= version <= VERSION:
        raise BadTelemetry(f"it has version {version}; this lab reads versions 1 to {VERSION}")
    names = set()
    for kind, name, sql in conn.execute("SELECT type, name, sql FROM sqlite_master"):
        is_plain = kind == "index" or (
            kind == "table" and (name == "sqlite_sequence" or str(sql).upper().startswith("CREATE TABLE "))
        )
        if not is_plain:
            raise BadTelemetry(f"it contains a {kind} “{name}”, which no telemetry has")
        names |= {name} if kind == "table" else set()
    return names


def _own_tables(own: sqlite3.Connection) -> list[str]:
    found = own.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchall()
    return [name for (name,) in found if name not in LEFT_BEHIND]


def _copy_table(foreign: sqlite3.Connection, own: sqlite3.Connection, table: str, left: int) -> int:
    """Copies the columns that both have; `left` bytes may still come, more than any honest file holds."""
    types = {row[1]: row[2] for row in own.execute(f"PRAGMA table_info({table})")}
    hidden = [row[1] for row in foreign.execute(f"PRAGMA table_xinfo({table})") if row[6]]
    if hidden:
        raise BadTelemetry(f"its table {table} has computed columns")
    columns = [row[1] for row in foreign.execute(f"PRAGMA table_info({table})") if row[1] in types]
    listed = ", ".join(columns)
    marks = ", ".join("?" * len(columns))
    rows = foreign.execute(f"SELECT {listed} FROM {table}")  # noqa: S608 - names of our own schema
    while bite := rows.fetchmany(BITE):
        for row in bite:
            left -= _check_row(table, columns, types, row)
            if left < 0:
                raise BadTelemetry("it holds more than its size allows")
        own.executemany(f"INSERT INTO {table} ({listed}) VALUES ({marks})", bite)  # noqa: S608
    return left


def _check_row(table: str, columns: list[str], types: dict[str, str], row: tuple[Any, ...]) -> int:
    """The size of the row; raises for a value of the wrong type and for what would unpack to too much."""
    size = 0
    for name, value in zip(columns, row, strict=True):
        if value is not None and not isinstance(value, TYPES[types[name]]):
            raise BadTelemetry(f"its column {table}.{name} holds {type(value).__name__}")
        size += len(value) if isinstance(value, str | bytes) else 2
        if name == "payload" and table in PACKED and isinstance(value, bytes):
            _check_unpacked(value[PACKED[table] :])
    if table == "chunks" and not 0 <= row[columns.index("count")] <= CHUNK_POINTS:
        raise BadTelemetry("a part of its curves has an impossible number of points")
    return size


def _check_unpacked(data: bytes) -> None:
    unpacking = zlib.decompressobj()
    unpacking.decompress(data, MAX_UNPACKED)
    if unpacking.unconsumed_tail:
        raise BadTelemetry(f"a value in it unpacks to more than {MAX_UNPACKED:,} bytes")


def _read_all(path: Path) -> None:
    """Everything that a page may ask for can be read."""
    with TelemetryReader(path) as reader:
        for read in (reader.origins, reader.environments, reader.position, reader.counters):
            read()
        for latest in reader.latest():
            for _ in _series(reader, latest.name, latest.count):
                pass
        after = -1
        while rows := reader.episode_rows(after, BITE):
            after = rows[-1].episode
        reader.steps_tail(1)
        tick = 0
        while ticks := reader.ticks_after(tick):
            tick = ticks[-1].id
    with closing(open_reader(path)) as conn:
        _read_recordings(conn)


def _read_recordings(conn: sqlite3.Connection) -> None:
    """Each chunk once: reading episode by episode would unpack it for each of its recordings."""
    contexts = {number: orjson.loads(data) for number, data in conn.execute("SELECT id, data FROM contexts")}
    for row in conn.execute("SELECT * FROM recordings"):
        head = dict(zip(ROW, row, strict=False))
        if sum(column_sizes(head["count"], head["stride"], head["flags"])) != len(row[-1]):
            raise ValueError("a recording is not as long as it says")
        _check_recordings([from_row(row)], contexts)
    for (payload,) in conn.execute("SELECT payload FROM recording_chunks"):
        _check_recordings(decode_chunk_of_recordings(payload), contexts)


def _check_recordings(found: Iterable[StoredRecording], contexts: dict[int, Any]) -> None:
    for recording in found:
        if not isinstance(contexts[recording.context], dict):
            raise ValueError("an environment is not described")
        if len(recording.actions) != recording.count * recording.stride:
            raise ValueError("a recording is shorter than it says")


def _series(reader: TelemetryReader, name: str, count: int) -> Iterator[int]:
    at = -1
    while at + 1 < count:
        found = reader.after(name, at, 20_000)
        if not len(found):
            raise ValueError("a series is shorter than it says")
        at = int(found.index[-1])
        yield at
