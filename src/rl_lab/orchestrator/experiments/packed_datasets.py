"""Versions of datasets that the runs of a pack learned from: `datasets/<content hash>/` of the pack.

Packed as they are; unpacked only if every file has the hash that the version's dataset.json says, and if those together
give the content hash. A version whose contents this lab has already is not stored twice.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import Connection

from rl_lab.core.datasets.datasets import DatasetStatistics, DatasetVersion
from rl_lab.core.datasets.manifest import FORMAT, MANIFEST_FILE, DatasetManifest
from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.errors import LabError
from rl_lab.core.reproduction.packs import PackedDataset, RunRecord, dataset_member
from rl_lab.orchestrator.execution.dataset_files import require_files
from rl_lab.portable.regular_files import open_regular
from rl_lab.store.datasets import datasets
from rl_lab.store.datasets.versions import find_contents, find_manifest, find_version
from rl_lab.store.files.dataset_folders import DatasetFolders
from rl_lab.store.files.pack_files import OpenedPack, refused
from rl_lab.store.files.zip_stream import ZipMember
from rl_lab.worker.datasets.job_files import MAX_MANIFEST_BYTES, STATISTICS_FILE

CHUNK = 1 << 20
MAX_STATISTICS_BYTES = 8 << 20
BAD_FILES = (
    *(LabError, ValueError, KeyError, TypeError, AttributeError, IndexError),
    *(RecursionError, MemoryError, OverflowError, OSError),
)
"""What opening a version raises whose files or spaces somebody has made up."""


@dataclass(frozen=True)
class DatasetSource:
    """A version to pack; without `version` one that this lab no longer has."""

    choice: DatasetChoice
    run_name: str
    version: DatasetVersion | None = None
    manifest: DatasetManifest | None = None
    folder: Path = Path()


@dataclass(frozen=True)
class UnpackedDataset:
    about: PackedDataset
    manifest: DatasetManifest
    statistics: DatasetStatistics | None
    folder: Path
    """Of its files, complete and checked."""


def find_sources(conn: Connection, home: Path, records: Sequence[RunRecord]) -> list[DatasetSource]:
    """Each version once, however many of the runs learned from it."""
    found: dict[str, DatasetSource] = {}
    for record in records:
        choice = getattr(record.run.config, "dataset", None)
        if isinstance(choice, DatasetChoice) and str(choice.sha256 or choice) not in found:
            source = DatasetSource(choice, record.run.name)
            found[str(choice.sha256 or choice)] = _with_version(conn, home, source)
    return list(found.values())


def _with_version(conn: Connection, home: Path, source: DatasetSource) -> DatasetSource:
    choice = source.choice
    version = find_version(conn, choice.name, choice.version)
    if version is None or version.sha256 != choice.sha256:
        version = find_contents(conn, choice.sha256 or "")
    manifest = find_manifest(conn, version.name, version.version) if version is not None else None
    if version is None or manifest is None:
        return source
    described = manifest.model_copy(update={"licence": version.licence, "source": version.source})
    folder = DatasetFolders(home).version(version.name, version.version)
    return DatasetSource(choice, source.run_name, version, described, folder)


def find_problem(source: DatasetSource) -> str | None:
    """Why the version cannot be packed, as a note of the pack; None if it can. Reads all of its files."""
    why = "it was deleted" if source.version is None else _find_damage(source)
    if why is None:
        return None
    return (
        f"{source.run_name}: the dataset {source.choice} is left out: {why}. "
        "Without it the run can be looked at, but not trained again."
    )


def _find_damage(source: DatasetSource) -> str | None:
    assert source.version is not None and source.manifest is not None
    try:
        require_files(source.folder, source.manifest, source.version)
        for column in source.manifest.columns:
            with open_regular(str(source.folder / f"{column.name}.npy")) as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != column.sha256:
                    return f"{column.name}.npy does not have its checksum"
    except (LabError, OSError) as error:
        return str(error.detail if isinstance(error, LabError) else error).rstrip(".")
    return None


def about(source: DatasetSource) -> PackedDataset:
    version = source.version
    assert version is not None
    fields = ("name", "version", "sha256", "env_id", "episodes", "transitions", "size")
    return PackedDataset.model_validate({field: getattr(version, field) for field in fields})


def members(source: DatasetSource) -> Iterator[ZipMember]:
    """Columns are not compressed: floats hardly shrink, and constant ones so much that they look like a bomb."""
    version, manifest = source.version, source.manifest
    assert version is not None and manifest is not None
    for column in manifest.columns:
        name = f"{column.name}.npy"
        yield ZipMember(dataset_member(version.sha256, name), _read(source.folder / name), is_packed=True)
    if version.statistics is not None:
        figures = version.statistics.model_dump_json().encode()
        yield ZipMember(dataset_member(version.sha256, STATISTICS_FILE), [figures])
    described = manifest.model_dump_json().encode()
    yield ZipMember(dataset_member(version.sha256, MANIFEST_FILE), [described])


def _read(path: Path) -> Iterator[bytes]:
    with open_regular(str(path)) as file:
        while chunk := file.read(CHUNK):
            yield chunk


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
    from rl_lab.worker.datasets.reading import open_dataset  # imports numpy

    folder = home / "datasets" / listed.sha256
    folder.mkdir(parents=True, mode=0o700)
    prefix = dataset_member(listed.sha256, "")
    for name in pack.manifest.members:
        if name.startswith(prefix):
            with (folder / name.removeprefix(prefix)).open("xb") as file:
                pack.copy(name, file.write)
                file.flush()
                os.fsync(file.fileno())
    try:
        open_dataset(folder)
    except BAD_FILES as error:
        why = error.detail if isinstance(error, LabError) else error
        raise refused(f"its dataset {listed} cannot be used: {why}") from None
    return UnpackedDataset(listed, manifest, _read_statistics(pack, listed), folder)


def _read_statistics(pack: OpenedPack, listed: PackedDataset) -> DatasetStatistics | None:
    name = dataset_member(listed.sha256, STATISTICS_FILE)
    if name not in pack.manifest.members:
        return None
    try:
        return DatasetStatistics.model_validate_json(pack.read(name, MAX_STATISTICS_BYTES))
    except (ValidationError, RecursionError):
        raise refused(f"its member “{name}” is not valid") from None


class DatasetImports:
    """Puts the versions of one pack into place, and takes them away again if the import fails."""

    def __init__(self, home: Path) -> None:
        self._folders = DatasetFolders(home)
        self._placed: list[tuple[str, int]] = []

    def add_all(self, conn: Connection, unpacked: Sequence[UnpackedDataset]) -> dict[str, str]:
        """Where this lab has each version, by what the pack calls it."""
        return {str(one.about): self._add(conn, one) for one in unpacked}

    def _add(self, conn: Connection, new: UnpackedDataset) -> str:
        here = find_contents(conn, new.about.sha256)
        if here is not None:
            return f"{here.name}@v{here.version}"
        dataset = datasets.find_or_create(conn, new.about.name, new.manifest)
        taken = {one.version for one in dataset.versions}
        version = new.about.version
        if version in taken:
            version = datasets.next_version(conn, dataset.name)
        self._placed.append((dataset.name, version))
        self._folders.place(new.folder, dataset.name, version)
        datasets.add_version(
            conn, dataset.name, version, new.manifest, statistics=new.statistics, run_id=None
        )
        return f"{dataset.name}@v{version}"

    def undo(self) -> None:
        for name, version in self._placed:
            self._folders.remove(name, version)
