"""Packs: runs and studies as one file, and such files sent to this lab, which checks them before anything is imported.

An uploaded pack has a folder `packs/<id>/` of its own, until it was imported or dropped.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import shutil
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from sqlalchemy import Connection

from rl_lab.core.errors import InvalidInput, LabError, MoveRefused, NotFound, StorageFull
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.reproduction.packs import (
    MAX_EVENTS,
    MAX_PACKED_RUNS,
    CheckpointChoice,
    PackedAttempt,
    PackImport,
    PackPreview,
    RunRecord,
    StudyRecord,
)
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import FINAL, Run
from rl_lab.core.studies.comparisons import ComparisonQuestion
from rl_lab.core.words.amounts import bytes_text, plural
from rl_lab.core.words.file_names import file_name
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.experiments import packed_datasets, unpacked_datasets
from rl_lab.orchestrator.experiments.comparison_reports import ComparisonReports
from rl_lab.orchestrator.experiments.exports import Export
from rl_lab.orchestrator.experiments.pack_imports import PACK, PackImports, find_earlier
from rl_lab.orchestrator.run_folders import DISK_FULL
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.store import artifacts, attempts, episode_notes, events, runs
from rl_lab.store.experiments import studies, study_labels, variants
from rl_lab.store.files.folder_trees import remove_tree
from rl_lab.store.files.pack_files import OpenedPack, open_pack

FOLDER = "packs"
MOST_WAITING = 8
"""Uploaded packs that wait for a decision; of more the oldest is dropped."""


@dataclass(frozen=True)
class _Waiting:
    folder: Path
    preview: PackPreview


class Packs:
    def __init__(self, context: Context, queries: RunQueries, reports: ComparisonReports) -> None:
        self._context = context
        self._reports = reports
        self._db = context.db
        self._queries = queries
        self._home = context.home
        self._waiting: dict[str, _Waiting] = {}
        self._imports = PackImports(context)
        self._importing = asyncio.Lock()
        self._imported: dict[str, PackImport] = {}
        """The last ones, by the ids of their uploads."""

    async def open(self) -> None:
        """Removes what a killed lab has left: uploads, and what it had begun to import."""
        await self._imports.tidy_up(self._home / FOLDER)
        await asyncio.to_thread(remove_tree, self._home / FOLDER)

    async def close(self) -> None:
        for pack_id in list(self._waiting):
            await self.drop(pack_id)

    async def make(
        self, run_ids: Sequence[str], study_ids: Sequence[str], checkpoints: CheckpointChoice = "best"
    ) -> Export:
        """The pack, made while it is read; refused for runs that have not ended."""
        from rl_lab.orchestrator.experiments.packing import PackPlan, PackSource, stream_pack

        found, about = await self._db.read(lambda conn: _collect(conn, run_ids, study_ids, checkpoints))
        sources = [PackSource(record, await self._context.folders.open(record.run.id)) for record in found]
        name = _name_of(found, about, run_ids)
        scratch = self._home / FOLDER
        await asyncio.to_thread(scratch.mkdir, exist_ok=True, mode=0o700)
        trainings = [one.run for one in found if isinstance(one.run.config, TrainConfig)]
        report = await self._report(trainings, study_ids if not run_ids else [])
        learned = await self._db.read(lambda conn: packed_datasets.find_sources(conn, self._home, found))
        plan = PackPlan(name, sources, about, report, scratch, learned)
        return Export(file_name(name, "pack", ".zip"), "application/zip", stream_pack(plan))

    async def receive(self, name: str, chunks: AsyncIterator[bytes], announced: int) -> PackPreview:
        """Stores an upload and checks all of it; nothing is imported."""
        self._require_space(announced)
        pack_id = new_run_id()
        folder = self._home / FOLDER / pack_id
        await asyncio.to_thread(folder.mkdir, parents=True, mode=0o700)
        try:
            sha256 = await self._store(folder / PACK, chunks)
            preview = await asyncio.to_thread(_check, folder / PACK, pack_id, name, sha256)
            preview = await self._db.read(lambda conn: _with_what_is_here(conn, preview))
        except BaseException:
            await asyncio.to_thread(remove_tree, folder)
            raise
        self._waiting[pack_id] = _Waiting(folder, preview)
        for old in list(self._waiting)[:-MOST_WAITING]:
            await self.drop(old)
        return preview

    async def drop(self, pack_id: str) -> None:
        """Forgets an upload."""
        found = self._waiting.pop(pack_id, None)
        if found is None:
            raise _unknown(pack_id)
        await asyncio.to_thread(remove_tree, found.folder)

    async def take_in(self, pack_id: str) -> PackImport:
        """Imports an upload: all of its runs and studies, or nothing.

        A client that asks again, because it has lost the answer, waits for it or gets it once more.
        """
        async with self._importing:
            if pack_id in self._imported:
                return self._imported[pack_id]
            found = self._waiting.pop(pack_id, None)
            if found is None:
                raise _unknown(pack_id)
            try:
                self._require_space(2 * found.preview.bytes)
                made = await self._imports.take_in(found.folder, found.preview)
            except OSError as error:
                if error.errno not in DISK_FULL:
                    raise
                raise _too_full() from None
            finally:
                await asyncio.to_thread(remove_tree, found.folder)
            self._imported[pack_id] = made
            for old in list(self._imported)[:-MOST_WAITING]:
                del self._imported[old]
            return made

    async def _store(self, target: Path, chunks: AsyncIterator[bytes]) -> str:
        digest = hashlib.sha256()
        try:
            with target.open("xb") as file:
                async for chunk in chunks:
                    digest.update(chunk)
                    await asyncio.to_thread(file.write, chunk)
        except OSError as error:
            if error.errno not in (*DISK_FULL, errno.EFBIG):
                raise
            raise _too_full() from None
        return digest.hexdigest()

    def _require_space(self, wanted: int) -> None:
        free = shutil.disk_usage(self._home).free - self._context.settings.min_free_bytes
        if wanted > free:
            raise _too_full(f" It needs {bytes_text(wanted)}; {bytes_text(max(0, free))} are free.")

    async def _report(self, trainings: Sequence[Run], study_ids: Sequence[str]) -> str:
        """Of the only study, else of the runs."""
        try:
            if len(study_ids) == 1:
                return (await self._reports.of_study(study_ids[0], "html", ComparisonQuestion())).text
            if len(trainings) == 1:
                return await self._queries.report(trainings[0].id, "html")
            return await self._queries.comparison_report([run.id for run in trainings], "html")
        except LabError as error:
            why = escape(error.detail)
            return f"<!doctype html><title>No report</title><p>There is no report: {why}</p>\n"


def _unknown(pack_id: str) -> NotFound:
    return NotFound(f"There is no uploaded pack “{pack_id}”.", next_step="Send the pack again.")


def _too_full(why: str = "") -> StorageFull:
    return StorageFull(
        f"The disk is too full for this pack.{why} Nothing was imported.",
        next_step="Free some space and try again; `rl-lab usage` shows what takes it.",
    )


def _check(path: Path, pack_id: str, name: str, sha256: str) -> PackPreview:
    with open_pack(path) as pack:
        pack.check_contents()
        unpacked_datasets.check_all(pack)
        return PackPreview(
            id=pack_id,
            name=name,
            size=path.stat().st_size,
            sha256=sha256,
            manifest=pack.manifest,
            bytes=pack.unpacked_bytes,
            problems=_problems(pack),
        )


def _problems(pack: OpenedPack) -> list[str]:
    from rl_lab.runners.registry import RUNNERS

    runners = {run.runner for run in pack.manifest.runs if run.runner is not None}
    unknown = sorted(runner for runner in runners if runner not in RUNNERS)
    found = [
        f"This lab has no runner “{runner}”: its runs can be looked at and compared, but not run again."
        for runner in unknown
    ]
    return [*found, *pack.manifest.notes]


def _with_what_is_here(conn: Connection, preview: PackPreview) -> PackPreview:
    """With what it means for this lab."""
    manifest = preview.manifest
    is_here = find_earlier(conn, preview.sha256) is not None
    taken = [] if is_here else runs.list_by_ids(conn, [run.id for run in manifest.runs])
    changes = unpacked_datasets.name_changes(conn, manifest.datasets)
    here = {"is_here": is_here, "taken": sorted(run.id for run in taken)}
    return preview.model_copy(update={**here, "problems": [*changes, *preview.problems]})


def _collect(
    conn: Connection, run_ids: Iterable[str], study_ids: Sequence[str], checkpoints: CheckpointChoice
) -> tuple[list[RunRecord], list[StudyRecord]]:
    from rl_lab.orchestrator.experiments.packing import chosen_artifacts

    about = [
        StudyRecord(study=studies.get(conn, one), variants=variants.list_all(conn, one)) for one in study_ids
    ]
    wanted = [*run_ids, *(one for study in study_ids for one in study_labels.run_ids_of(conn, study))]
    found = runs.get_all(conn, list(dict.fromkeys(wanted)))
    if not found:
        raise InvalidInput(
            "The study has no runs yet, so there is nothing to pack.", next_step="Start its runs first."
        )
    _require_ended(found)
    found += runs.list_evaluations(conn, [run.id for run in found])
    records = []
    for run in {run.id: run for run in found}.values():
        files = chosen_artifacts(artifacts.list_for_run(conn, run.id, limit=100_000), checkpoints)
        # The video of an evaluation is a file of its training, too; one copy is enough.
        files = files if run.parent_id is None else []
        records.append(
            RunRecord(
                run=run,
                events=events.list_all(conn, run.id, MAX_EVENTS),
                artifacts=files,
                attempts=[_attempt(one) for one in attempts.list_for_run(conn, run.id)],
                episode_notes=episode_notes.list_of(conn, run.id),
            )
        )
    return records, about


def _attempt(found: attempts.Attempt) -> PackedAttempt:
    return PackedAttempt(
        number=found.number,
        started_at=found.started_at,
        ended_at=found.ended_at,
        is_resumed=found.resume_from is not None,
        timestep0=found.timestep0,
        episode0=found.episode0,
    )


def _require_ended(found: Sequence[Run]) -> None:
    if len(found) > MAX_PACKED_RUNS:
        raise InvalidInput(f"These are {len(found):,} runs; a pack holds at most {MAX_PACKED_RUNS:,}.")
    going = [run for run in found if run.status not in FINAL]
    if going:
        rest = f" and {len(going) - 1} more" if len(going) > 1 else ""
        raise MoveRefused(
            f"The run “{going[0].name}”{rest} has not ended ({going[0].status}); a pack holds ended runs only.",
            next_step="Wait until it has ended, stop it, or leave it out.",
            allowed=going[0].allowed,
        )


def _name_of(found: Sequence[RunRecord], about: Sequence[StudyRecord], run_ids: Sequence[str]) -> str:
    if len(about) == 1 and not run_ids:
        return about[0].study.name
    trainings = [record for record in found if record.run.parent_id is None]
    return trainings[0].run.name if len(trainings) == 1 else plural(len(trainings), "run")
