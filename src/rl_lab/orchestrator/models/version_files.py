"""The files of named versions: `models/<name>/v<n>/` of the home folder holds the checkpoint and what is known of it.

A version has a copy of its own: the best checkpoint of a run is replaced while it trains, others are pruned, runs are
deleted, and a script may write to its file again. A copy is written aside and checked, then moved into place.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

import orjson

from rl_lab.core.errors import Gone
from rl_lab.core.models.models import MODELS_FOLDER
from rl_lab.portable.atomic_files import sync_folder
from rl_lab.store.files.folder_trees import remove_tree

log = logging.getLogger(__name__)
FACTS_FILE = "version.json"
_NEW = ".new-"


class VersionFiles:
    """Blocks; call it on a thread."""

    def __init__(self, home: Path) -> None:
        self._models = home / MODELS_FOLDER

    def folder(self, name: str, version: int) -> Path:
        return self._models / name / f"v{version}"

    def checkpoint(self, name: str, version: int) -> Path:
        """The kept file; Gone when somebody removed it."""
        with suppress(OSError):
            for path in sorted(self.folder(name, version).iterdir()):
                if path.name != FACTS_FILE and path.is_file() and not path.is_symlink():
                    return path
        raise Gone(
            f"The file of {name} v{version} is not in {self.folder(name, version)} any more.",
            next_step="Restore it from a backup, or remove the version.",
        )

    @contextmanager
    def copying(self, source: BinaryIO, file_name: str, sha256: str) -> Iterator[Path]:
        """A new folder with a copy of the file, which is removed unless it was moved into place."""
        folder = self._models / f"{_NEW}{token_hex(6)}"
        folder.mkdir(parents=True)
        try:
            with (folder / file_name).open("xb") as copy:
                digest = _copy(source, copy)
            if digest != sha256:
                raise Gone(
                    f"The file of the checkpoint {file_name} is not the one that was recorded.",
                    next_step="Choose another checkpoint of the run, or try again: a training that goes on "
                    "replaces its best checkpoint.",
                )
            yield folder
        finally:
            remove_tree(folder)

    def write_facts(self, folder: Path, facts: dict[str, Any]) -> None:
        (folder / FACTS_FILE).write_bytes(orjson.dumps(facts, option=orjson.OPT_INDENT_2) + b"\n")

    def read_facts(self, name: str, version: int) -> dict[str, Any]:
        """What `write_facts` wrote: the version, and the configuration that trained it; empty when it is gone."""
        with suppress(OSError, orjson.JSONDecodeError):
            facts: dict[str, Any] = orjson.loads((self.folder(name, version) / FACTS_FILE).read_bytes())
            return facts
        return {}

    def place(self, folder: Path, name: str, version: int) -> None:
        target = self.folder(name, version)
        target.parent.mkdir(parents=True, exist_ok=True)
        remove_tree(target)  # left over from a crash between this and the commit
        sync_folder(folder)
        folder.rename(target)
        sync_folder(target.parent)

    def rename(self, name: str, new_name: str) -> None:
        with suppress(FileNotFoundError):
            (self._models / name).rename(self._models / new_name)

    def remove(self, name: str, version: int | None = None) -> None:
        folder = self._models / name
        remove_tree(folder if version is None else self.folder(name, version))
        with suppress(OSError):  # it has other versions
            folder.rmdir()

    def restore(self, rows: Mapping[tuple[str, int], str]) -> dict[Path, str]:
        """What a crash left: `rows` has the hash of every name and version that lab.db knows.

        A folder that was renamed before its row goes back. Returns the others that no row refers to, with their hash.
        """
        missing = {(rows[key], key[1]): key for key in rows if not self.folder(*key).is_dir()}
        left: dict[Path, str] = {}
        with suppress(FileNotFoundError):
            for model in list(self._models.iterdir()):
                if model.name.startswith(_NEW):
                    remove_tree(model)
                elif model.is_dir() and not model.name.startswith("."):
                    left |= self._restore_versions(model, rows, missing)
        return left

    def _restore_versions(
        self,
        model: Path,
        rows: Mapping[tuple[str, int], str],
        missing: Mapping[tuple[str, int], tuple[str, int]],
    ) -> dict[Path, str]:
        left: dict[Path, str] = {}
        for folder in list(model.iterdir()):
            number = folder.name.removeprefix("v")
            if not number.isdecimal() or (model.name, int(number)) in rows:
                continue
            sha256 = str(self.read_facts(model.name, int(number)).get("sha256", ""))
            place = missing.get((sha256, int(number)))
            if place is not None:
                target = self.folder(*place)
                target.parent.mkdir(exist_ok=True)
                folder.rename(target)
            elif any(folder.iterdir()):
                left[folder] = sha256
            else:
                folder.rmdir()
        with suppress(OSError):
            model.rmdir()
        return left

    def drop(self, folder: Path) -> None:
        remove_tree(folder)
        with suppress(OSError):  # its model has other versions
            folder.parent.rmdir()

    def put_aside(self, folder: Path) -> None:
        aside = self._models / f".unknown-{folder.parent.name}-{folder.name}-{token_hex(3)}"
        log.warning("no model has %s; it is kept in %s", folder, aside)
        folder.rename(aside)
        with suppress(OSError):
            folder.parent.rmdir()


def _copy(source: BinaryIO, target: BinaryIO) -> str:
    digest = hashlib.sha256()
    while chunk := source.read(1 << 20):
        digest.update(chunk)
        target.write(chunk)
    target.flush()
    os.fsync(target.fileno())
    return digest.hexdigest()


def copy_into(target: int, source: Path) -> None:
    """Writes a file to an open descriptor."""
    with source.open("rb") as file, os.fdopen(target, "wb", closefd=False) as copy:
        shutil.copyfileobj(file, copy, 1 << 20)
