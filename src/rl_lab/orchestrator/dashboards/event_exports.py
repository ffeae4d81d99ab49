"""A run as TensorBoard event files: its series with steps and wall times, its configuration as text.

The file itself shows how far it goes, so exporting again only adds what is new, also after a crash.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, BinaryIO

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.runs import Run
from rl_lab.orchestrator.context import Context
from rl_lab.store import artifacts, events
from rl_lab.store.files.event_files import FOLDER, open_event_file
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.telemetry import TelemetryReader

TITLE = "TensorBoard event files"
BITE = 20_000
"""Points of a series that are read at once."""


@dataclass(frozen=True)
class Exported:
    """How far the file goes."""

    size: int
    points: dict[str, int]
    """By name of the series."""


class EventExports:
    def __init__(self, context: Context) -> None:
        self._db = context.db
        self._changes = context.changes
        self._folders = context.folders
        self._known: dict[str, Exported] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def export(self, run: Run) -> Artifact:
        """Brings the files up to date and lists them among the run's artifacts."""
        exported = await self.extend(run)
        made = Artifact(
            id=artifacts.artifact_id(run.id, FOLDER),
            run_id=run.id,
            path=FOLDER,
            kind="tensorboard",
            title=TITLE,
            size=exported.size,
            created_at=datetime.now(UTC),
            data={"is_exported": True},
        )

        def work(conn: Connection) -> Artifact:
            if not artifacts.exists(conn, made.id):
                message, data = f"{TITLE} exported.", {"path": made.path}
                events.append(conn, run.id, event_log.TENSORBOARD_EXPORTED, message, data=data)
            return artifacts.upsert(conn, made)

        kept = await self._db.write(work)
        self._changes.events_written()
        return kept

    async def keep_open(self, run_id: str) -> None:
        """Keeps an archived run from being packed while somebody looks at it."""
        await self._folders.open(run_id)

    async def extend(self, run: Run) -> Exported:
        """Adds what is new to the file; cheap when nothing is."""
        lock = self._locks.setdefault(run.id, asyncio.Lock())
        async with lock:
            folder = await self._folders.open(run.id)
            known = self._known.get(run.id)
            exported = await asyncio.to_thread(extend_file, folder, run, known)
            self._known[run.id] = exported
            return exported


def extend_file(folder: RunFolder, run: Run, known: Exported | None) -> Exported:
    with open_event_file(folder) as file:
        if known is None or os.fstat(file.fileno()).st_size != known.size:
            known = _look(file)
        counts = _counts(folder)
        if known is None or any(many > counts.get(name, 0) for name, many in known.points.items()):
            known = _begin(file, run)
        file.truncate(known.size)
        file.seek(known.size)
        points = _copy(folder, file, known.points, counts)
        return Exported(file.tell(), points)


def _look(file: BinaryIO) -> Exported | None:
    """The file of an earlier export; None when it cannot be continued."""
    from rl_lab.analysis.event_files import read_scalars

    found = read_scalars(file)
    if found.offset == 0 or found.problems:
        return None
    return Exported(found.offset, {tag: len(column) for tag, column in found.columns.items()})


def _begin(file: BinaryIO, run: Run) -> Exported:
    from rl_lab.analysis.event_files import write_head

    file.truncate(0)
    file.seek(0)
    write_head(file, config_of(run), (run.started_at or run.created_at).timestamp())
    return Exported(file.tell(), {})


def _counts(folder: RunFolder) -> dict[str, int]:
    if not folder.telemetry.exists():
        return {}
    with TelemetryReader(folder.telemetry, folder.run_id) as telemetry:
        return {latest.name: latest.count for latest in telemetry.latest()}


def _copy(
    folder: RunFolder, file: BinaryIO, points: dict[str, int], counts: dict[str, int]
) -> dict[str, int]:
    """Writes the points after the known ones; returns how many there are now."""
    from rl_lab.analysis.event_files import Column, write_columns

    new = {name: many for name, many in counts.items() if many > points.get(name, 0)}
    if not new:
        return points
    reached = dict(points)
    with TelemetryReader(folder.telemetry, folder.run_id) as telemetry:
        for name, many in new.items():
            while reached.get(name, 0) < many:
                series = telemetry.after(name, reached.get(name, 0) - 1, BITE)
                if not len(series):
                    break
                write_columns(file, {name: Column(series.step, series.time, series.value)})
                reached[name] = reached.get(name, 0) + len(series)
    return reached


def config_of(run: Run) -> dict[str, Any]:
    """The configuration as names and values, hyperparameters among them."""
    config = run.config.model_dump(mode="json")
    params = config.pop("params", None) or {}
    return {"run": run.name, **config, **{str(name): value for name, value in params.items()}}
