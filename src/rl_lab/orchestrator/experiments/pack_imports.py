"""Brings a checked pack into the lab: all of its runs, studies, datasets and code, or nothing.

They are unpacked in the folder of the upload, noted in `moving.json`, moved into place, and written to the database in
one transaction. What a killed lab leaves is removed at the next start. A file whose runs are here already adds none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.own_environments import OwnEnvironment
from rl_lab.core.reproduction.origins import PackOrigin
from rl_lab.core.reproduction.packs import PackedAttempt, PackImport, PackPreview
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import Run
from rl_lab.orchestrator.background import undivided
from rl_lab.orchestrator.bus import STUDIES_TOPIC
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.experiments import packed_own_code, packed_rewards, unpacked_datasets
from rl_lab.orchestrator.looking import Looking
from rl_lab.runners.registry import spec_of
from rl_lab.store import artifacts, attempts, episode_notes, events, runs
from rl_lab.store.experiments import studies, study_labels, variants
from rl_lab.store.files.folder_trees import remove_tree
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders
from rl_lab.store.files.pack_files import open_pack
from rl_lab.store.sql import meta

if TYPE_CHECKING:
    from rl_lab.orchestrator.experiments.unpacking import Unpacked

PACK = "pack.zip"
MOVING = "moving.json"
OwnCode = Mapping[OwnEnvironment, str]


class PackImports:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._db = context.db
        self._home = context.home
        self._looking = Looking(context)

    async def tidy_up(self, uploads: Path) -> None:
        """Removes what a killed lab had moved out of these folders and never listed."""
        for note in await asyncio.to_thread(lambda: list(uploads.glob(f"*/{MOVING}"))):
            run_ids, own_code = await asyncio.to_thread(_read_note, note)
            known = await self._db.read(partial(runs.list_by_ids, run_ids=run_ids))
            if run_ids and not known:
                await asyncio.to_thread(_take_back, self._home, run_ids, own_code)

    async def take_in(self, folder: Path, preview: PackPreview) -> PackImport:
        """From the folder of an upload; the same file again only brings what is missing of its datasets and code."""
        before = await self._db.read(lambda conn: find_earlier(conn, preview.sha256))
        made = before if before is not None else await self._db.read(partial(_new_ids, preview=preview))
        unpacked = await self._unpack(folder, preview, made)
        if before is not None:
            unpacked = replace(unpacked, runs=(), studies=())
        here, listed = await undivided(self._put(folder, preview, unpacked, made))
        for run in listed:
            self._context.changes.run_changed(run)
        self._context.changes.events_written()
        for record in unpacked.studies:
            self._context.bus.publish(STUDIES_TOPIC, 0, record.study)
        return made.model_copy(update={"datasets": here, "problems": preview.problems})

    async def _unpack(self, folder: Path, preview: PackPreview, made: PackImport) -> Unpacked:
        """Everything in a folder of its own, and checked: nothing of it is in place yet."""
        from rl_lab.orchestrator.experiments.unpacking import PackFacts, unpack

        facts = PackFacts(preview.name, preview.sha256, made.runs, made.studies)

        def open_and_unpack() -> Unpacked:
            with open_pack(folder / PACK) as pack:
                return unpack(pack, folder, facts)

        unpacked = await asyncio.to_thread(open_and_unpack)
        await packed_own_code.require_python(unpacked.own_code)
        await unpacked_datasets.require_usable(self._looking, unpacked.datasets)
        return replace(unpacked, rewards=await packed_rewards.keep_usable(unpacked.rewards))

    async def _put(
        self, folder: Path, preview: PackPreview, unpacked: Unpacked, made: PackImport
    ) -> tuple[dict[str, str], list[Run]]:
        """Moves files into place and writes the rows; returns where datasets are, and the new runs."""
        new = [record.run.id for record in unpacked.runs]
        imports = unpacked_datasets.DatasetImports(self._home)

        def write(conn: Connection) -> tuple[dict[str, str], list[Run]]:
            here = imports.add_all(conn, unpacked.datasets)
            meta.put(conn, _earlier_key(preview.sha256), made.model_dump(mode="json"))
            return here, _insert(conn, unpacked)

        async with self._context.own_code_changing:
            own_code = await asyncio.to_thread(packed_own_code.find_new, self._home, unpacked.own_code)
            try:
                await asyncio.to_thread(_move, folder, self._home, new, own_code)
                return await self._db.write(write)
            except BaseException:
                await asyncio.to_thread(imports.undo)
                await asyncio.to_thread(_take_back, self._home, new, list(own_code))
                raise


def find_earlier(conn: Connection, sha256: str) -> PackImport | None:
    """What this very file became; None unless all of its runs and studies are still here."""
    found = meta.find(conn, _earlier_key(sha256))
    if found is None:
        return None
    made = PackImport.model_validate({**found, "is_repeated": True})
    here = {run.id for run in runs.list_by_ids(conn, made.runs.values()) if run.deleted_at is None}
    here |= set(study_labels.names_of(conn, made.studies.values()))
    return made if {*made.runs.values(), *made.studies.values()} <= here else None


def _earlier_key(sha256: str) -> str:
    return f"pack:{sha256}"


def _new_ids(conn: Connection, preview: PackPreview) -> PackImport:
    """The same ids, except those that this lab has already."""
    manifest = preview.manifest
    taken = {run.id for run in runs.list_by_ids(conn, [run.id for run in manifest.runs])}
    taken |= set(study_labels.names_of(conn, [study.id for study in manifest.studies]))
    return PackImport(
        runs={run.id: new_run_id() if run.id in taken else run.id for run in manifest.runs},
        studies={one.id: new_run_id() if one.id in taken else one.id for one in manifest.studies},
    )


def _move(folder: Path, home: Path, run_ids: Sequence[str], own_code: OwnCode) -> None:
    note = {"runs": list(run_ids), "own_code": [list(own) for own in own_code]}
    (folder / MOVING).write_bytes(orjson.dumps(note))
    for run_id in run_ids:
        RunFolder(folder, run_id).path.rename(RunFolder(home, run_id).path)
    packed_own_code.lay_out(home, own_code)


def _read_note(note: Path) -> tuple[list[str], list[OwnEnvironment]]:
    try:
        found = orjson.loads(note.read_bytes())
        own_code = [OwnEnvironment(str(slug), int(version)) for slug, version in found["own_code"]]
        return [str(one) for one in found["runs"]], own_code
    except (OSError, ValueError, TypeError, KeyError):
        return [], []  # it was being written, so nothing was moved


def _take_back(home: Path, run_ids: Sequence[str], own_code: Sequence[OwnEnvironment]) -> None:
    for run_id in run_ids:
        remove_tree(RunFolder(home, run_id).path)
    for own in own_code:
        OwnEnvironmentFolders(home).remove(own)


def _insert(conn: Connection, unpacked: Unpacked) -> list[Run]:
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
        _note_origin(conn, run)
    return [runs.get(conn, record.run.id) for record in found]


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


def _note_origin(conn: Connection, run: Run) -> None:
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
