"""One empty database per test, on SQLite and on a real PostgreSQL server, which is started once.

The tables on PostgreSQL are created once: creating them takes longer than most tests, deleting their rows does not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
import sqlalchemy as sa

from rl_lab.store.sql.database import Database
from rl_lab.store.sql.tables import metadata

T = TypeVar("T")


class Db:
    """A Database for tests without an event loop."""

    def __init__(self, where: Path | str) -> None:
        self.changed: list[set[str]] = []
        """Runs whose artifacts each commit changed."""
        self.database = Database(where, self.changed.append)
        self._runner = asyncio.Runner()

    def run(self, work: Any) -> Any:
        return self._runner.run(work)

    def write(self, work: Callable[[sa.Connection], T]) -> T:
        result: T = self.run(self.database.write(work))
        return result

    def read(self, work: Callable[[sa.Connection], T]) -> T:
        result: T = self.run(self.database.read(work))
        return result

    def close(self) -> None:
        self.run(self.database.close())
        self._runner.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """The argument for opening a Database."""
    if request.param == "sqlite":
        return tmp_path
    url: str = request.getfixturevalue("tables_on_postgresql")
    _delete_rows(url)
    return url


@pytest.fixture(scope="session")
def tables_on_postgresql(postgresql_url: str) -> str:
    """A migrated database of its own."""
    engine = sa.create_engine(postgresql_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as conn:
        conn.execute(sa.text("CREATE DATABASE contract"))
    engine.dispose()
    url = sa.make_url(postgresql_url).set(database="contract").render_as_string(hide_password=False)
    db = Db(url)
    try:
        db.run(db.database.migrate())
    finally:
        db.close()
    return url


def _delete_rows(url: str) -> None:
    engine = sa.create_engine(url)
    with engine.begin() as conn:
        conn.execute(sa.text("SET LOCAL session_replication_role = replica"))  # no check of references
        conn.execute(sa.text("; ".join(f'DELETE FROM "{table.name}"' for table in metadata.sorted_tables)))
        conn.execute(sa.text("SELECT setval(oid, 1, false) FROM pg_class WHERE relkind = 'S'"))
    engine.dispose()


@pytest.fixture
def db(where: Path | str) -> Iterator[Db]:
    db = Db(where)
    try:
        db.run(db.database.migrate())
        yield db
    finally:
        db.close()
