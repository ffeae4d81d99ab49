"""Publishes on the bus what was committed to lab.db: changed runs, and new events in the order of their ids."""

from __future__ import annotations

from sqlalchemy import Connection

from rl_lab.core.run_events import RunEvent
from rl_lab.core.runs import Run
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.bus import RUNS_TOPIC, Bus, events_topic, status_topic
from rl_lab.store import events
from rl_lab.store.sql.database import Database

PAGE = 200


class ChangeFeed:
    def __init__(self, db: Database, bus: Bus) -> None:
        self._db = db
        self._bus = bus
        self._last_id = 0
        self._loop = BackgroundLoop("change feed", self._publish_new)

    async def open(self) -> None:
        self._last_id = await self._db.read(events.newest_id)
        self._loop.open()

    async def close(self) -> None:
        await self._loop.close()

    def run_changed(self, run: Run) -> None:
        """Publishes a run after a change was committed; the change usually wrote an event as well."""
        cursor = int(run.updated_at.timestamp() * 1e6)
        self._bus.publish(RUNS_TOPIC, cursor, run)
        self._bus.publish(status_topic(run.id), cursor, run)
        self._loop.wake()

    def events_written(self) -> None:
        """New events were committed."""
        self._loop.wake()

    async def _publish_new(self) -> None:
        while True:
            page = await self._db.read(self._new_page)
            for event in page:
                self._bus.publish(events_topic(event.run_id), event.id, event)
                self._last_id = event.id
            if len(page) < PAGE:
                return

    def _new_page(self, conn: Connection) -> list[RunEvent]:
        return events.list_page(conn, None, after_id=self._last_id, limit=PAGE)
