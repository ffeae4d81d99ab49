"""The files of a version compared with their checksums and its schema."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

from rl_lab.core.datasets.datasets import Integrity
from rl_lab.core.datasets.manifest import MANIFEST_FILE, DatasetColumn
from rl_lab.core.errors import LabError, NotFound
from rl_lab.worker.datasets.job_files import read_manifest
from rl_lab.worker.datasets.progress import WorkCount
from rl_lab.worker.datasets.reading import open_dataset
from rl_lab.worker.datasets.version_inputs import VersionInput
from rl_lab.worker.session import Session

BLOCK = 8 << 20


class Checked(NamedTuple):
    integrity: Integrity
    message: str


def check(session: Session, version: VersionInput) -> Checked:
    """Whether everything is as it was written; the first file that is not is named."""
    try:
        manifest = read_manifest(version.folder)
    except NotFound:
        return Checked("missing", f"{MANIFEST_FILE} is missing.")
    except LabError as error:
        return Checked("damaged", error.detail)
    for column in manifest.columns:
        if not (version.folder / f"{column.name}.npy").is_file():
            return Checked("missing", f"{column.name}.npy is missing.")
    found = _compare(version.folder, manifest.columns, WorkCount(session, manifest.size, "byte"))
    if found is not None:
        return found
    try:
        open_dataset(version.folder)
    except LabError as error:
        return Checked("damaged", error.detail)
    if manifest.sha256 != version.sha256:
        return Checked("damaged", f"{MANIFEST_FILE} describes other contents than when the version was made.")
    return Checked("intact", "")


def check_datasets(given: dict[str, Any]) -> list[str | None]:
    """A worker call: for each of the `folders` what is wrong with its files and spaces; checksums are not compared."""
    return [_find_problem(Path(folder)) for folder in given["folders"]]


def _find_problem(folder: Path) -> str | None:
    try:
        open_dataset(folder)
    except LabError as error:
        return error.detail
    except Exception as error:  # whatever numpy raises for files and spaces that somebody has made up
        return f"{type(error).__name__}: {error}"
    return None


def _compare(folder: Path, columns: list[DatasetColumn], progress: WorkCount) -> Checked | None:
    for column in columns:
        digest = hashlib.sha256()
        with (folder / f"{column.name}.npy").open("rb") as file:
            while block := file.read(BLOCK):
                digest.update(block)
                progress.advance(len(block))
        if digest.hexdigest() != column.sha256:
            return Checked(
                "damaged", f"{column.name}.npy does not have its checksum: it was changed or damaged."
            )
    return None
