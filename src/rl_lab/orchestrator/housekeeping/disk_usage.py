"""Usage: the disk space of each run, measured in small steps in the background and remembered, and of named
models and datasets.

A run is measured again when it has changed; a lab with ten thousand runs answers at once with what is known. Named
models and datasets are few files each, and measured for each answer.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.disk.manifests import count_kept
from rl_lab.core.disk.retention import Retention
from rl_lab.core.disk.usage import DatasetDiskUsage, DiskUsage, ModelDiskUsage, RunDiskUsage
from rl_lab.core.runs import Run
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.disks import existing
from rl_lab.orchestrator.housekeeping.model_copies import measure_models
from rl_lab.orchestrator.housekeeping.pruning import Knobs
from rl_lab.store import artifacts, removals, run_pages, runs
from rl_lab.store.files.dataset_folders import measure_datasets
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.run_pages import RunTimes

log = logging.getLogger(__name__)

STEP = 32
"""Folders measured before others get a turn."""
REST_S = 0.01
FRESH_S = 5.0
"""How old an answer may be before the runs that changed are measured again."""
MAX_AGE_S = 3600.0
"""A run without known changes is measured again after this long."""
FIRST_ANSWER_S = 0.5
"""How long the first request waits: in a small lab everything is measured by then."""


class Measured(NamedTuple):
    bytes: int
    archive_bytes: int
    updated_at: datetime
    at: float


class Usage:
    def __init__(self, context: Context, knobs: Knobs) -> None:
        self._home = context.home
        self._db = context.db
        self._knobs = knobs
        self._known: dict[str, Measured] = {}
        self._outdated: set[str] = set()
        """Runs to be measured again although lab.db shows no change."""
        self._runs: dict[str, RunTimes] = {}
        self._models: list[ModelDiskUsage] = []
        self._datasets: list[DatasetDiskUsage] = []
        self._round: asyncio.Task[None] | None = None
        self._rounded_at = float("-inf")
        self._has_looked = False
        self.problem = ""
        """Why the lab's limit cannot be reached; see `LabQuota`."""

    async def close(self) -> None:
        if self._round is not None:
            self._round.cancel()
            await asyncio.gather(self._round, return_exceptions=True)

    def forget(self, run_id: str) -> None:
        """Its files have changed: it is measured again at the next request."""
        self._outdated.add(run_id)
        self._rounded_at = float("-inf")

    @property
    def total_bytes(self) -> int:
        return sum(m.bytes for m in self._known.values()) + self._models_bytes + self._datasets_bytes

    @property
    def _models_bytes(self) -> int:
        return sum(model.bytes for model in self._models)

    @property
    def _datasets_bytes(self) -> int:
        return sum(dataset.bytes for dataset in self._datasets)

    async def read(self, limit: int, sort: str) -> DiskUsage:
        """What is known now; changed runs are measured in the background."""
        await asyncio.wait([self._look()], timeout=FIRST_ANSWER_S)
        await self._measure_kept()
        # Ten thousand runs are sorted in a thread, on copies that nothing changes.
        listed = await asyncio.to_thread(_first, self._runs, dict(self._known), sort, limit)
        shown = await self._db.read(lambda conn: self._describe(conn, listed))
        free = await asyncio.to_thread(lambda: shutil.disk_usage(existing(self._home)).free)
        return DiskUsage(
            total_bytes=self.total_bytes,
            models_bytes=self._models_bytes,
            datasets_bytes=self._datasets_bytes,
            limit=self._knobs.value.lab_bytes,
            free_bytes=free,
            total_runs=len(self._runs),
            measured_runs=len(self._known),
            is_complete=self._has_looked and self._runs.keys() <= self._known.keys(),
            problem=self.problem,
            runs=shown,
            models=self._models,
            datasets=self._datasets,
        )

    async def of_run(self, run_id: str) -> RunDiskUsage:
        times = await self._db.read(lambda conn: _times_of(runs.get(conn, run_id)))
        self._known[run_id] = await asyncio.to_thread(_measure, self._home, times)
        [found] = await self._db.read(lambda conn: self._describe(conn, [run_id]))
        return found

    async def measure_all(self) -> int:
        """Total bytes, after measuring changed runs, named models and datasets again."""
        self._rounded_at = float("-inf")
        await self._look()
        await self._measure_kept()
        return self.total_bytes

    async def _measure_kept(self) -> None:
        self._models = await asyncio.to_thread(measure_models, self._home)
        self._datasets = await asyncio.to_thread(measure_datasets, self._home)

    def _look(self) -> asyncio.Task[None]:
        """The measuring that is under way, or a new one when the last is too old."""
        if self._round is None or self._round.done():
            is_fresh = time.monotonic() - self._rounded_at < FRESH_S
            self._round = asyncio.create_task(_nothing() if is_fresh else self._go_round(), name="usage")
        return self._round

    async def _go_round(self) -> None:
        try:
            found = await self._db.read(run_pages.list_run_times)
        except SQLAlchemyError as error:
            log.warning("disk usage cannot be read: %s", error)
            return
        outdated, self._outdated = self._outdated, set()
        known = {run_id: m for run_id, m in self._known.items() if run_id not in outdated}
        self._runs, self._known, stale = await asyncio.to_thread(_compare, found, known)
        self._has_looked = True
        for first in range(0, len(stale), STEP):
            part = stale[first : first + STEP]
            measured = await asyncio.to_thread(lambda p=part: [_measure(self._home, s) for s in p])  # type: ignore[misc]
            self._known.update(zip((s.run_id for s in part), measured, strict=True))
            await asyncio.sleep(REST_S)
        self._rounded_at = time.monotonic()

    def _describe(self, conn: Connection, run_ids: Sequence[str]) -> list[RunDiskUsage]:
        found = {run.id: run for run in runs.list_by_ids(conn, run_ids)}
        counts = artifacts.kinds_of_runs(conn, run_ids)
        gone = removals.removed_of(conn, run_ids)
        return [
            _usage_of(found[i], self._known[i], counts.get(i, {}), gone.get(i, {}), self._knobs.value)
            for i in run_ids
            if i in found and i in self._known
        ]


