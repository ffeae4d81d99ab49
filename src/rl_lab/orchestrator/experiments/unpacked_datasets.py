"""Versions of datasets that come with a pack: checked, unpacked, put into place.

They are taken only if every file has the hash that the version's dataset.json says, and if those together give the
content hash; a confined worker looks at the arrays. Contents that this lab has already are not stored twice, and what
a name means here stays as it is.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import Connection

from rl_lab.core.datasets.datasets import Dataset, DatasetStatistics
from rl_lab.core.datasets.fitting import is_same_kind
from rl_lab.core.datasets.manifest import FORMAT, MANIFEST_FILE, DatasetManifest
from rl_lab.core.reproduction.packs import PackedDataset, dataset_member
from rl_lab.orchestrator.execution.dataset_files import is_whole
from rl_lab.orchestrator.looking import Looking
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store.datasets import datasets
from rl_lab.store.datasets.versions import find_contents, list_contents
from rl_lab.store.files.dataset_folders import DatasetFolders
from rl_lab.store.files.pack_files import OpenedPack, refused
from rl_lab.worker.datasets.job_files import MAX_MANIFEST_BYTES, STATISTICS_FILE

MAX_STATISTICS_BYTES = 8 << 20
CHECK_S = 300.0


@dataclass(frozen=True)
class UnpackedDataset:
    about: PackedDataset
    manifest: DatasetManifest
    statistics: DatasetStatistics | None
    folder: Path
    """Of its files, complete; their hashes were checked."""


def check_all(pack: OpenedPack) -> dict[str, DatasetManifest]:
    """The dataset.json of every listed version by its content hash; refuses a pack whose list or files differ."""
    listed = [one.sha256 for one in pack.manifest.datasets]
    if len(set(listed)) != len(listed):
        raise refused("it lists a dataset twice")
    for name in pack.manifest.members:
        top, _, rest = name.partition("/")
        if top == "datasets" and rest.partition("/")[0] not in listed:
            raise refused(f"its member “{name}” has no place in a pack")
    return {one.sha256: _check(pack, one) for one in pack.manifest.datasets}


def _check(pack: OpenedPack, listed: PackedDataset) -> DatasetManifest:
    described = dataset_member(listed.sha256, MANIFEST_FILE)
    try:
        manifest = DatasetManifest.model_validate_json(pack.read(described, MAX_MANIFEST_BYTES))
    except (ValidationError, RecursionError):
        raise refused(f"its member “{described}” is not valid") from None
    facts = (manifest.sha256, manifest.env_id, manifest.episodes, manifest.transitions, manifest.size)
    if manifest.format != FORMAT or facts != (
        *(listed.sha256, listed.env_id, listed.episodes, listed.transitions),
        listed.size,
    ):
        raise refused(f"its member “{described}” describes another dataset than {listed}")
    files = {dataset_member(listed.sha256, f"{one.name}.npy"): one for one in manifest.columns}
    known = {*files, described, dataset_member(listed.sha256, STATISTICS_FILE)}
    prefix = dataset_member(listed.sha256, "")
    for name in pack.manifest.members:
        if name.startswith(prefix) and (name not in known or "/" in name.removeprefix(prefix)):
            raise refused(f"its member “{name}” has no place in a pack")
    for name, column in files.items():
        member = pack.manifest.members.get(name)
        if member is None or (member.size, member.sha256) != (column.size, column.sha256):
            raise refused(f"its member “{name}” is missing, or is not the one that {MANIFEST_FILE} describes")
    return manifest


def unpack_all(pack: OpenedPack, home: Path) -> list[UnpackedDataset]:
    """Writes the files of every version below `home`, which is a folder for this pack alone."""
    described = check_all(pack)
    return [_unpack(pack, one, described[one.sha256], home) for one in pack.manifest.datasets]


def _unpack(
    pack: OpenedPack, listed: PackedDataset, manifest: DatasetManifest, home: Path
) -> UnpackedDataset:
    folder = home / "datasets" / listed.sha256
    folder.mkdir(parents=True, mode=0o700)
    prefix = dataset_member(listed.sha256, "")
    for name in pack.manifest.members:
        if name.startswith(prefix):
            with (folder / name.removeprefix(prefix)).open("xb") as file:
                pack.copy(name, file.write)
                file.flush()
                os.fsync(file.fileno())
    return UnpackedDataset(listed, manifest, _read_statistics(pack, listed), folder)


def _read_statistics(pack: OpenedPack, listed: PackedDataset) -> DatasetStatistics | None:
    name = dataset_member(listed.sha256, STATISTICS_FILE)
    if name not in pack.manifest.members:
        return None
    try:
        return DatasetStatistics.model_validate_json(pack.read(name, MAX_STATISTICS_BYTES))
    except (ValidationError, RecursionError):
        raise refused(f"its member “{name}” is not valid") from None


async def require_usable(looking: Looking, unpacked: Sequence[UnpackedDataset]) -> None:
    """Refuses a pack whose arrays do not fit their spaces; a confined worker opens them."""
    if not unpacked:
        return
    folders = [str(one.folder) for one in unpacked]
    rights = await looking.rights(folders)
    problems = await call_worker("check_datasets", {"folders": folders}, CHECK_S, confine=rights)
    for one, problem in zip(unpacked, problems, strict=True):
        if problem is not None:
            raise refused(f"its dataset {one.about} cannot be used: {str(problem).rstrip('.')}")


def name_changes(conn: Connection, listed: Sequence[PackedDataset]) -> list[str]:
    """Which datasets will have another name here, as sentences of the preview."""
    names = {one.name for one in listed if find_contents(conn, one.sha256) is None}
    free = {name: datasets.free_name(conn, name) for name in sorted(names)}
    return [
        f"This lab has another dataset “{name}”, which stays as it is: that of the pack becomes “{here}”."
        for name, here in free.items()
        if here != name
    ]


class DatasetImports:
    """Puts the versions of one pack into place, and takes them away again if the import fails."""

    def __init__(self, home: Path) -> None:
        self._folders = DatasetFolders(home)
        self._placed: list[tuple[str, int]] = []
        self._made: dict[str, str] = {}
        """The datasets that were made for this pack, by their names in it."""

    def add_all(self, conn: Connection, unpacked: Sequence[UnpackedDataset]) -> dict[str, str]:
        """Where this lab has each version, by what the pack calls it."""
        return {str(one.about): self._add(conn, one) for one in unpacked}

    def _add(self, conn: Connection, new: UnpackedDataset) -> str:
        copies = list_contents(conn, new.about.sha256)
        here = next((one for one in copies if is_whole(conn, self._folders, one)), None)
        if here is None and copies:
            here = copies[0]
            self._folders.place(new.folder, here.name, here.version)
            datasets.repair_version(conn, here, new.manifest)
        return f"{here.name}@v{here.version}" if here is not None else self._add_version(conn, new)

    def _add_version(self, conn: Connection, new: UnpackedDataset) -> str:
        dataset = self._find_dataset(conn, new)
        version = new.about.version
        if version in {one.version for one in dataset.versions}:
            version = datasets.next_version(conn, dataset.name)
        self._placed.append((dataset.name, version))
        self._folders.place(new.folder, dataset.name, version)
        datasets.add_version(
            conn, dataset.name, version, new.manifest, statistics=new.statistics, run_id=None
        )
        return f"{dataset.name}@v{version}"

    def _find_dataset(self, conn: Connection, new: UnpackedDataset) -> Dataset:
        """One of this pack, never one that was here: its newest version would become somebody else's."""
        made = self._made.get(new.about.name)
        dataset = datasets.get(conn, made) if made is not None else None
        if dataset is None or not is_same_kind(dataset, new.manifest):
            called = datasets.free_name(conn, new.about.name)
            datasets.create(conn, called)
            self._made[new.about.name] = called
            dataset = datasets.get(conn, called)
        return dataset

    def undo(self) -> None:
        for name, version in self._placed:
            self._folders.remove(name, version)
