"""What a person does with the files of runs: pin, rename, delete."""

from __future__ import annotations

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.disk.artifacts import Artifact, ArtifactPatch
from rl_lab.core.errors import MoveRefused
from rl_lab.core.runs import LIVE, Run
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.housekeeping.pruning import Pruning
from rl_lab.store import artifacts, events, runs

GROWING = frozenset({"tensorboard", "wandb", "metrics", "log", "config", "file"})
"""Kinds a live run may write to at any time; the others are complete once they are listed."""


class ArtifactEdits:
    def __init__(self, context: Context, pruning: Pruning) -> None:
        self._db = context.db
        self._folders = context.folders
        self._pruning = pruning

    async def change(self, artifact_id: str, patch: ArtifactPatch) -> Artifact:
        """A tag or a note pins the file, unless the patch says otherwise: what a user wrote about is not pruned."""

        def work(conn: Connection) -> Artifact:
            changed = artifacts.get(conn, artifact_id)
            runs.get(conn, changed.run_id)  # raises Gone for a deleted run
            labels = patch.model_dump(include={"title", "tags", "note"}, exclude_none=True)
            if "tags" in labels or "note" in labels:
                changed = artifacts.lasting_checkpoint(conn, changed)
            if labels:
                changed = artifacts.label(conn, changed.id, **labels)
            pinned = patch.pinned
            if pinned is None and (patch.tags or patch.note):
                pinned = True
            if pinned is not None and pinned != changed.pinned:
                changed = artifacts.pin(conn, changed.id, pinned)
                message = f"{changed.title or changed.path} {'pinned' if pinned else 'unpinned'}."
                events.append(
                    conn, changed.run_id, event_log.ARTIFACT_PINNED, message, data={"pinned": pinned}
                )
            return changed

        return await self._db.write(work)

    async def delete(self, artifact_id: str) -> Artifact:
        """Deletes the row and the file; only the row when the file is outside the lab. Refused while it may change."""

        def find(conn: Connection) -> tuple[Artifact, Run, str | None]:
            found = artifacts.get(conn, artifact_id)
            newest = artifacts.find_checkpoint(conn, found.run_id)
            return found, runs.get(conn, found.run_id), newest.id if newest else None

        artifact, run, newest_id = await self._db.read(find)
        require_settled(run, artifact, newest_id)
        await self._folders.open(run.id)
        await self._pruning.remove(artifact)
        return artifact


def require_settled(run: Run, artifact: Artifact, newest_id: str | None) -> None:
    """MoveRefused for a file that a live run writes to, or would resume from."""
    if run.status in LIVE and (artifact.kind in GROWING or artifact.id == newest_id):
        raise MoveRefused(
            f"The run is {run.status} and may still need {artifact.title or artifact.path}.",
            next_step="Stop the run, or wait until it has ended.",
            allowed=run.allowed,
        )
