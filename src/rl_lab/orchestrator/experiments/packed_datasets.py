"""Versions of datasets that the runs of a pack learned from: `datasets/<content hash>/` of the pack, as they are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from rl_lab.core.datasets.datasets import DatasetVersion
from rl_lab.core.datasets.manifest import MANIFEST_FILE, DatasetManifest
from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.errors import LabError
from rl_lab.core.reproduction.packs import PackedDataset, RunRecord, dataset_member
from rl_lab.orchestrator.execution.dataset_files import require_files
from rl_lab.portable.regular_files import open_regular
from rl_lab.store.datasets.versions import find_manifest, list_contents
from rl_lab.store.files.dataset_folders import DatasetFolders
from rl_lab.store.files.zip_stream import ZipMember
from rl_lab.worker.datasets.job_files import STATISTICS_FILE

CHUNK = 1 << 20


@dataclass(frozen=True)
class DatasetCopy:
    """A version in this lab with the contents that a run learned from."""

    version: DatasetVersion
    manifest: DatasetManifest
    folder: Path


@dataclass(frozen=True)
class DatasetSource:
    """What a run learned from."""

    choice: DatasetChoice
    run_name: str
    copies: Sequence[DatasetCopy]
    """The one that the run names first; none when it was deleted."""


def find_sources(conn: Connection, home: Path, records: Sequence[RunRecord]) -> list[DatasetSource]:
    """Each version once, however many of the runs learned from it."""
    found: dict[str, DatasetSource] = {}
    for record in records:
        choice = getattr(record.run.config, "dataset", None)
        if isinstance(choice, DatasetChoice) and str(choice.sha256 or choice) not in found:
            copies = _find_copies(conn, home, choice)
            found[str(choice.sha256 or choice)] = DatasetSource(choice, record.run.name, copies)
    return list(found.values())


def _find_copies(conn: Connection, home: Path, choice: DatasetChoice) -> list[DatasetCopy]:
    same = list_contents(conn, choice.sha256 or "")
    found = []
    for version in sorted(same, key=lambda one: (one.name, one.version) != (choice.name, choice.version)):
        manifest = find_manifest(conn, version.name, version.version)
        if manifest is not None:
            described = manifest.model_copy(update={"licence": version.licence, "source": version.source})
            folder = DatasetFolders(home).version(version.name, version.version)
            found.append(DatasetCopy(version, described, folder))
    return found


def pick_copy(source: DatasetSource) -> DatasetCopy | str:
    """The first one whose files are whole, else a note that says why there is none. Reads all of the files."""
    damages = []
    for copy in source.copies:
        damage = _find_damage(copy)
        if damage is None:
            return copy
        damages.append(damage)
    why = damages[0] if damages else "it was deleted"
    return (
        f"{source.run_name}: the dataset {source.choice} is left out: {why}. "
        "Without it the run can be looked at, but not trained again."
    )


def _find_damage(copy: DatasetCopy) -> str | None:
    try:
        require_files(copy.folder, copy.manifest, copy.version)
        for column in copy.manifest.columns:
            with open_regular(str(copy.folder / f"{column.name}.npy")) as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != column.sha256:
                    return f"{column.name}.npy does not have its checksum"
    except (LabError, OSError) as error:
        return str(error.detail if isinstance(error, LabError) else error).rstrip(".")
    return None


def about(copy: DatasetCopy) -> PackedDataset:
    fields = ("name", "version", "sha256", "env_id", "episodes", "transitions", "size")
    return PackedDataset.model_validate({field: getattr(copy.version, field) for field in fields})


def members(copy: DatasetCopy) -> Iterator[ZipMember]:
    """Columns are not compressed: floats hardly shrink, and constant ones so much that they look like a bomb."""
    sha256 = copy.version.sha256
    for column in copy.manifest.columns:
        name = f"{column.name}.npy"
        yield ZipMember(dataset_member(sha256, name), _read(copy.folder / name), is_packed=True)
    if copy.version.statistics is not None:
        figures = copy.version.statistics.model_dump_json().encode()
        yield ZipMember(dataset_member(sha256, STATISTICS_FILE), [figures])
    described = copy.manifest.model_dump_json().encode()
    yield ZipMember(dataset_member(sha256, MANIFEST_FILE), [described])


def _read(path: Path) -> Iterator[bytes]:
    with open_regular(str(path)) as file:
        while chunk := file.read(CHUNK):
            yield chunk
