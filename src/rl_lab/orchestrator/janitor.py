"""The Janitor: deleted runs leave after their undo time; row, then folder to the trash, then the bytes."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.errors import LabError
from rl_lab.store import runs
from rl_lab.store.database import Database
from rl_lab.store.folders import RunFolder, list_run_ids

log = logging.getLogger(__name__)

MAX_WAIT_S = 60.0


class Janitor:
    def __init__(self, home: Path, db: Database, undo_s: float) -> None:
        self._home = home
        self._db = db
        self._undo_s = undo_s
        self._woken = asyncio.Event()
        self._sweeping = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._serve(), name="janitor")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        self._woken.set()

    async def _serve(self) -> None:
        await self._empty_trash()
        while True:
            self._woken.clear()
            try:
                await self.sweep()
            except (SQLAlchemyError, LabError, OSError) as error:
                log.warning("the janitor waits: %s", error)
            try:
                await asyncio.wait_for(self._woken.wait(), max(1.0, min(self._undo_s, MAX_WAIT_S)))
            except TimeoutError:
                continue

    async def sweep(self) -> list[str]:
        """Removes what can no longer be brought back. Every step may be repeated after a crash."""
        async with self._sweeping:
            before = datetime.now(UTC) - timedelta(seconds=self._undo_s)
            expired = await self._db.read(lambda conn: runs.list_deleted(conn, before))
            for run in expired:
                folder = RunFolder(self._home, run.id)
                await asyncio.to_thread(folder.move_to_trash)
                await self._db.write(partial(runs.purge, run_id=run.id))
                await asyncio.to_thread(folder.empty_trash)
            return [run.id for run in expired]

    async def _empty_trash(self) -> None:
        """What a crash left in the trash; it was decided before."""
        for run_id in await asyncio.to_thread(list_trashed, self._home):
            try:
                await asyncio.to_thread(RunFolder(self._home, run_id).empty_trash)
            except (LabError, OSError) as error:
                log.warning("trash/%s cannot be removed: %s", run_id, error)


def list_trashed(home: Path) -> list[str]:
    kept = set(list_run_ids(home))
    trash = home / "trash"
    return [p.name for p in trash.iterdir() if p.name not in kept] if trash.is_dir() else []
