"""Which checkpoints of a run can be trusted, and which are kept."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection

from rl_lab.core.artifacts import Artifact
from rl_lab.core.errors import LabError
from rl_lab.core.wording import plural
from rl_lab.store import artifacts, events
from rl_lab.store.database import Database
from rl_lab.store.folders import RunFolder

log = logging.getLogger(__name__)


class Checkpoints:
    def __init__(self, home: Path, db: Database, kept: int) -> None:
        self._home = home
        self._db = db
        self._kept = kept

    async def find_newest_whole(self, run_id: str) -> Artifact | None:
        """The checkpoint with most training behind it whose bytes are those that were written."""
        found = await self._db.read(lambda conn: artifacts.list_for_run(conn, run_id, kind="checkpoint"))
        found.sort(key=lambda a: (a.timestep or 0, a.created_at), reverse=True)
        for checkpoint in found:
            if await asyncio.to_thread(self._is_whole, checkpoint):
                return checkpoint
            log.warning("checkpoint %s of run %s is damaged or gone", checkpoint.path, run_id)
        return None

    async def prune(self, run_id: str) -> list[Artifact]:
        """Deletes interval checkpoints beyond the number kept; says so in the run's event log."""
        found = await self._db.read(lambda conn: artifacts.list_for_run(conn, run_id, kind="checkpoint"))
        surplus = surplus_checkpoints(found, self._kept)
        if surplus:
            # Rows first: a crash in between leaves a file nobody lists, never a row without its file.
            await self._db.write(lambda conn: self._forget(conn, run_id, surplus, len(found)))
            for checkpoint in surplus:
                await asyncio.to_thread(self._unlink, checkpoint)
        return surplus

    def _forget(self, conn: Connection, run_id: str, surplus: Sequence[Artifact], total: int) -> None:
        for checkpoint in surplus:
            artifacts.delete(conn, checkpoint.id)
        kept = total - len(surplus)
        words = f"{plural(len(surplus), 'older checkpoint')} removed, {kept} of {total} kept."
        data = {"paths": [c.path for c in surplus], "kept": kept, "total": total}
        events.append(conn, run_id, "info", "pruned", words, data)

    def _is_whole(self, checkpoint: Artifact) -> bool:
        folder = RunFolder(self._home, checkpoint.run_id)
        try:
            with os.fdopen(folder.open_beneath(checkpoint.path), "rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == checkpoint.sha256
        except (LabError, OSError):
            return False

    def _unlink(self, checkpoint: Artifact) -> None:
        try:
            (RunFolder(self._home, checkpoint.run_id).path / checkpoint.path).unlink(missing_ok=True)
        except OSError as error:
            log.warning("cannot remove %s: %s", checkpoint.path, error)


def surplus_checkpoints(found: Sequence[Artifact], kept: int) -> list[Artifact]:
    """Those to delete: interval ones beyond the newest `kept`, older bests, older finals; never a pinned one."""
    newest_first = sorted(found, key=lambda a: (a.timestep or 0, a.created_at), reverse=True)
    seen = {"interval": 0, "best": 0, "final": 0}
    limits = {"interval": kept, "best": 1, "final": 1}
    surplus = []
    for checkpoint in newest_first:
        role = {"best": "best", "stop": "final", "final": "final"}.get(checkpoint.role or "", "interval")
        seen[role] += 1
        if seen[role] > limits[role] and not checkpoint.pinned:
            surplus.append(checkpoint)
    return surplus
