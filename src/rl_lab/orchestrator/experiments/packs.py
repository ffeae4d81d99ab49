"""Packs: runs and studies as one file, and such files brought into this lab, all of it or nothing.

An uploaded pack has a folder `packs/<id>/` of its own. Its runs are unpacked there, noted in `moving.json`, moved to
`runs/`, and then written to the database in one transaction. What a killed lab leaves is removed at the next start.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import shutil
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.errors import InvalidInput, LabError, MoveRefused, NotFound, StorageFull
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.reproduction.origins import PackOrigin
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
from rl_lab.orchestrator.bus import STUDIES_TOPIC
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.experiments import packed_datasets, packed_own_code, packed_rewards
from rl_lab.orchestrator.experiments.comparison_reports import ComparisonReports
from rl_lab.orchestrator.experiments.exports import Export
from rl_lab.orchestrator.run_folders import DISK_FULL
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.runners.registry import spec_of
from rl_lab.store import artifacts, attempts, episode_notes, events, runs
from rl_lab.store.experiments import studies, study_labels, variants
from rl_lab.store.files.folder_trees import remove_tree
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.pack_files import OpenedPack, open_pack

if TYPE_CHECKING:
    from rl_lab.orchestrator.experiments.unpacking import Unpacked

FOLDER = "packs"
PACK = "pack.zip"
MOVING = "moving.json"
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
        self._importing = asyncio.Lock()

    async def open(self) -> None:
        """Removes what a killed lab has left: uploads, and folders of runs that were never listed."""
        left = await asyncio.to_thread(_left_behind, self._home)
        if left:
            known = await self._db.read(lambda conn: {run.id for run in runs.list_by_ids(conn, left)})
            for run_id in set(left) - known:
                await asyncio.to_thread(remove_tree, RunFolder(self._home, run_id).path)
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
            preview = await self._db.read(lambda conn: _with_taken(conn, preview))
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
        """Imports an upload: all of its runs and studies, or nothing."""
        async with self._importing:
            found = self._waiting.pop(pack_id, None)
            if found is None:
                raise _unknown(pack_id)
            try:
                return await self._take_in(found)
            except OSError as error:
                if error.errno not in DISK_FULL:
                    raise
                raise _too_full() from None
            finally:
                await asyncio.to_thread(remove_tree, found.folder)

    async def _take_in(self, found: _Waiting) -> PackImport:
        from rl_lab.orchestrator.experiments.unpacking import PackFacts, unpack

        preview = found.preview
        self._require_space(2 * preview.bytes)
        ids = await self._db.read(lambda conn: _new_ids(conn, preview))
        facts = PackFacts(preview.name, preview.sha256, *ids)
        with open_pack(found.folder / PACK) as pack:
            unpacked = await asyncio.to_thread(unpack, pack, found.folder, facts)
        new = [record.run.id for record in unpacked.runs]
        own_code = await asyncio.to_thread(packed_own_code.find_new, self._home, unpacked.own_code)
        await packed_own_code.require_python(own_code)
        unpacked = replace(unpacked, rewards=await packed_rewards.keep_usable(unpacked.rewards))
        imports = packed_datasets.DatasetImports(self._home)
        try:
            await asyncio.to_thread(_move, found.folder, self._home, new)
            await asyncio.to_thread(packed_own_code.lay_out, self._home, own_code)
            here, listed = await self._db.write(
                lambda conn: (
                    imports.add_all(conn, unpacked.datasets),
                    _insert(conn, unpacked, preview.problems),
                )
            )
        except BaseException:
            await asyncio.to_thread(imports.undo)
            for run_id in new:
                await asyncio.to_thread(remove_tree, RunFolder(self._home, run_id).path)
            raise
        for run in listed:
            self._context.changes.run_changed(run)
        self._context.changes.events_written()
        for record in unpacked.studies:
            self._context.bus.publish(STUDIES_TOPIC, 0, record.study)
        return PackImport(runs=ids[0], studies=ids[1], datasets=here, problems=preview.problems)

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


def _left_behind(home: Path) -> list[str]:
    """Ids of runs whose folders were being moved when a lab was killed."""
    found: list[str] = []
    for note in (home / FOLDER).glob(f"*/{MOVING}"):
        try:
            found += [str(one) for one in orjson.loads(note.read_bytes())]
        except (OSError, ValueError):
            continue
    return found


def _move(folder: Path, home: Path, run_ids: Sequence[str]) -> None:
    note = folder / MOVING
    note.write_bytes(orjson.dumps(list(run_ids)))
    for run_id in run_ids:
        RunFolder(folder, run_id).path.rename(RunFolder(home, run_id).path)


def _check(path: Path, pack_id: str, name: str, sha256: str) -> PackPreview:
    with open_pack(path) as pack:
        pack.check_contents()
        packed_datasets.check_all(pack)
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


def _with_taken(conn: Connection, preview: PackPreview) -> PackPreview:
    ids = [run.id for run in preview.manifest.runs]
    return preview.model_copy(update={"taken": sorted(run.id for run in runs.list_by_ids(conn, ids))})


def _new_ids(conn: Connection, preview: PackPreview) -> tuple[dict[str, str], dict[str, str]]:
    """The same ids, except those that this lab has already."""
    manifest = preview.manifest
    taken = {run.id for run in runs.list_by_ids(conn, [run.id for run in manifest.runs])}
    taken |= set(study_labels.names_of(conn, [study.id for study in manifest.studies]))
    new_runs = {run.id: new_run_id() if run.id in taken else run.id for run in manifest.runs}
    new_studies = {one.id: new_run_id() if one.id in taken else one.id for one in manifest.studies}
    return new_runs, new_studies


def _insert(conn: Connection, unpacked: Unpacked, problems: Sequence[str]) -> list[Run]:
    """Everything in one transaction."""
    found = unpacked.runs
    packed_rewards.restore(conn, unpacked.rewards)
    for study in unpacked.studies:
        studies.insert(conn, study.study)
        variants.insert_all(conn, study.variants)
    # One by one: a run that belongs to another takes its environment from that one.
    for record in found:
        run = runs.insert(conn, record.run)
        events.copy_all(conn, run.id, record.events)
        for artifact in record.artifacts:
            artifacts.upsert(conn, artifact)
        for attempt in record.attempts:
            _put_attempt(conn, run.id, attempt)
        for episode, text in record.episode_notes.items():
            episode_notes.put(conn, run.id, episode, text)
        _note_origin(conn, run, problems)
    return [runs.get(conn, record.run.id) for record in found]


def _note_origin(conn: Connection, run: Run, problems: Sequence[str]) -> None:
    origin = run.origin
    assert isinstance(origin, PackOrigin)
    message = (
        f"Imported from {origin.pack} (SHA-256 {origin.sha256[:12]}…), where it was run {origin.run_id}."
    )
    data = {"pack": origin.pack, "sha256": origin.sha256, "run_id": origin.run_id}
    events.append(conn, run.id, event_log.IMPORTED, message, data=data)
    if isinstance(run.config, TrainConfig) and spec_of(run.config) is None:
        text = f"This lab has no runner “{run.config.runner}”, so the run cannot be run again here."
        events.append(conn, run.id, event_log.IMPORTED, text, level="warning")


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


def _put_attempt(conn: Connection, run_id: str, packed: PackedAttempt) -> None:
    known = attempts.Attempt(
        run_id,
        packed.number,
        packed.started_at,
        packed.ended_at,
        resume_from="checkpoints" if packed.is_resumed else None,
        timestep0=packed.timestep0,
        episode0=packed.episode0,
    )
    attempts.put(conn, known)


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
