"""Manifests: manifest.json in every run's folder follows what lab.db says of its files, a second behind at most."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.disk.manifests import ArtifactsChanged, Manifest, build_manifest
from rl_lab.core.errors import LabError
from rl_lab.orchestrator.bus import Bus, artifacts_topic
from rl_lab.orchestrator.housekeeping.pruning import Knobs
from rl_lab.store import artifacts, removals, runs
from rl_lab.store.artifacts import CHANGED
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.sql import meta
from rl_lab.store.sql.database import Database

log = logging.getLogger(__name__)

GATHER_S = 1.0
"""Changes of one second are written once."""
MAX_LISTED = 10_000


class Manifests:
    def __init__(self, home: Path, db: Database, bus: Bus, knobs: Knobs) -> None:
        self._home = home
        self._db = db
        self._bus = bus
        self._knobs = knobs
        self._waiting: set[str] = set()
        self._changed = asyncio.Event()
        self._writing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Takes up what a lab that was killed had not written yet."""
        loop = asyncio.get_running_loop()
        self._db.on_artifacts = lambda run_ids: _call(loop, self.note, run_ids)
        self.note(
            {key.removeprefix(CHANGED) for key in await self._db.read(lambda conn: meta.keys(conn, CHANGED))}
        )
        self._task = asyncio.create_task(self._serve(), name="manifests")

    async def close(self) -> None:
        self._db.on_artifacts = lambda run_ids: None
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._write_waiting()

    def note(self, run_ids: Collection[str]) -> None:
        """The artifacts of these runs have changed."""
        if run_ids:
            self._waiting |= set(run_ids)
            self._changed.set()

    async def read(self, run_id: str) -> Manifest:
        return await self._db.read(lambda conn: self._build(conn, run_id))

    async def write(self, run_id: str) -> None:
        """Now, for a run that has ended."""
        self._waiting.discard(run_id)
        await self._try_to_write({run_id})

    async def _serve(self) -> None:
        while True:
            await self._changed.wait()
            await asyncio.sleep(GATHER_S)
            self._changed.clear()
            await self._write_waiting()

    async def _write_waiting(self) -> None:
        waiting, self._waiting = self._waiting, set()
        await self._try_to_write(waiting)

    async def _try_to_write(self, run_ids: set[str]) -> None:
        """Those that cannot be written now go with the next change; lab.db has them noted."""
        try:
            await self._write_all(run_ids)
        except SQLAlchemyError as error:
            log.warning("manifests wait: %s", error)
            self._waiting |= run_ids

    async def _write_all(self, run_ids: Collection[str]) -> None:
        async with self._writing:
            written = [run_id for run_id in sorted(run_ids) if await self._write_one(run_id)]
            # Whatever changed since it was read is among the waiting again, and its note stays.
            settled = [run_id for run_id in written if run_id not in self._waiting]
            await self._db.write(
                lambda conn: meta.drop_all(conn, [f"{CHANGED}{run_id}" for run_id in settled])
            )

    async def _write_one(self, run_id: str) -> bool:
        """Whether nothing is left to do about it."""
        try:
            manifest = await self.read(run_id)
        except LabError:
            return True  # deleted meanwhile
        folder = RunFolder(self._home, run_id)
        data = manifest.model_dump_json(indent=2).encode() + b"\n"
        try:
            await asyncio.to_thread(_write, folder, data)
        except (LabError, OSError) as error:
            log.warning("run %s: manifest.json cannot be written: %s", run_id, error)
            return False
        now = datetime.now(UTC)
        note = ArtifactsChanged(run_id=run_id, at=now, count=manifest.count, bytes=manifest.bytes)
        self._bus.publish(artifacts_topic(run_id), int(now.timestamp() * 1e6), note)
        return True

    def _build(self, conn: Connection, run_id: str) -> Manifest:
        run = runs.get(conn, run_id)
        found = artifacts.list_for_run(conn, run_id, limit=MAX_LISTED)
        gone = removals.removed_of(conn, [run_id]).get(run_id, {})
        return build_manifest(run_id, run.name, found, self._knobs.value, gone)


def _write(folder: RunFolder, data: bytes) -> None:
    if folder.path.is_dir():  # one that is packed away gets it when it is opened again
        folder.write_atomic("manifest.json", data)


def _call(loop: asyncio.AbstractEventLoop, note: object, run_ids: set[str]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(note, run_ids)  # type: ignore[arg-type]
