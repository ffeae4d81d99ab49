"""The Context is what all rooms share: settings, database, bus, and the folders of runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from rl_lab.orchestrator.background import BackgroundTasks
from rl_lab.orchestrator.bus import CHANGED_ARTIFACTS_TOPIC, Bus
from rl_lab.orchestrator.change_feed import ChangeFeed
from rl_lab.orchestrator.run_folders import RunFolders
from rl_lab.settings import Settings
from rl_lab.store.sql.database import Database


@dataclass(frozen=True)
class Context:
    settings: Settings
    home: Path
    """The home folder, which this process holds."""
    db: Database
    bus: Bus
    changes: ChangeFeed
    """Publishes what was committed to the database."""
    folders: RunFolders
    tasks: BackgroundTasks
    """Work that nobody waits for; the lab waits for it when it closes."""
    own_code_changing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while rows and files of own environments differ, so that no number is given twice."""


@asynccontextmanager
async def open_context(settings: Settings) -> AsyncIterator[Context]:
    """The database brought up to date, and the change feed running; both are closed at the end."""
    bus = Bus()
    db = Database(settings.database_url or settings.home_path, _publish_changes(bus))
    try:
        await db.migrate()
        changes = ChangeFeed(db, bus)
        await changes.open()
        folders = RunFolders(settings.home_path, db, bus, changes)
        try:
            yield Context(settings, settings.home_path, db, bus, changes, folders, BackgroundTasks())
        finally:
            await changes.close()
            bus.close()
    finally:
        await db.close()


def _publish_changes(bus: Bus) -> Callable[[set[str]], None]:
    """For the writer's thread: runs whose artifacts were changed by a commit go on the bus."""
    loop = asyncio.get_running_loop()

    def publish(run_ids: set[str]) -> None:
        with suppress(RuntimeError):  # the event loop is closed
            loop.call_soon_threadsafe(bus.publish, CHANGED_ARTIFACTS_TOPIC, 0, frozenset(run_ids))

    return publish
