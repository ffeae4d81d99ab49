"""The dataset that a training learns from: whether its version is there and whole, and the folder of its files."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection

from rl_lab.core.datasets.datasets import DatasetVersion
from rl_lab.core.datasets.manifest import MANIFEST_FILE, DatasetManifest
from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.errors import NotReady
from rl_lab.orchestrator.context import Context
from rl_lab.store.datasets.versions import find_contents, find_manifest, find_version
from rl_lab.store.files.dataset_folders import DatasetFolders


class FoundDataset(NamedTuple):
    folder: Path
    version: DatasetVersion
    manifest: DatasetManifest

    def __str__(self) -> str:
        return f"{self.version.name}@v{self.version.version}"


class DatasetFiles:
    def __init__(self, context: Context) -> None:
        self._db = context.db
        self._folders = DatasetFolders(context.home)

    async def find_folder(self, choice: DatasetChoice | None) -> Path | None:
        found = await self.find(choice)
        return found.folder if found is not None else None

    async def find(self, choice: DatasetChoice | None) -> FoundDataset | None:
        """The version that a training learns from; None when it learns from none."""
        return None if choice is None else await self.get(choice)

    async def get(self, choice: DatasetChoice) -> FoundDataset:
        """NotReady when the version has gone, was replaced or is damaged.

        Sizes are compared, which takes no time; `dataset_contents.py` compares the checksums.
        """
        version = await self._db.read(lambda conn: find_version(conn, choice.name, choice.version))
        if version is None or choice.sha256 not in (None, version.sha256):
            replaced, version = version, await self._find_same(choice)
            if version is None:
                raise _gone(choice, replaced)
        found: DatasetVersion = version
        require_intact(found)
        manifest = await self._db.read(lambda conn: find_manifest(conn, found.name, found.version))
        folder = self._folders.version(found.name, found.version)
        assert manifest is not None
        await asyncio.to_thread(require_files, folder, manifest, found)
        return FoundDataset(folder, found, manifest)

    async def _find_same(self, choice: DatasetChoice) -> DatasetVersion | None:
        """The same contents under another name: a dataset was renamed, or made again."""
        sha256 = choice.sha256
        return await self._db.read(lambda conn: find_contents(conn, sha256)) if sha256 else None


def require_files(folder: Path, manifest: DatasetManifest, version: DatasetVersion) -> None:
    """NotReady with the first file that is missing or has another size than its manifest says."""
    sizes = {f"{column.name}.npy": column.size for column in manifest.columns}
    for name, size in {MANIFEST_FILE: None, **sizes}.items():
        try:
            found = (folder / name).stat().st_size
        except OSError:
            raise _damaged(version, f"{name} is missing") from None
        if size not in (None, found):
            raise _damaged(version, f"{name} has {found:,} bytes instead of {size:,}")


def require_intact(version: DatasetVersion) -> None:
    """NotReady when its last check found it damaged or missing."""
    if version.integrity in ("damaged", "missing"):
        raise _damaged(version, version.integrity_message.rstrip(".") or f"its files are {version.integrity}")


def is_whole(conn: Connection, folders: DatasetFolders, version: DatasetVersion) -> bool:
    """Whether its files are there and its last check found nothing wrong."""
    manifest = find_manifest(conn, version.name, version.version)
    try:
        require_intact(version)
        if manifest is not None:
            require_files(folders.version(version.name, version.version), manifest, version)
    except NotReady:
        return False
    return manifest is not None


def _damaged(version: DatasetVersion, what: str) -> NotReady:
    named = f"{version.name}@v{version.version}"
    return NotReady(
        f"The dataset {named} cannot be learned from: {what}.",
        cause="dataset-damaged",
        next_step=f"Put the file back and run `rl-lab datasets check {named}`, or import or make the dataset again.",
    )


def _gone(choice: DatasetChoice, replaced: DatasetVersion | None) -> NotReady:
    if replaced is None:
        return NotReady(
            f"The dataset {choice} is not in this lab.",
            next_step="Import or make it again, or create the run with another one; `rl-lab datasets` lists them.",
        )
    return NotReady(
        f"The dataset {choice} has other contents now: {replaced.sha256[:12]} instead of "
        f"{(choice.sha256 or '')[:12]}.",
        next_step=f"Create the run again with {choice}: it then learns from what is there now.",
    )
