"""lab.db: one writer connection on its own thread, and a few reader connections.

SQLite before 3.51.3 can lose a WAL reset if two connections checkpoint at the same time. So exactly one connection
writes and checkpoints; readers open the file read-only. PostgreSQL uses the same two engines.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.store.artifacts import CHANGED
from rl_lab.store.sql import migration

T = TypeVar("T")

READERS = 3
BUSY_TIMEOUT_MS = 5000
WAL_LIMIT_BYTES = 16 << 20


class Database:
    """The lab's database, given by the home folder with lab.db or by a PostgreSQL URL."""

    def __init__(
        self, home_or_url: Path | str, on_artifacts: Callable[[set[str]], None] = lambda run_ids: None
    ) -> None:
        """`on_artifacts` is called on the writer's thread after a commit that changed artifacts of these runs."""
        if isinstance(home_or_url, str) and "://" in home_or_url:
            self.path: Path | None = None
            self._writer, self._reader = _postgresql_engines(home_or_url)
        else:
            self.path = Path(home_or_url) / "lab.db"
            self._writer, self._reader = _sqlite_writer(self.path), _sqlite_reader(self.path)
        self._on_artifacts = on_artifacts
        self._write_thread = ThreadPoolExecutor(1, thread_name_prefix="lab-db-write")
        self._read_threads = ThreadPoolExecutor(READERS, thread_name_prefix="lab-db-read")

    async def migrate(self) -> None:
        """Creates the tables, or migrates those of an older version; fast if there is nothing to do.

        Raises NotReady if the database cannot be reached.
        """
        try:
            await asyncio.get_running_loop().run_in_executor(self._write_thread, self._migrate)
        except DBAPIError as error:
            raise _cannot_open(self.path, error) from error

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Runs `work` in one transaction on the writer; it is committed when this returns."""
        return await asyncio.get_running_loop().run_in_executor(self._write_thread, self._write, work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Runs `work` on a consistent snapshot, in parallel to the writer."""
        return await asyncio.get_running_loop().run_in_executor(self._read_threads, self._read, work)

    def write_from_thread(self, work: Callable[[Connection], T]) -> T:
        """`write` for a thread without an event loop, such as the ingest thread."""
        return self._write_thread.submit(self._write, work).result()

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _migrate(self) -> None:
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        migration.migrate(self._writer, backup_of=self.path)

    def _write(self, work: Callable[[Connection], T]) -> T:
        changed: set[str] = set()
        with self._writer.begin() as conn:
            conn.info[CHANGED] = changed
            done = work(conn)
        if changed:
            self._on_artifacts(changed)
        return done

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self._reader.connect() as conn:
            return work(conn)

    def _close(self) -> None:
        # Readers are closed first, so that the last open connection is the writer, which may checkpoint.
        self._read_threads.shutdown()
        self._reader.dispose()
        self._write_thread.shutdown()
        self._writer.dispose()


def is_disk_full(error: BaseException) -> bool:
    """Whether a database error means that the disk is full: nothing was written, and a retry may work later."""
    cause = getattr(error, "orig", None) or error
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorname", "") in ("SQLITE_FULL", "SQLITE_IOERR_WRITE")
    return getattr(cause, "sqlstate", "") == "53100"


def _cannot_open(path: Path | None, error: DBAPIError) -> NotReady:
    reason = (str(error.orig).strip().splitlines() or ["no reason given"])[0]
    if path is None:
        return NotReady(
            f"The PostgreSQL database cannot be used: {reason}",
            next_step="Check that it is running and that RL_LAB_DATABASE_URL is correct.",
        )
    return NotReady(
        f"The database {path} cannot be opened: {reason}.",
        next_step="Restore it from a backup, or move it away to start with an empty list; run folders are kept.",
    )


def _sqlite_writer(path: Path) -> Engine:
    def connect() -> sqlite3.Connection:
        conn = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        conn.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        conn.execute("PRAGMA journal_mode=WAL")
        conn.execute("PRAGMA synchronous=FULL")
        conn.execute("PRAGMA foreign_keys=ON")
        conn.execute(f"PRAGMA journal_size_limit={WAL_LIMIT_BYTES}")
        return conn

    return _begin_with(_pool_of(connect, 1), "BEGIN IMMEDIATE")


def _sqlite_reader(path: Path) -> Engine:
    def connect() -> sqlite3.Connection:
        uri = f"file:{quote(str(path))}?mode=ro"
        conn = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        conn.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        conn.execute("PRAGMA query_only=ON")
        conn.execute("PRAGMA wal_autocheckpoint=0")
        return conn

    return _begin_with(_pool_of(connect, READERS), "BEGIN")


def _pool_of(connect: Callable[[], sqlite3.Connection], size: int) -> Engine:
    return create_engine(
        "sqlite+pysqlite://", creator=connect, poolclass=QueuePool, pool_size=size, max_overflow=0
    )


def _begin_with(engine: Engine, statement: str) -> Engine:
    # The driver starts transactions late, and none for reads; this starts them where SQLAlchemy does.
    event.listen(engine, "begin", lambda conn: conn.exec_driver_sql(statement))
    return engine


def _postgresql_engines(url: str) -> tuple[Engine, Engine]:
    if not url.startswith("postgresql+psycopg://"):
        raise InvalidInput.of_field(
            "database_url", "must start with postgresql+psycopg://; leave it empty to use SQLite", None
        )
    writer = create_engine(url, pool_size=1, max_overflow=0, pool_pre_ping=True)
    reader = create_engine(
        url,
        pool_size=READERS,
        max_overflow=0,
        pool_pre_ping=True,
        isolation_level="REPEATABLE READ",
        connect_args={"options": "-c default_transaction_read_only=on"},
    )
    return writer, reader
