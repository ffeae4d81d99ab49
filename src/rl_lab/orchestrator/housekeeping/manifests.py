"""Manifests: manifest.json in every run's folder lists its files as lab.db has them, a second late at most."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import UTC, datetime

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.disk.manifests import VIDEOS, ArtifactsChanged, Manifest, build_manifest
from rl_lab.core.errors import LabError
from rl_lab.core.runs import LIVE
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.bus import CHANGED_ARTIFACTS_TOPIC, artifacts_topic
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.housekeeping.pruning import Knobs
from rl_lab.store import artifacts, removals, runs
from rl_lab.store.artifacts import CHANGED
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.sql import meta

log = logging.getLogger(__name__)

GATHER_S = 1.0
"""Changes of one second are written once."""
MAX_LISTED = 10_000


class Manifests:
    def __init__(self, context: Context, knobs: Knobs) -> None:
        self._home = context.home
        self._db = context.db
        self._bus = context.bus
        self._knobs = knobs
        self._waiting: set[str] = set()
        self._writing = asyncio.Lock()
        self._loop = BackgroundLoop("manifests", self._gather_and_write)

    async def open(self) -> None:
        """Also writes what a killed lab had not written yet."""
        self._bus.listen(CHANGED_ARTIFACTS_TOPIC, self.note)
        noted = await self._db.read(lambda conn: meta.keys(conn, CHANGED))
        self.note({key.removeprefix(CHANGED) for key in noted})
        self._loop.open()

    async def close(self) -> None:
        await self._loop.close()
        await self._write_waiting()

    def note(self, run_ids: Collection[str]) -> None:
        """The artifacts of these runs have changed."""
        if run_ids:
            self._waiting |= set(run_ids)
            self._loop.wake()

    async def read(self, run_id: str) -> Manifest:
        return await self._db.read(lambda conn: self._build(conn, run_id))

    async def write(self, run_id: str) -> None:
        """Writes it now, for a run that has ended."""
        self._waiting.discard(run_id)
        await self._try_to_write({run_id})

    async def _gather_and_write(self) -> None:
        if self._waiting:
            await asyncio.sleep(GATHER_S)
            await self._write_waiting()

    async def _write_waiting(self) -> None:
        waiting, self._waiting = self._waiting, set()
        await self._try_to_write(waiting)

    async def _try_to_write(self, run_ids: set[str]) -> None:
        """Those that cannot be written now wait for the next change; they are noted in lab.db."""
        try:
            await self._write_all(run_ids)
        except SQLAlchemyError as error:
            log.warning("manifests cannot be written now: %s", error)
            self._waiting |= run_ids

    async def _write_all(self, run_ids: Collection[str]) -> None:
        async with self._writing:
            written = [run_id for run_id in sorted(run_ids) if await self._write_one(run_id)]
            # A run that changed since it was read is waiting again, and its note stays.
            settled = [run_id for run_id in written if run_id not in self._waiting]
            await self._db.write(
                lambda conn: meta.drop_all(conn, [f"{CHANGED}{run_id}" for run_id in settled])
            )

    async def _write_one(self, run_id: str) -> bool:
        """True when nothing is left to do for this run."""
        try:
            await self._hash_videos(run_id)
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

    async def _hash_videos(self, run_id: str) -> None:
        """Size and hash of videos, and of files that were reported without a size, once nothing writes to them."""

        def find(conn: Connection) -> list[Artifact]:
            is_live = runs.get(conn, run_id).status in LIVE
            found = artifacts.list_for_run(conn, run_id, limit=MAX_LISTED)
            return [a for a in found if needs_hash(a) and not (is_live and a.kind != "clip")]

        due = await self._db.read(find)
        hashed = await asyncio.to_thread(_hash_files, RunFolder(self._home, run_id), due)

        def store(conn: Connection) -> None:
            for artifact_id, (size, sha256) in hashed.items():
                if artifacts.exists(conn, artifact_id):  # it may have been deleted meanwhile
                    artifacts.set_contents(conn, artifact_id, size=size, sha256=sha256)

        if hashed:
            await self._db.write(store)

    def _build(self, conn: Connection, run_id: str) -> Manifest:
        run = runs.get(conn, run_id)
        found = artifacts.list_for_run(conn, run_id, limit=MAX_LISTED)
        gone = removals.removed_of(conn, [run_id]).get(run_id, {})
        return build_manifest(run_id, run.name, found, self._knobs.value, gone)


def needs_hash(artifact: Artifact) -> bool:
    is_file = artifact.kind not in ("tensorboard", "wandb") and not artifact.is_elsewhere
    return is_file and not artifact.sha256 and (artifact.kind in VIDEOS or artifact.size == 0)


def _hash_files(folder: RunFolder, files: Sequence[Artifact]) -> dict[str, tuple[int, str]]:
    """Size and SHA-256 by artifact id; files that cannot be read are left out."""
    found = {}
    for artifact in files:
        with suppress(LabError, OSError), os.fdopen(folder.open_beneath(artifact.path), "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            found[artifact.id] = (file.tell(), digest)
    return found


def _write(folder: RunFolder, data: bytes) -> None:
    if folder.path.is_dir():  # a packed one gets it when it is unpacked
        folder.write_atomic("manifest.json", data)
