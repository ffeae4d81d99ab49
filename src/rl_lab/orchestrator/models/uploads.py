"""Model files that were sent to the lab: kept in `imports/<id>/` until the user has decided about them.

A file is stored under a number; its name is only a text, so no name leads anywhere.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import shutil
import stat
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from rl_lab.core.errors import InvalidInput, NotFound, StorageFull
from rl_lab.core.models.imports import (
    MAX_FILE_NAME,
    MAX_MODEL_BYTES,
    MAX_MODEL_FILES,
    ImportFile,
    ImportPreview,
    ImportSource,
    ImportUpload,
)
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.words.amounts import bytes_text
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.run_folders import DISK_FULL
from rl_lab.store import runs
from rl_lab.store.files.folder_trees import remove_tree
from rl_lab.store.files.folders import RunFolder

FOLDER = "imports"
MOVING = "moving.json"
"""Id of the run whose folder is being moved; of a lab that is killed meanwhile the next start removes it."""
MOST_WAITING = 8
"""Uploads that wait for a decision; of more the oldest is dropped."""
CHUNK = 1 << 20


@dataclass
class WaitingFiles:
    """The files of one import."""

    id: str
    folder: Path
    source: ImportSource = field(default_factory=ImportSource)
    files: list[ImportFile] = field(default_factory=list)
    previews: dict[tuple[str | None, int], ImportPreview] = field(default_factory=dict)
    """By the algorithm asked for and the number of files."""

    def path(self, number: int) -> Path:
        return self.folder / str(number)

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


class Uploads:
    def __init__(self, context: Context) -> None:
        self._db = context.db
        self._home = context.home
        self._settings = context.settings
        self._waiting: dict[str, WaitingFiles] = {}

    async def open(self) -> None:
        """Removes what a killed lab has left: files, and the folder of a run that was never listed."""
        left = await asyncio.to_thread(_left_behind, self._home)
        if left:
            known = await self._db.read(lambda conn: {run.id for run in runs.list_by_ids(conn, left)})
            for run_id in set(left) - known:
                await asyncio.to_thread(remove_tree, RunFolder(self._home, run_id).path)
        await asyncio.to_thread(remove_tree, self._home / FOLDER)

    async def close(self) -> None:
        for upload_id in list(self._waiting):
            await self.drop(upload_id)

    def get(self, upload_id: str) -> WaitingFiles:
        found = self._waiting.get(upload_id)
        if found is None:
            raise NotFound(f"There is no upload “{upload_id}”.", next_step="Send the files again.")
        return found

    async def receive(
        self,
        name: str,
        chunks: AsyncIterator[bytes],
        *,
        upload_id: str | None = None,
        sha256: str | None = None,
    ) -> ImportUpload:
        """Stores one file, of a new import or of the one named; refused when it has another hash than announced."""
        checked = _file_name(name)
        waiting = self.get(upload_id) if upload_id is not None else await self._begin()
        try:
            file = await self._store(waiting, checked, chunks)
            if sha256 is not None and file.sha256 != sha256:
                raise InvalidInput(
                    f"“{name}” has the SHA-256 {file.sha256[:12]}…, not the announced {sha256[:12]}…: it was "
                    "changed or cut on its way.",
                    next_step="Send it again, or get the file again from where it came.",
                )
        except BaseException:
            if waiting.id in self._waiting:
                await self.drop(waiting.id)
            raise
        waiting.files.append(file)
        return ImportUpload(id=waiting.id, files=waiting.files)

    async def receive_folder(self, folder: Path, source: ImportSource | None = None) -> ImportUpload:
        """All regular files of a folder on this machine, such as a downloaded repository; links are left out."""
        names = await asyncio.to_thread(_regular_files, folder)
        if not names:
            raise InvalidInput(
                f"The folder “{folder.name}” holds no files.", next_step="Choose another folder."
            )
        upload: ImportUpload | None = None
        for name in names:
            upload = await self.receive(name, _read(folder / name), upload_id=upload.id if upload else None)
        assert upload is not None
        if source is not None:
            self.get(upload.id).source = source
        return upload

    async def drop(self, upload_id: str) -> None:
        """Forgets the files of an import."""
        found = self.get(upload_id)
        del self._waiting[upload_id]
        await asyncio.to_thread(remove_tree, found.folder)

    async def _begin(self) -> WaitingFiles:
        for old in list(self._waiting)[: 1 - MOST_WAITING]:
            await self.drop(old)
        upload_id = new_run_id()
        made = WaitingFiles(upload_id, self._home / FOLDER / upload_id)
        await asyncio.to_thread(made.folder.mkdir, parents=True, mode=0o700)
        self._waiting[made.id] = made
        return made

    async def _store(self, waiting: WaitingFiles, name: str, chunks: AsyncIterator[bytes]) -> ImportFile:
        if len(waiting.files) >= MAX_MODEL_FILES:
            raise InvalidInput(
                f"A folder may hold {MAX_MODEL_FILES} files at most.",
                next_step="Import the model file alone.",
            )
        digest, size = hashlib.sha256(), 0
        try:
            with waiting.path(len(waiting.files)).open("xb") as target:
                async for chunk in chunks:
                    size += len(chunk)
                    self._require_room(waiting.size + size)
                    digest.update(chunk)
                    await asyncio.to_thread(target.write, chunk)
        except OSError as error:
            if error.errno not in (*DISK_FULL, errno.EFBIG):
                raise
            raise _too_full() from None
        return ImportFile(name=name, size=size, sha256=digest.hexdigest())

    def _require_room(self, wanted: int) -> None:
        if wanted > MAX_MODEL_BYTES:
            raise InvalidInput(
                f"A model may have {bytes_text(MAX_MODEL_BYTES)} at most.",
                next_step="Import the model file without videos and logs next to it.",
            )
        if wanted > shutil.disk_usage(self._home).free - self._settings.min_free_bytes:
            raise _too_full()


def _too_full() -> StorageFull:
    return StorageFull(
        "The disk is too full for this model. Nothing was imported.",
        next_step="Free some space and try again; `rl-lab usage` shows what takes it.",
    )


def _file_name(name: str) -> str:
    """A relative path as a text to show and to recognise files by."""
    parts = name.split("/")
    is_plain = name.isprintable() and "\\" not in name and len(name) <= MAX_FILE_NAME
    if not is_plain or any(part in ("", ".", "..") for part in parts):
        raise InvalidInput.of_field(
            "name",
            "is the name of the file, or its path in the folder, without “..” and of 200 characters at most",
        )
    return name


def _left_behind(home: Path) -> list[str]:
    """Ids of runs whose folders were being moved when a lab was killed."""
    found: list[str] = []
    for note in (home / FOLDER).glob(f"*/{MOVING}"):
        try:
            found.append(str(orjson.loads(note.read_bytes())))
        except (OSError, ValueError):
            continue
    return found


def _regular_files(folder: Path) -> list[str]:
    found: list[str] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent) / name
            if not name.startswith(".") and stat.S_ISREG(path.lstat().st_mode):
                found.append(str(path.relative_to(folder)))
    return found


async def _read(path: Path) -> AsyncIterator[bytes]:
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(fd, "rb") as file:
        while chunk := await asyncio.to_thread(file.read, CHUNK):
            yield chunk
