"""Retention: its current settings (knobs), and the pruning of a run to what they allow.

The rows are removed and the `pruned` event is written before the files are deleted. A crash in between leaves a note
that the next start acts on, never a row without its file.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.disk.retention import (
    GROUPS,
    NOUNS,
    Group,
    Retention,
    RetentionChange,
    RetentionState,
    group_of,
    is_counted,
    surplus,
)
from rl_lab.core.errors import LabError
from rl_lab.core.runs import LIVE, Run
from rl_lab.core.words.amounts import plural
from rl_lab.orchestrator.context import Context
from rl_lab.store import artifacts, events, removals, runs
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.removals import PendingDeletion
from rl_lab.store.sql import meta

log = logging.getLogger(__name__)

KEY = "retention"
LISTED_PATHS = 100
"""How many paths an event lists at most."""


class Knobs:
    """Defaults from the settings, changed at run time, kept in lab.db."""

    def __init__(self, context: Context) -> None:
        self._db = context.db
        settings = context.settings
        self.default = Retention(
            videos=settings.evaluation_videos_kept,
            checkpoints=settings.checkpoints_kept,
            tensorboard=settings.tensorboard_folders_kept,
            lab_bytes=settings.lab_bytes,
            log_bytes=settings.log_bytes,
            archive_after_days=settings.archive_after_days,
            runs_per_algorithm=settings.runs_per_algorithm,
        )
        self.value = self.default

    async def open(self) -> None:
        self._take(await self._db.read(lambda conn: meta.find(conn, KEY)) or {})

    def state(self) -> RetentionState:
        return RetentionState(value=self.value, default=self.default)

    async def change(self, change: RetentionChange) -> RetentionState:
        def work(conn: Connection) -> dict[str, int]:
            turned = {**(meta.find(conn, KEY) or {}), **change.model_dump(exclude_unset=True)}
            turned = {name: value for name, value in turned.items() if value is not None}
            meta.put(conn, KEY, turned)
            return turned

        self._take(await self._db.write(work))
        return self.state()

    def _take(self, turned: dict[str, int]) -> None:
        known = {name: value for name, value in turned.items() if name in Retention.model_fields}
        self.value = self.default.model_copy(update=known)


class Pruning:
    """Removes the files of runs that are beyond the knobs."""

    def __init__(self, context: Context, knobs: Knobs) -> None:
        self._home = context.home
        self._db = context.db
        self._changes = context.changes
        self._knobs = knobs
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.is_due = True
        """All runs are to be checked: at the start, and after the knobs were changed."""

    async def prune(self, run_id: str) -> list[Artifact]:
        """Removes what the run has beyond the knobs, with an event in its log; returns what was removed."""

        def find(conn: Connection) -> list[Artifact]:
            found = artifacts.list_of_kinds(conn, run_id, GROUPS.values())
            gone = surplus([a for a in found if not a.is_elsewhere], self._knobs.value)
            return prunable(runs.get(conn, run_id, include_deleted=True), gone) if gone else []

        async with self._locks[run_id]:
            is_packed = await asyncio.to_thread(lambda: RunFolder(self._home, run_id).is_packed)
            leaving = [] if is_packed else await self._db.read(find)
            if leaving:
                await self._carry_out(run_id, lambda conn: forget(conn, run_id, leaving, ""))
        return leaving

    async def take_out(self, run_id: str, leaving: Sequence[Artifact], why: str) -> None:
        """Removes these files now, regardless of the knobs; `why` becomes part of the message in the log."""
        async with self._locks[run_id]:
            await self._carry_out(run_id, lambda conn: forget(conn, run_id, leaving, why))

    async def remove(self, artifact: Artifact) -> None:
        """Removes one file because a person asked for it."""

        def work(conn: Connection) -> list[PendingDeletion]:
            message = f"{artifact.title or artifact.path} deleted."
            data = {"path": artifact.path, "kind": artifact.kind, "size": artifact.size}
            events.append(conn, artifact.run_id, event_log.ARTIFACT_DELETED, message, data=data)
            return removals.remove(conn, artifact.run_id, [artifact])

        async with self._locks[artifact.run_id]:
            await self._carry_out(artifact.run_id, work)

    async def catch_up(self) -> None:
        """Deletes files whose rows were removed right before the lab was killed."""
        for run_id in await self._db.read(removals.runs_with_pending):
            await self.delete_forgotten(run_id)

    async def delete_forgotten(self, run_id: str) -> None:
        """Deletes the files of a run whose rows are removed; when this returns, none is left."""
        async with self._locks[run_id]:
            if await self._db.read(lambda conn: removals.is_noted(conn, run_id)):
                await self._carry_out(run_id, lambda conn: removals.pending(conn, run_id))

    async def tend(self) -> None:
        """Prunes all runs that have more than the knobs allow."""
        if not self.is_due:
            return
        self.is_due = False
        limits = {kind: int(getattr(self._knobs.value, group)) for group, kind in GROUPS.items()}
        for run_id in await self._db.read(lambda conn: artifacts.runs_beyond(conn, limits)):
            await self.prune(run_id)

    async def _carry_out(self, run_id: str, work: Callable[[Connection], list[PendingDeletion]]) -> None:
        """Removes the rows and writes the event, then deletes the files, then drops the note about them."""
        doomed = await self._db.write(work)
        self._changes.events_written()
        others = await self._db.read(lambda conn: artifacts.list_of_kinds(conn, run_id, ["tensorboard"]))
        await asyncio.to_thread(_delete_files, self._home, doomed, [a.path for a in others])
        await self._db.write(lambda conn: removals.done(conn, run_id, doomed))


def prunable(run: Run, leaving: Sequence[Artifact]) -> list[Artifact]:
    """A live run may still be writing to each of its TensorBoard folders."""
    return [a for a in leaving if a.kind != "tensorboard" or run.status not in LIVE]


def forget(
    conn: Connection, run_id: str, leaving: Sequence[Artifact], why: str, *, which: str = "older"
) -> list[PendingDeletion]:
    """Removes the rows, with an event; `which` and `why` are part of its message. The files are deleted afterwards."""
    doomed = removals.remove(conn, run_id, leaving)
    by_group: dict[Group, list[Artifact]] = {}
    for artifact in leaving:
        group = group_of(artifact)
        if group is not None:
            by_group.setdefault(group, []).append(artifact)
    for group, gone in by_group.items():
        kept = sum(map(is_counted, artifacts.list_of_kinds(conn, run_id, [GROUPS[group]])))
        total = kept + len(gone)
        message = f"{plural(len(gone), f'{which} {NOUNS[group]}')} removed{why}, {kept} of {total} kept."
        data = {
            "kind": GROUPS[group],
            "count": len(gone),
            "paths": [a.path for a in gone[:LISTED_PATHS]],
            "bytes": sum(a.size for a in gone),
            "kept": kept,
            "total": total,
        }
        events.append(conn, run_id, event_log.PRUNED, message, data=data)
    return doomed


def _delete_files(home: Path, doomed: Sequence[PendingDeletion], other_folders: Sequence[str]) -> None:
    for run_id, path, kind in doomed:
        folder = RunFolder(home, run_id)
        try:
            if kind == "tensorboard":
                folder.remove_event_files(path, [other for other in other_folders if other != path])
            else:
                folder.remove(path)
        except (OSError, LabError) as error:
            log.warning("cannot remove %s of run %s: %s", path, run_id, error)
