"""Publishes on the bus what was committed to lab.db: changed runs, and new events in the order of their ids."""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.runs import Run, RunEvent
from rl_lab.orchestrator.bus import RUNS_TOPIC, Bus, events_topic, status_topic
from rl_lab.store import events as event_log
from rl_lab.store.sql.database import Database

log = logging.getLogger(__name__)

PAGE = 200
RETRY_S = 1.0


class ChangeFeed:
    def __init__(self, db: Database, bus: Bus) -> None:
        self._db = db
        self._bus = bus
        self._written = asyncio.Event()
        self._last_id = 0
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._last_id = await self._db.read(event_log.newest_id)
        self._task = asyncio.create_task(self._follow(), name="feed")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def run_changed(self, run: Run) -> None:
        """Publishes a run as it stands now; its change usually wrote an event as well."""
        cursor = int(run.updated_at.timestamp() * 1e6)
        self._bus.publish(RUNS_TOPIC, cursor, run)
        self._bus.publish(status_topic(run.id), cursor, run)
        self._written.set()

    def events_written(self) -> None:
        self._written.set()

    async def _follow(self) -> None:
        while True:
            await self._written.wait()
            self._written.clear()
            try:
                await self._publish_new()
            except SQLAlchemyError as error:
                log.warning("the event log cannot be read: %s", error)
                await asyncio.sleep(RETRY_S)
                self._written.set()

    async def _publish_new(self) -> None:
        while True:
            page = await self._db.read(self._new_page)
            for event in page:
                self._bus.publish(events_topic(event.run_id), event.id, event)
                self._last_id = event.id
            if len(page) < PAGE:
                return

    def _new_page(self, conn: Connection) -> list[RunEvent]:
        return event_log.list_page(conn, None, after_id=self._last_id, limit=PAGE)
