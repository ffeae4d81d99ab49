"""Whether the queue is paused; kept in lab.db, so that it survives a restart."""

from __future__ import annotations

from rl_lab.orchestrator.context import Context
from rl_lab.store.sql import meta

KEY = "queue_paused"


class QueuePause:
    def __init__(self, context: Context) -> None:
        self._db = context.db
        self.is_on = False

    async def open(self) -> None:
        self.is_on = bool(await self._db.read(lambda conn: meta.find(conn, KEY)))

    async def change(self, is_on: bool) -> None:
        await self._db.write(lambda conn: meta.put(conn, KEY, is_on))
        self.is_on = is_on
