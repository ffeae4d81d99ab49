"""Imports: a model file of somebody else becomes a run with one checkpoint.

The server parses nothing of it. A confined process reads the files as data and writes a checkpoint of the lab's own;
what it makes holds nothing that the lab would have to unpickle from the file (`runners/imports/`).
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
from pathlib import Path
from typing import Any

from rl_lab.core.errors import ConsentNeeded, InvalidInput, NotReady, WorkerFailed
from rl_lab.core.models.forms import EXECUTED_FORMS, FORM_NAMES, FORM_RUNNERS
from rl_lab.core.models.imports import ImportChoices, ImportPreview, ImportSource
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import Run
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.service import Environments
from rl_lab.orchestrator.looking import Looking
from rl_lab.orchestrator.models.imported_runs import ImportedModel, insert, make_run
from rl_lab.orchestrator.models.uploads import Uploads, WaitingFiles
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store import consents
from rl_lab.store.files.folder_trees import remove_tree
from rl_lab.store.files.folders import RunFolder

READING_S = 120.0
MEMORY_BYTES = 16 << 30
"""Address space of the process that reads a file: torch reserves several gigabytes, a bomb would take more."""


class Imports:
    def __init__(self, context: Context, environments: Environments) -> None:
        self._context = context
        self._looking = Looking(context)
        self._environments = environments
        self._importing = asyncio.Lock()
        self.uploads = Uploads(context)

    async def open(self) -> None:
        await self.uploads.open()

    async def close(self) -> None:
        await self.uploads.close()

    async def preview(self, upload_id: str, algorithm: str | None = None) -> ImportPreview:
        """What the files hold; InvalidInput when there is no model among them that the lab can read."""
        return await self._inspect(self.uploads.get(upload_id), algorithm)

    async def drop(self, upload_id: str) -> None:
        await self.uploads.drop(upload_id)

    async def take_in(self, upload_id: str, choices: ImportChoices) -> Run:
        """The run that the files became; they are kept when they cannot be imported as chosen."""
        async with self._importing:
            waiting = self.uploads.get(upload_id)
            run = await self._take_in(waiting, choices)
            await self.uploads.drop(upload_id)
            return run

    async def import_folder(self, folder: Path, source: ImportSource, choices: ImportChoices) -> Run:
        """The model of a folder on this machine, such as a downloaded repository."""
        upload = await self.uploads.receive_folder(folder, source)
        try:
            return await self.take_in(upload.id, choices)
        except BaseException:
            await self.uploads.drop(upload.id)
            raise

    async def _inspect(self, waiting: WaitingFiles, algorithm: str | None) -> ImportPreview:
        """Remembered with the files: a process that reads a model takes seconds to start."""
        key = (algorithm, len(waiting.files))
        if key not in waiting.previews:
            waiting.previews[key] = await self._read(waiting, algorithm)
        return waiting.previews[key]

    async def _read(self, waiting: WaitingFiles, algorithm: str | None) -> ImportPreview:
        question = {
            "files": [
                {"name": file.name, "path": str(waiting.path(number))}
                for number, file in enumerate(waiting.files)
            ],
            "algorithm": algorithm,
        }
        found = await _ask("inspect_model", question, await self._rights(waiting))
        file = waiting.files[found.pop("number")]
        form = found["form"]
        return ImportPreview(
            id=waiting.id,
            file=file.name,
            size=file.size,
            sha256=file.sha256,
            runner=FORM_RUNNERS[form],
            needs_consent=form in EXECUTED_FORMS,
            **found,
        )

    async def _take_in(self, waiting: WaitingFiles, choices: ImportChoices) -> Run:
        preview = await self._inspect(waiting, choices.algorithm)
        environment = await self._environments.get(_chosen_environment(preview, choices))
        await self._require_consent(preview, choices.consent)
        rights = await self._rights(waiting)
        if preview.needs_consent and not rights.landlock:
            raise NotReady(
                f"{preview.file} is a program, and this machine cannot confine it, so it is not loaded.",
                next_step="Use Linux 5.13 or newer with Landlock, or export the model as ONNX.",
            )
        model = ImportedModel(preview, environment.id, choices, waiting.source)
        run_id = new_run_id()
        # Made next to the upload, then moved: a run's folder is complete or does not exist.
        folder = RunFolder(waiting.folder, run_id)
        try:
            made = await self._convert(waiting, model, folder, rights)
            run, checkpoint = make_run(run_id, model, made)
            folder.write_config(run.config)
            return await insert(self._context, waiting.folder, run, checkpoint)
        finally:
            await asyncio.to_thread(remove_tree, folder.path)

    async def _convert(
        self, waiting: WaitingFiles, model: ImportedModel, folder: RunFolder, rights: Confinement
    ) -> dict[str, Any]:
        """Writes the checkpoint; returns what the reading process found, with size and hash of the file."""
        preview = model.preview
        number = next(n for n, file in enumerate(waiting.files) if file.name == preview.file)
        question = {
            "files": [
                {"name": file.name, "path": str(waiting.path(n))} for n, file in enumerate(waiting.files)
            ],
            "algorithm": preview.algorithm if preview.form not in EXECUTED_FORMS else model.choices.algorithm,
            "env_id": model.env_id,
            "env_kwargs": model.choices.env_kwargs,
        }
        await asyncio.to_thread(folder.create)
        with folder.creating(model.path) as output:
            made = await _ask("convert_model", question, rights, output)
            if made["unchanged"]:
                await asyncio.to_thread(_copy, waiting.path(number), output)
        sha256, size = await asyncio.to_thread(_measure, folder.path / model.path)
        return {**made, "sha256": sha256, "size": size}

    async def _require_consent(self, preview: ImportPreview, given: str | None) -> None:
        """A program is loaded only when this very file was approved; the approval is remembered."""
        if not preview.needs_consent:
            return
        if given == preview.sha256:
            await self._context.db.write(lambda conn: consents.put(conn, preview.sha256, preview.file))
        elif given is not None:
            raise ConsentNeeded(
                f"{preview.file} is not the file that was approved.",
                next_step="Look at it again and approve it.",
            )
        elif not await self._context.db.read(lambda conn: consents.exists(conn, preview.sha256)):
            raise ConsentNeeded(
                f"{preview.file} is a {FORM_NAMES[preview.form]}: code that runs when it is loaded. It has not been "
                "approved.",
                next_step="Approve it (`--yes`, or its SHA-256 as `consent`); it then runs confined: no network, no "
                "files but its own.",
            )

    async def _rights(self, waiting: WaitingFiles) -> Confinement:
        rights = await self._looking.rights([str(waiting.folder)])
        return rights._replace(memory_bytes=rights.memory_bytes or MEMORY_BYTES, network=False)


def _chosen_environment(preview: ImportPreview, choices: ImportChoices) -> str:
    env_id = choices.env_id or preview.env_id
    if not env_id:
        raise InvalidInput(
            f"{preview.file} does not say in which environment it was trained. It takes {preview.observation} "
            f"and gives {preview.action}.",
            next_step="Name the environment: `--env ID`; `rl-lab envs` lists them.",
        )
    return env_id


async def _ask(
    call: str, question: dict[str, Any], rights: Confinement, output: int | None = None
) -> dict[str, Any]:
    """The answer of the reading process; a file that it refuses, or that ends it, is bad input."""
    try:
        found: dict[str, Any] = await call_worker(
            call, question, timeout_s=READING_S, confine=rights, output=output
        )
    except WorkerFailed as error:
        raise InvalidInput(
            f"{error.detail} Nothing was imported.",
            next_step="Check that the file is whole and a model; the lab reads SB3, turbo, CleanRL, ONNX, TorchScript.",
        ) from None
    if "refused" in found:
        raise InvalidInput(found["refused"], next_step=found.get("next_step"))
    return found


def _copy(source: Path, output: int) -> None:
    with source.open("rb") as file, os.fdopen(output, "wb", closefd=False) as target:
        shutil.copyfileobj(file, target)


def _measure(path: Path) -> tuple[str, int]:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), file.tell()
