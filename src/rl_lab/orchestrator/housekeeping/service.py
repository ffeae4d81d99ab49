"""Housekeeping: the parts that keep the lab's disk in order, opened and closed together."""

from __future__ import annotations

import logging

from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.disk.retention import RetentionChange, RetentionState
from rl_lab.orchestrator.bus import FOLDERS_TOPIC
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.housekeeping.archives import Archives
from rl_lab.orchestrator.housekeeping.artifact_edits import ArtifactEdits
from rl_lab.orchestrator.housekeeping.auto_archive import AutoArchive
from rl_lab.orchestrator.housekeeping.deletions import Deletions
from rl_lab.orchestrator.housekeeping.disk_usage import Usage
from rl_lab.orchestrator.housekeeping.janitor import Janitor
from rl_lab.orchestrator.housekeeping.lab_quota import LabQuota
from rl_lab.orchestrator.housekeeping.log_files import LogFiles
from rl_lab.orchestrator.housekeeping.manifests import Manifests
from rl_lab.orchestrator.housekeeping.pruning import Knobs, Pruning

log = logging.getLogger(__name__)


class Housekeeping:
    def __init__(self, context: Context) -> None:
        self._tasks = context.tasks
        self.knobs = Knobs(context)
        self.pruning = Pruning(context, self.knobs)
        self.usage = Usage(context, self.knobs)
        self.manifests = Manifests(context, self.knobs)
        self.archives = Archives(context)
        self.artifacts = ArtifactEdits(context, self.pruning)
        self.quota = LabQuota(context, self.knobs, self.usage, self.pruning)
        self.logs = LogFiles(context, self.knobs)
        deletions = Deletions(context)
        self.janitor = Janitor(
            first=(deletions.catch_up, self.archives.catch_up, self.pruning.catch_up),
            tasks=(
                deletions.tend,
                AutoArchive(context, self.knobs).tend,
                self.archives.tend,
                self.logs.tend,
                self.pruning.tend,
                self.quota.tend,
            ),
        )
        context.bus.listen(FOLDERS_TOPIC, self._folder_changed)

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
        """Changes the knobs; the janitor prunes to the new values at once."""
        state = await self.knobs.change(change)
        self.pruning.is_due = self.logs.is_due = True
        self.janitor.wake()
        return state

    def archiving_decided(self, run_id: str) -> None:
        """A person archived a run, or undid it; the janitor packs or unpacks it, and prunes an unpacked one."""
        self.archives.decided(run_id)
        self.pruning.is_due = True
        self.janitor.wake()

    async def prune(self, run_id: str) -> None:
        """Removes what the run has beyond the knobs: after it made files, or has ended."""
        try:
            await self.pruning.prune(run_id)
            await self.logs.cut(run_id)
        except SQLAlchemyError as error:
            log.warning("run %s cannot be pruned now: %s", run_id, error)

    def prune_soon(self, run_id: str) -> None:
        self._tasks.start(self.prune(run_id))

    def _folder_changed(self, run_id: str) -> None:
        self.usage.forget(run_id)
        self.manifests.note({run_id})
