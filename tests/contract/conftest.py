"""One database per test, on SQLite and on a real PostgreSQL server, which is started once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
import sqlalchemy as sa

from rl_lab.store.sql.database import Database

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
    url: str = request.getfixturevalue("empty_postgresql")
    return url


@pytest.fixture
def db(where: Path | str) -> Iterator[Db]:
    db = Db(where)
    try:
        db.run(db.database.migrate())
        yield db
    finally:
        db.close()
