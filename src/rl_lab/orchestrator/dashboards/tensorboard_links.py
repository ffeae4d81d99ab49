"""The folder a TensorBoard shows: one folder per run with links to event files, in names that TensorBoard displays.

Only event files are linked, found without following links, so nothing else in a run's folder is shown.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.runs import Run
from rl_lab.store.files.event_files import FOLDER
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.source_files import place_of

MAX_FILES = 500
"""Event files linked per folder of a run."""
MAX_ENTRIES = 20_000
"""Entries looked at in search of them."""
_UNWANTED = re.compile(r"[^\w .,=+()-]")


@dataclass(frozen=True)
class EventFileSource:
    """A folder of event files and the name it is shown under."""

    label: str
    path: Path


def labels(runs: Sequence[Run]) -> dict[str, str]:
    """Run id → the name of its folder: the run's own name, with the id where two are alike."""
    plain = {run.id: _plain(run.name) or run.id for run in runs}
    names = [name.casefold() for name in plain.values()]
    return {
        run_id: name if names.count(name.casefold()) == 1 else f"{name} ({run_id})"
        for run_id, name in plain.items()
    }


def has_event_files(artifact: Artifact) -> bool:
    """A folder of event files, or one such file: adopted runs list theirs singly."""
    return artifact.kind == "tensorboard" or "tfevents" in Path(artifact.path).name


def sources(home: Path, run: Run, label: str, found: Sequence[Artifact]) -> list[EventFileSource]:
    """The lab's own series under the run's name, and below it the event files that the run wrote itself."""
    folders: dict[Path, str] = {}
    brought: list[EventFileSource] = []
    for artifact in sorted(found, key=lambda a: a.path):
        folder, name = base_of(home, run, artifact)
        base = folder.resolve()
        path = (base / name).resolve()
        if has_event_files(artifact) and not artifact.data.get("is_exported") and path.is_relative_to(base):
            holder = path if path.is_dir() else path.parent
            shown = folders.setdefault(holder, _unused(_plain(holder.name) or "files", folders))
            brought.append(EventFileSource(f"{label}/{shown}", path))
    return [EventFileSource(label, RunFolder(home, run.id).path / FOLDER), *brought]


def _unused(name: str, folders: dict[Path, str]) -> str:
    return f"{name} {len(folders) + 1}" if name in folders.values() else name


def base_of(home: Path, run: Run, artifact: Artifact) -> tuple[Path, str]:
    """The folder an artifact's path begins at, and the path: the run's own, or the one the run was adopted from."""
    if run.source is not None and artifact.data.get("in_source"):
        folder, name = place_of(run.source, artifact)
        return Path(folder), name
    return RunFolder(home, run.id).path, artifact.path


def link(folder: Path, source: EventFileSource) -> None:
    """Adds links to the event files there now; those that are linked already stay."""
    for path, below in _event_files(source.path):
        target = folder / source.label / below
        target.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            (target / path.name).symlink_to(path)


def _event_files(path: Path) -> Iterator[tuple[Path, Path]]:
    """Each file and its folder below `path`."""
    if path.is_file():
        yield path, Path()
        return
    many = looked_at = 0
    waiting = [path]
    while waiting and many < MAX_FILES and looked_at <= MAX_ENTRIES:
        folders, files, count = _listed(waiting.pop())
        looked_at += count
        waiting += [Path(folder) for folder in sorted(folders, reverse=True)]
        for file in sorted(files)[: MAX_FILES - many]:
            many += 1
            yield Path(file), _plain_path(Path(file).parent.relative_to(path))


def _listed(folder: Path) -> tuple[list[str], list[str], int]:
    """Folders and event files in a folder, and how many entries it has."""
    folders: list[str] = []
    files: list[str] = []
    count = 0
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            count += 1
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            elif "tfevents" in entry.name and entry.is_file(follow_symlinks=False):
                files.append(entry.path)
    return folders, files, count


def _plain_path(path: Path) -> Path:
    return Path(*(_plain(part) or "_" for part in path.parts))


def _plain(name: str) -> str:
    """A name without separators, control signs and leading dots."""
    return _UNWANTED.sub("_", name).strip(" .")[:80]
