"""Deletions: after the undo time a deleted run is removed: folder to the trash, then the row, then the bytes."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection

from rl_lab.core.errors import LabError
from rl_lab.orchestrator.context import Context
from rl_lab.store import removals, runs
from rl_lab.store.experiments import studies
from rl_lab.store.files.folders import RunFolder, list_run_ids

log = logging.getLogger(__name__)


class Deletions:
    def __init__(self, context: Context) -> None:
        self._home = context.home
        self._db = context.db
        self._undo_s = context.settings.undo_s

    async def catch_up(self) -> None:
        """Empties what a crash left in the trash."""
        for run_id in await asyncio.to_thread(list_trashed, self._home):
            try:
                await asyncio.to_thread(RunFolder(self._home, run_id).empty_trash)
            except (LabError, OSError) as error:
                log.warning("trash/%s cannot be removed: %s", run_id, error)

    async def tend(self) -> float:
        """Removes runs and studies whose undo time is over. Every step may be repeated after a crash."""
        before = datetime.now(UTC) - timedelta(seconds=self._undo_s)
        for run in await self._db.read(lambda conn: runs.list_deleted(conn, before)):
            try:
                await self._remove(run.id)
            except OSError as error:
                log.warning("the files of run %s cannot be removed now: %s", run.id, error)
        await self._db.write(lambda conn: studies.purge_deleted(conn, before))
        return max(1.0, self._undo_s)

    async def _remove(self, run_id: str) -> None:
        folder = RunFolder(self._home, run_id)
        await asyncio.to_thread(folder.move_to_trash)
        await self._db.write(lambda conn: _purge(conn, run_id))
        await asyncio.to_thread(folder.empty_trash)


def _purge(conn: Connection, run_id: str) -> None:
    runs.purge(conn, run_id)
    removals.forget_run(conn, run_id)


def list_trashed(home: Path) -> list[str]:
    kept = set(list_run_ids(home))
    trash = home / "trash"
    return [p.name for p in trash.iterdir() if p.name not in kept] if trash.is_dir() else []
