"""Housekeeping: everything that keeps the lab's disk in order, put together once."""

from __future__ import annotations

import logging
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.disk.retention import RetentionChange, RetentionState
from rl_lab.orchestrator.bus import Bus
from rl_lab.orchestrator.change_feed import ChangeFeed
from rl_lab.orchestrator.housekeeping.archives import Archives
from rl_lab.orchestrator.housekeeping.artifact_edits import ArtifactEdits
from rl_lab.orchestrator.housekeeping.deletions import Deletions
from rl_lab.orchestrator.housekeeping.disk_usage import Usage
from rl_lab.orchestrator.housekeeping.janitor import Janitor
from rl_lab.orchestrator.housekeeping.lab_quota import LabQuota
from rl_lab.orchestrator.housekeeping.manifests import Manifests
from rl_lab.orchestrator.housekeeping.pruning import Knobs, Pruning
from rl_lab.orchestrator.writing import Writing
from rl_lab.settings import Settings

log = logging.getLogger(__name__)


class Housekeeping:
    def __init__(self, settings: Settings, writing: Writing, bus: Bus, feed: ChangeFeed) -> None:
        home: Path = settings.home_path
        db = writing.db
        self.knobs = Knobs(settings, db)
        self.pruning = Pruning(home, db, feed, self.knobs)
        self.usage = Usage(home, db, self.knobs)
        self.manifests = Manifests(home, db, bus, self.knobs)
        self.archives = Archives(home, db, feed)
        self.collection = ArtifactEdits(writing, self.pruning, self.archives.open)
        self.limit = LabQuota(db, self.knobs, self.usage, self.pruning)
        deletions = Deletions(home, db, settings.undo_s)
        self.janitor = Janitor(
            first=(deletions.catch_up, self.archives.catch_up, self.pruning.catch_up),
            tasks=(deletions.tend, self.archives.tend, self.pruning.tend, self.limit.tend),
        )
        self.archives.on_change = self._folder_changed

    async def open(self) -> None:
        await self.knobs.open()
        await self.manifests.open()
        self.janitor.open()

    async def close(self) -> None:
        self.archives.close()
        await self.janitor.close()
        await self.usage.close()
        await self.manifests.close()

    async def change_retention(self, change: RetentionChange) -> RetentionState:
        """The janitor prunes to the new knobs at once."""
        state = await self.knobs.change(change)
        self.pruning.is_due = True
        self.janitor.wake()
        return state

    def archiving_decided(self, run_id: str) -> None:
        """A person archived a run, or took it back; what it has beyond the knobs goes when it is unpacked."""
        self.archives.decided(run_id)
        self.pruning.is_due = True
        self.janitor.wake()

    async def prune(self, run_id: str) -> None:
        """After a run made files, or has ended."""
        try:
            await self.pruning.prune(run_id)
        except SQLAlchemyError as error:
            log.warning("run %s is not pruned now: %s", run_id, error)

    def _folder_changed(self, run_id: str) -> None:
        self.usage.forget(run_id)
        self.manifests.note({run_id})
