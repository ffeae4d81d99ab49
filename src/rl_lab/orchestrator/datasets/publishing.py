"""What follows when a job on datasets has ended: its new versions are put into place, what it found is noted.

May be repeated after a crash at any moment: files are linked, the row is written, then the job's own files go.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection

from rl_lab.core.datasets.datasets import DatasetStatistics
from rl_lab.core.datasets.manifest import DatasetManifest
from rl_lab.core.datasets.operations import DatasetConfig, DatasetResult, chosen_versions, new_names
from rl_lab.core.evaluations import read_result, write_result
from rl_lab.core.event_log import JOB_EVENTS
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.runs import Run, RunStatus
from rl_lab.core.words.amounts import plural
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.datasets.forecasts import speed_key
from rl_lab.orchestrator.datasets.retention import apply_keep
from rl_lab.orchestrator.execution.dataset_files import is_whole
from rl_lab.runners.foreign import FILES
from rl_lab.store import events, runs
from rl_lab.store.datasets import datasets
from rl_lab.store.files.dataset_folders import DatasetFolders
from rl_lab.store.files.folder_trees import remove_tree
from rl_lab.store.sql import meta
from rl_lab.worker.datasets.job_files import FOLDER, STATISTICS_FILE, read_manifest

log = logging.getLogger(__name__)
MAX_STATISTICS_BYTES = 8 << 20


class Publishing:
    def __init__(self, context: Context, folders: DatasetFolders) -> None:
        self._context = context
        self._db = context.db
        self._folders = folders

    async def after_end(self, run: Run) -> None:
        """Also for a job that failed or was stopped: it leaves nothing behind."""
        assert isinstance(run.config, DatasetConfig)
        places = self._places(run)
        if run.status is RunStatus.succeeded:
            result = read_result(DatasetResult, run.summary.result)
            if result is not None:
                await self._publish(run, run.config, result, places)
        for place in places:
            await asyncio.to_thread(remove_tree, place)

    async def _publish(
        self, run: Run, config: DatasetConfig, result: DatasetResult, places: list[Path]
    ) -> None:
        made, sentences = [], []
        for number, name in enumerate(new_names(config.operation)):
            folder = next((p / str(number) for p in places if (p / str(number)).is_dir()), None)
            if folder is None:
                continue  # this follow-up has been done up to here
            called, sentence = await self._add_version(run, config, folder, name)
            made.append(called)
            sentences.append(sentence)
        if not new_names(config.operation):
            await self._note_finding(config, result)
            sentences = [result.message]
        if sentences:
            await self._report(run, result, made, " ".join(sentences))

    def _places(self, run: Run) -> list[Path]:
        """Where its worker may have written: a confined one writes to a folder of its own."""
        folder = self._context.folders.find(run.id).path
        return [folder / FOLDER, folder / FILES / FOLDER]

    async def _add_version(self, run: Run, config: DatasetConfig, folder: Path, name: str) -> tuple[str, str]:
        """The version's name, and a sentence; equal contents give no new version, but repair a damaged one."""
        manifest = await asyncio.to_thread(read_manifest, folder)
        statistics = await asyncio.to_thread(_read_statistics, folder)
        note = getattr(config.operation, "note", "")

        def write(conn: Connection) -> tuple[str, str]:
            dataset = datasets.find_or_create(conn, name, manifest, note)
            for one in dataset.versions:
                if one.sha256 == manifest.sha256:
                    called = f"{dataset.name}@v{one.version}"
                    if not is_whole(conn, self._folders, one):
                        self._folders.place(folder, dataset.name, one.version)
                        datasets.repair_version(conn, one, manifest)
                        return (
                            called,
                            f"{called} has exactly these contents; its files were damaged and are replaced.",
                        )
                    if one.run_id == run.id:
                        return called, _sentence(called, manifest)
                    return called, f"{called} has exactly these contents already, so there is no new version."
            version = datasets.next_version(conn, dataset.name)
            self._folders.place(folder, dataset.name, version)
            datasets.add_version(conn, dataset.name, version, manifest, statistics=statistics, run_id=run.id)
            called = f"{dataset.name}@v{version}"
            return called, _sentence(called, manifest, asked=name if dataset.name != name else None)

        called, sentence = await self._db.write(write)
        await apply_keep(self._db, self._folders, called.rpartition("@")[0])
        return called, sentence

    async def _note_finding(self, config: DatasetConfig, result: DatasetResult) -> None:
        """What a check or verification found, with the version."""
        fields: dict[str, Any] = {}
        if result.integrity is not None:
            fields["integrity"] = {
                "integrity": result.integrity,
                "integrity_message": result.integrity_message,
                "checked_at": datetime.now(UTC).isoformat(),
            }
        if result.verification is not None:
            fields["verification"] = result.verification.model_dump(mode="json")
        [of] = chosen_versions(config.operation)

        def write(conn: Connection) -> None:
            version = datasets.get_version(conn, of.name, of.version)
            if version.sha256 == of.sha256:
                datasets.change_version(conn, version.name, version.version, **fields)

        if fields:
            await self._db.write(write)

    async def _report(self, run: Run, result: DatasetResult, made: list[str], words: str) -> None:
        complete = result.model_copy(update={"versions": made, "message": words})

        def write(conn: Connection) -> Run:
            now = runs.get(conn, run.id)
            summary = now.summary.model_copy(update={"result": write_result(complete)})
            runs.update_progress(conn, run.id, now.progress, summary)
            events.append(conn, run.id, JOB_EVENTS[RunKind.dataset].complete, words, data={"versions": made})
            _note_speed(conn, now, complete)
            return runs.get(conn, run.id)

        # Pages list datasets again when they see this: the status was sent before the versions were in place.
        self._context.changes.run_changed(await self._db.write(write))
        self._context.changes.events_written()


def _note_speed(conn: Connection, run: Run, result: DatasetResult) -> None:
    """For the next forecast: steps per second of this operation in this environment."""
    assert isinstance(run.config, DatasetConfig)
    named = result.versions[0].rpartition("@")[0] if result.versions else ""
    found = datasets.find(conn, named or next((of.name for of in chosen_versions(run.config.operation)), ""))
    seconds = run.progress.elapsed_s
    if found is not None and found.versions and seconds > 0 and result.transitions:
        meta.put(conn, speed_key(result.do, found.versions[0].env_id), result.transitions / seconds)


def _sentence(called: str, manifest: DatasetManifest, asked: str | None = None) -> str:
    words = f"{called}: {plural(manifest.episodes, 'episode')} with {plural(manifest.transitions, 'step')}."
    if asked is not None:
        words += f" “{asked}” was taken by a dataset of another kind while this ran."
    return words


def _read_statistics(folder: Path) -> DatasetStatistics | None:
    path = folder / STATISTICS_FILE
    try:
        if path.is_symlink() or path.stat().st_size > MAX_STATISTICS_BYTES:
            return None
        return DatasetStatistics.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as problem:
        log.warning("%s cannot be read: %s", path, problem)
        return None
