"""Which checkpoints of a run are complete and unchanged."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import LabError
from rl_lab.orchestrator.context import Context
from rl_lab.store import artifacts

log = logging.getLogger(__name__)


class Checkpoints:
    def __init__(self, context: Context) -> None:
        self._db = context.db
        self._folders = context.folders

    async def find_newest_whole(self, run_id: str) -> Artifact | None:
        """The checkpoint with the most training whose bytes are those that were written."""
        return await self._find_whole(run_id, best_first=False)

    async def find_best_whole(self, run_id: str) -> Artifact | None:
        """The best checkpoint, or the newest of a run whose learner keeps no best one."""
        return await self._find_whole(run_id, best_first=True)

    async def list_whole(self, run_id: str) -> list[Artifact]:
        """All checkpoints whose bytes are those that were written, with less training first."""
        found = await self._db.read(lambda conn: artifacts.list_for_run(conn, run_id, kind="checkpoint"))
        found.sort(key=lambda a: (a.timestep or 0, a.created_at))
        whole = [await asyncio.to_thread(self.is_whole, one) for one in found]
        return [one for one, is_whole in zip(found, whole, strict=True) if is_whole]

    async def _find_whole(self, run_id: str, *, best_first: bool) -> Artifact | None:
        found = await self._db.read(lambda conn: artifacts.list_for_run(conn, run_id, kind="checkpoint"))
        found.sort(
            key=lambda a: (best_first and a.role == "best", a.timestep or 0, a.created_at), reverse=True
        )
        for checkpoint in found:
            if await asyncio.to_thread(self.is_whole, checkpoint):
                return checkpoint
            log.warning("checkpoint %s of run %s is damaged or missing", checkpoint.path, run_id)
        return None

    def is_whole(self, checkpoint: Artifact) -> bool:
        """Whether its file has the hash that was recorded. Blocks."""
        return self.has_hash(checkpoint.run_id, checkpoint.path, checkpoint.sha256)

    def has_hash(self, run_id: str, path: str, sha256: str) -> bool:
        """Whether a file of a run has this hash. Blocks."""
        folder = self._folders.find(run_id)
        try:
            with os.fdopen(folder.open_beneath(path), "rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == sha256
        except (LabError, OSError):
            return False
