"""Atomic files: written under another name, synced, hashed, then renamed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

Save = Callable[[Path], object]
"""Writes a complete file to exactly the given path."""


@dataclass(frozen=True, slots=True)
class Saved:
    path: Path
    size: int
    sha256: str


def save_file(save: Save, path: Path) -> Saved:
    """Let `save` write `path` so that a crash at any time leaves the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # The suffix stays at the end: libraries append their own to a name without it.
    aside = path.with_name(f".new-{os.getpid()}-{path.name}")
    try:
        save(aside)
        saved = _sync_and_hash(aside, path)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    sync_folder(path.parent)
    return saved


def link_file(source: Path, target: Path) -> Saved:
    """A hard link to a file, or a copy where the file system has no hard links."""
    return save_file(partial(link_or_copy, source), target)


def link_or_copy(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        target.write_bytes(source.read_bytes())


def sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _sync_and_hash(aside: Path, path: Path) -> Saved:
    digest = hashlib.sha256()
    with aside.open("rb") as file:
        os.fsync(file.fileno())
        while chunk := file.read(1 << 20):  # Python 3.10, which captured scripts may have, has no file_digest
            digest.update(chunk)
        return Saved(path, file.tell(), digest.hexdigest())
