"""Files that are sent to the lab to become datasets: `uploads/<id>/data`, with its name and size next to it.

What has arrived is on the disk, so an upload continues after a lost connection and after a restart of the lab.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path

from rl_lab.core.datasets.operations import DatasetConfig, ImportDataset
from rl_lab.core.datasets.uploads import DatasetUpload
from rl_lab.core.errors import InvalidInput, MoveRefused, NotFound, StorageFull
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import Run, RunStatus
from rl_lab.core.words.amounts import bytes_text
from rl_lab.orchestrator.context import Context
from rl_lab.store.files.folder_trees import remove_tree

FOLDER = "uploads"
"""Of the home folder."""
ABOUT, DATA = "upload.json", "data"
KEPT_S = 86_400.0
"""An upload that nobody has continued or imported for this long is removed when the lab starts."""
MOST_WAITING = 32


class DatasetUploads:
    def __init__(self, context: Context) -> None:
        self._home = context.home
        self._min_free = context.settings.min_free_bytes
        self._receiving: set[str] = set()

    async def open(self) -> None:
        await asyncio.to_thread(_remove_old, self._home)

    def get(self, upload_id: str) -> DatasetUpload:
        return find_upload(self._home, upload_id)

    async def list_all(self) -> list[DatasetUpload]:
        """The newest first."""
        return await asyncio.to_thread(_list_uploads, self._home)

    async def begin(self, name: str, size: int, chunks: AsyncIterator[bytes]) -> DatasetUpload:
        """A new upload, with as much of the file as the body holds."""
        self._require_space(size)
        made = DatasetUpload(id=new_run_id(), name=_plain_name(name), size=size, received=0)
        await asyncio.to_thread(self._create, made)
        return await self.receive(made.id, 0, chunks)

    async def receive(self, upload_id: str, offset: int, chunks: AsyncIterator[bytes]) -> DatasetUpload:
        """The next piece; what arrives before the connection breaks is kept."""
        found = self.get(upload_id)
        if upload_id in self._receiving:
            raise MoveRefused(
                f"“{found.name}” is being sent by another connection.",
                next_step="Wait until that one has ended.",
            )
        if offset != found.received:
            raise MoveRefused(
                f"{found.received:,} bytes of “{found.name}” have arrived; this piece begins at byte {offset:,}.",
                next_step=f"Send the rest from byte {found.received}.",
            )
        self._receiving.add(upload_id)
        try:
            await self._append(found, chunks)
        finally:
            self._receiving.discard(upload_id)
        return self.get(upload_id)

    async def drop(self, upload_id: str) -> None:
        self.get(upload_id)
        await asyncio.to_thread(remove_tree, self._home / FOLDER / upload_id)

    async def after_end(self, run: Run) -> None:
        """The file of an import that succeeded is not needed any more; after a failure it can be tried again."""
        operation = run.config.operation if isinstance(run.config, DatasetConfig) else None
        if run.status is RunStatus.succeeded and isinstance(operation, ImportDataset) and operation.upload:
            with contextlib.suppress(NotFound):
                await self.drop(operation.upload)

    async def _append(self, upload: DatasetUpload, chunks: AsyncIterator[bytes]) -> None:
        received = upload.received
        with data_path(self._home, upload.id).open("ab") as file:
            async for chunk in chunks:
                received += len(chunk)
                if received > upload.size:
                    raise InvalidInput(
                        f"More than the announced {upload.size:,} bytes of “{upload.name}” arrived.",
                        next_step="Send the file again with its right size.",
                    )
                try:
                    await asyncio.to_thread(file.write, chunk)
                except OSError as error:
                    raise StorageFull(
                        f"“{upload.name}” could not be stored: {error.strerror}.",
                        next_step="Free some space.",
                    ) from error

    def _create(self, made: DatasetUpload) -> None:
        waiting = sorted((self._home / FOLDER).glob("*"), key=lambda path: path.stat().st_mtime)
        for old in waiting[: max(0, len(waiting) + 1 - MOST_WAITING)]:
            remove_tree(old)
        folder = self._home / FOLDER / made.id
        folder.mkdir(parents=True, mode=0o700)
        (folder / DATA).touch(mode=0o600)
        (folder / ABOUT).write_text(made.model_dump_json())

    def _require_space(self, size: int) -> None:
        free = shutil.disk_usage(self._home).free - self._min_free
        # The dataset is written next to it while the upload is still there.
        if 2 * size > free:
            raise StorageFull(
                f"A file of {bytes_text(size)} and the dataset made from it do not fit: {bytes_text(max(0, free))} "
                "may be used.",
                next_step="Free some space: `rl-lab usage` shows what is large.",
            )


def find_upload(home: Path, upload_id: str) -> DatasetUpload:
    """NotFound for one that there is not, or no more."""
    folder = home / FOLDER / upload_id
    try:
        if not re.fullmatch(r"[a-z0-9]{1,32}", upload_id):
            raise ValueError
        found = DatasetUpload.model_validate_json((folder / ABOUT).read_bytes())
        return found.model_copy(update={"received": (folder / DATA).stat().st_size})
    except (OSError, ValueError):
        raise NotFound(f"There is no upload “{upload_id}”.", next_step="Send the file again.") from None


def _list_uploads(home: Path) -> list[DatasetUpload]:
    found = []
    for folder in (home / FOLDER).glob("*"):
        # One that is discarded meanwhile is left out.
        with contextlib.suppress(NotFound, OSError):
            found.append((folder.stat().st_mtime, find_upload(home, folder.name)))
    return [upload for _, upload in sorted(found, key=lambda one: one[0], reverse=True)]


def data_path(home: Path, upload_id: str) -> Path:
    return home / FOLDER / upload_id / DATA


def _plain_name(name: str) -> str:
    shown = "".join(c for c in name if c.isprintable()).replace("\\", "/").rpartition("/")[2].strip()
    return shown or "file"


def _remove_old(home: Path) -> None:
    folder = home / FOLDER
    if not folder.is_dir():
        return
    for path in folder.iterdir():
        newest = max((one.stat().st_mtime for one in (path, *path.glob("*"))), default=0.0)
        if time.time() - newest > KEPT_S:
            remove_tree(path)
