"""The folders of datasets: `datasets/<name>/v<n>/` of the home folder. Blocks; call it on a thread.

A version is written into the folder of its job first. Its files are linked into place, the row is written, and then
the job's folder is removed: a lab that is killed at any moment finds one of the two complete.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from rl_lab.core.datasets.manifest import DATASETS_FOLDER
from rl_lab.core.disk.usage import DatasetDiskUsage
from rl_lab.core.errors import InvalidInput, LabError
from rl_lab.portable.atomic_files import sync_folder
from rl_lab.store.files.folder_trees import remove_tree, tree_bytes
from rl_lab.worker.datasets.job_files import read_manifest

log = logging.getLogger(__name__)
_NEW = ".new-"


class DatasetFolders:
    def __init__(self, home: Path) -> None:
        self._datasets = home / DATASETS_FOLDER

    def version(self, name: str, version: int) -> Path:
        return self._datasets / name / f"v{version}"

    def place(self, source: Path, name: str, version: int) -> None:
        """Link the files of a complete version into place."""
        self._datasets.mkdir(mode=0o700, exist_ok=True)
        aside = self._datasets / f"{_NEW}{token_hex(6)}"
        aside.mkdir()
        try:
            for entry in sorted(source.iterdir()):
                if entry.is_symlink() or not entry.is_file():
                    raise InvalidInput(f"{entry.name} is not a plain file, so it is not part of a dataset.")
                _link_or_copy(entry, aside / entry.name)
            sync_folder(aside)
            target = self.version(name, version)
            target.parent.mkdir(exist_ok=True)
            remove_tree(target)  # left over from a crash between this and the commit
            aside.rename(target)
            sync_folder(target.parent)
        finally:
            remove_tree(aside)

    def rename(self, name: str, new_name: str) -> None:
        with suppress(FileNotFoundError):
            (self._datasets / name).rename(self._datasets / new_name)

    def remove(self, name: str, version: int | None = None) -> None:
        folder = self._datasets / name
        remove_tree(folder if version is None else self.version(name, version))
        with suppress(OSError):  # it has other versions
            folder.rmdir()

    def restore(self, rows: Mapping[tuple[str, int], str]) -> None:
        """What a crash left: `rows` has the hash of every name and version that lab.db knows.

        A folder that was renamed before its row goes back; one that was linked before its row was written is removed,
        because its job still has the files. Any other that no row refers to is put aside and kept.
        """
        missing = {sha256: key for key, sha256 in rows.items() if not self.version(*key).is_dir()}
        with suppress(FileNotFoundError):
            for dataset in list(self._datasets.iterdir()):
                if dataset.name.startswith(_NEW):
                    remove_tree(dataset)
                elif dataset.is_dir() and not dataset.name.startswith("."):
                    self._restore_versions(dataset, rows, missing)

    def _restore_versions(
        self, dataset: Path, rows: Mapping[tuple[str, int], str], missing: Mapping[str, tuple[str, int]]
    ) -> None:
        for version in list(dataset.iterdir()):
            number = version.name.removeprefix("v")
            if not number.isdecimal() or (dataset.name, int(number)) in rows:
                continue
            place = missing.get(_find_hash(version))
            if place is not None:
                target = self.version(*place)
                target.parent.mkdir(exist_ok=True)
                version.rename(target)
            elif _is_linked(version):
                remove_tree(version)
            else:
                aside = self._datasets / f".unknown-{dataset.name}-{version.name}-{token_hex(3)}"
                log.warning("no dataset has %s; it is kept in %s", version, aside)
                version.rename(aside)
        with suppress(OSError):
            dataset.rmdir()


def measure_datasets(home: Path) -> list[DatasetDiskUsage]:
    """Largest first; a version that is being put into place is not listed yet."""
    try:
        folders = [one for one in (home / DATASETS_FOLDER).iterdir() if not one.name.startswith(".")]
    except OSError:
        return []
    found = [
        DatasetDiskUsage(name=one.name, bytes=tree_bytes(one), versions=sum(1 for _ in one.glob("v*")))
        for one in folders
    ]
    return sorted(found, key=lambda dataset: (-dataset.bytes, dataset.name))


def _find_hash(folder: Path) -> str:
    try:
        return read_manifest(folder).sha256
    except (LabError, OSError):
        return ""


def _is_linked(folder: Path) -> bool:
    """Whether its files are in another folder too."""
    files = [entry.stat() for entry in folder.iterdir() if entry.is_file()]
    return all(info.st_nlink > 1 for info in files)


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
        with target.open("rb") as copy:
            os.fsync(copy.fileno())
