"""Writing to lab.db on behalf of a user: a full disk is answered in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.errors import StorageFull
from rl_lab.store.sql.database import Database, is_disk_full

T = TypeVar("T")

FULL, FREE_SPACE = "The disk is full, so this could not be stored.", "Free some space and try again."


class Writing:
    def __init__(self, db: Database) -> None:
        self.db = db

    async def write(self, work: Callable[[Connection], T]) -> T:
        try:
            return await self.db.write(work)
        except SQLAlchemyError as error:
            if not is_disk_full(error):
                raise
            raise StorageFull(FULL, next_step=FREE_SPACE) from None