def _compare(
    found: Sequence[RunTimes], known: dict[str, Measured]
) -> tuple[dict[str, RunTimes], dict[str, Measured], list[RunTimes]]:
    """The current runs, what is known of them, and which have to be measured."""
    times = {s.run_id: s for s in found}
    oldest = time.monotonic() - MAX_AGE_S
    stale = [s for s in found if _is_stale(known.get(s.run_id), s, oldest)]
    return times, {r: m for r, m in known.items() if r in times}, stale


def _first(times: dict[str, RunTimes], known: dict[str, Measured], sort: str, limit: int) -> list[str]:
    """Ids of the first runs in this order."""

    def key(run_id: str) -> tuple[float, str]:
        if sort.endswith("bytes"):
            return known[run_id].bytes, run_id
        return times[run_id].created_at.timestamp(), run_id

    listed = [run_id for run_id, s in times.items() if not s.is_deleted and run_id in known]
    return sorted(listed, key=key, reverse=sort.startswith("-"))[:limit]


async def _nothing() -> None:
    """What is known is fresh enough."""


def _times_of(run: Run) -> RunTimes:
    return RunTimes(run.id, run.created_at, run.updated_at, run.deleted_at is not None)


def _is_stale(known: Measured | None, times: RunTimes, oldest: float) -> bool:
    return known is None or known.updated_at != times.updated_at or known.at < oldest


def _measure(home: Path, times: RunTimes) -> Measured:
    folder = RunFolder(home, times.run_id)
    archive_bytes = folder.archive_bytes()
    return Measured(folder.size_bytes() + archive_bytes, archive_bytes, times.updated_at, time.monotonic())


def _usage_of(
    run: Run, measured: Measured, kinds: dict[str, int], gone: dict[str, int], knobs: Retention
) -> RunDiskUsage:
    kept = count_kept(kinds, knobs, gone)
    return RunDiskUsage(
        run_id=run.id,
        name=run.name,
        kind=run.kind,
        status=run.status,
        archived=run.archived,
        created_at=run.created_at,
        bytes=measured.bytes,
        archive_bytes=measured.archive_bytes,
        videos=kept["videos"],
        checkpoints=kept["checkpoints"],
        tensorboard=kept["tensorboard"],
    )
