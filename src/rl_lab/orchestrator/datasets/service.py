"""Datasets: list, change, delete, watch, forecast; versions come from jobs."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import Connection

from rl_lab.core.datasets.datasets import (
    Dataset,
    DatasetForecast,
    DatasetPatch,
    DatasetVersion,
    DatasetVersionPatch,
)
from rl_lab.core.datasets.operations import DatasetOperation
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.runs import Run
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.datasets.publishing import Publishing
from rl_lab.orchestrator.datasets.retention import apply_keep
from rl_lab.orchestrator.datasets.uploads import DatasetUploads
from rl_lab.orchestrator.datasets.version_episodes import (
    EpisodeListing,
    EpisodeRange,
    EpisodeSort,
    VersionEpisodes,
)
from rl_lab.orchestrator.execution.unpublished import wait_for_versions
from rl_lab.orchestrator.jobs.service import Jobs
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.viewing.renderers import Renderer
from rl_lab.orchestrator.viewing.service import Viewing
from rl_lab.store.datasets import datasets
from rl_lab.store.datasets.datasets import DatasetFilter, DatasetListing
from rl_lab.store.files.dataset_folders import DatasetFolders


class Datasets:
    def __init__(self, context: Context, sources: Sources, jobs: Jobs) -> None:
        self._db = context.db
        self._sources = sources
        self.folders = DatasetFolders(context.home)
        self._episodes = VersionEpisodes()
        self.uploads = DatasetUploads(context)
        self._publishing = Publishing(context, self.folders)
        jobs.after[RunKind.dataset] = self._after_end

    async def open(self) -> None:
        await self.uploads.open()
        known = await self._db.read(datasets.list_hashes)
        await asyncio.to_thread(self.folders.restore, known)

    async def close(self) -> None:
        """Nothing is held open that has to be closed."""

    async def _after_end(self, run: Run) -> None:
        await self._publishing.after_end(run)
        await self.uploads.after_end(run)

    async def list_page(
        self, wanted: DatasetFilter, sort: str, limit: int, cursor: str | None
    ) -> DatasetListing:
        await wait_for_versions(self._db)
        return await self._db.read(lambda conn: datasets.find_page(conn, wanted, sort, limit, cursor))

    async def get(self, name: str) -> Dataset:
        await wait_for_versions(self._db, name)
        return await self._db.read(lambda conn: datasets.get(conn, name))

    async def get_version(self, name: str, version: int) -> DatasetVersion:
        await wait_for_versions(self._db, name)
        return await self._db.read(lambda conn: datasets.get_version(conn, name, version))

    async def change(self, name: str, patch: DatasetPatch) -> Dataset:
        """Rename it, or change its note or how many versions are kept."""

        def work(conn: Connection) -> str:
            found = datasets.get(conn, name)
            called = found.name
            if patch.name is not None and patch.name != called:
                datasets.rename(conn, found, patch.name)
                self.folders.rename(called, patch.name)
                called = patch.name
            fields = patch.model_dump(include={"note", "keep"} & patch.model_fields_set)
            datasets.change(conn, called, **{f: v for f, v in fields.items() if f == "keep" or v is not None})
            return called

        called = await self._db.write(work)
        await apply_keep(self._db, self.folders, called)
        return await self.get(called)

    async def change_version(self, name: str, version: int, patch: DatasetVersionPatch) -> DatasetVersion:
        def work(conn: Connection) -> DatasetVersion:
            found = datasets.get_version(conn, name, version)
            fields: dict[str, Any] = {k: v for k, v in patch.model_dump().items() if v is not None}
            if fields:
                datasets.change_version(conn, found.name, found.version, **fields)
            return datasets.get_version(conn, found.name, version)

        return await self._db.write(work)

    async def remove(self, name: str) -> Dataset:
        """With all versions and files; returns what was removed, with how many trainings learned from it."""

        def work(conn: Connection) -> Dataset:
            found = datasets.get(conn, name)
            datasets.remove(conn, found.name)
            return found

        gone = await self._db.write(work)
        await asyncio.to_thread(self.folders.remove, gone.name)
        return gone

    async def remove_version(self, name: str, version: int) -> DatasetVersion:
        def work(conn: Connection) -> DatasetVersion:
            found = datasets.get_version(conn, name, version)
            datasets.remove_version(conn, found.name, version)
            return found

        gone = await self._db.write(work)
        await asyncio.to_thread(self.folders.remove, gone.name, version)
        return gone

    async def forecast(self, operation: DatasetOperation) -> DatasetForecast:
        from rl_lab.orchestrator.datasets.forecasts import forecast  # imports numpy

        return await forecast(self._sources, operation)

    async def list_episodes(
        self, name: str, version: int, wanted: EpisodeRange, sort: EpisodeSort, page: slice
    ) -> EpisodeListing:
        found = await self.get_version(name, version)
        folder = self.folders.version(found.name, found.version)
        return await asyncio.to_thread(self._episodes.list, folder, found.sha256, wanted, sort, page)

    @contextlib.asynccontextmanager
    async def replay(
        self, viewing: Viewing, name: str, version: int, episode: int, step: int = 0
    ) -> AsyncIterator[Renderer]:
        """An episode simulated again for a viewer; raises, with the reason, when that is not possible."""
        found = await self.get_version(name, version)
        folder = self.folders.version(found.name, found.version)
        recording = await asyncio.to_thread(self._episodes.recording, folder, found.sha256, episode)
        async with viewing.replay_recording(recording, step) as renderer:
            yield renderer
