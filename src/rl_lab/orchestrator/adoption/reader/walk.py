"""The walk through a folder that is to be adopted: bounded, in small steps, no link followed."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from rl_lab.analysis.adoption.mlflow_files import META
from rl_lab.analysis.adoption.neptune_files import SUFFIX
from rl_lab.analysis.adoption.trackio_files import find_runs
from rl_lab.orchestrator.adoption.reader.exports import runs_in_exports
from rl_lab.orchestrator.adoption.reader.sources import DATABASE, HPARAMS, is_mlflow, is_plain, role_of
from rl_lab.portable.regular_files import open_regular

MAX_ENTRIES = 2_000_000
MAX_FOLDERS = 200_000
MAX_DEPTH = 24
FOLLOWED_FOLDERS = 20_000
"""Folders of one adoption that are watched for new runs."""
STEP_ENTRIES = 2000
SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "lost+found"})


@dataclass
class Walk:
    """One walk; `entries` and `folders` show how far it is."""

    own: str
    """The lab's home, which is never walked into."""
    on_problem: Callable[[str], None]
    """Called with what could not be read, and why."""
    entries: int = 0
    folders: dict[str, int] = field(default_factory=dict)
    """Folder → mtime when it was listed, for those that are watched."""
    seen: int = 0
    is_cut: bool = False

    def begin_again(self) -> None:
        """A later look has the same bounds as the first, not what is left of them."""
        self.entries = self.seen = 0
        self.is_cut = False

    def through(self, folder: str, known: Collection[str] = ()) -> Iterator[str | None]:
        """Folders that hold files with points; None now and then, so that the caller can do other things.

        Folders that are `known` are not walked again.
        """
        waiting = [(folder, 0)]
        while waiting and not self.is_cut:
            path, depth = waiting.pop()
            try:
                listed = yield from self._names(path)
            except OSError as error:
                self.on_problem(f"{path}: {error.strerror or error}; it was left out.")
                continue
            is_source = any(not is_folder and role_of(name) for name, is_folder in listed)
            is_run = is_mlflow(listed)
            if is_source or is_run:
                yield path
            yield from _in_databases(path, listed)
            exported = [name for name, is_folder in listed if name.endswith(SUFFIX) and not is_folder]
            yield from runs_in_exports(path, exported, self.on_problem)
            below = [name for name, is_folder in listed if is_folder and not is_run]
            if depth < MAX_DEPTH and not _is_closed(path):
                names = [name for name in below if not (is_source and HPARAMS.fullmatch(name))]
                paths = [f"{path}/{name}" for name in sorted(names, reverse=True)]
                waiting += [(path, depth + 1) for path in paths if path not in known]
            elif below and depth >= MAX_DEPTH:
                self.on_problem(f"{path}: folders more than {MAX_DEPTH} deep are not read.")

    def _names(self, path: str) -> Generator[None, None, list[tuple[str, bool]]]:
        """Names worth a look, each with whether it is a folder; other files are left out."""
        found: list[tuple[str, bool]] = []
        for name, is_folder in self._list(path):
            if name is None:
                yield None
            elif is_folder or name == META or name.endswith((DATABASE, SUFFIX)) or role_of(name):
                found.append((name, is_folder))
        return found

    def _list(self, path: str) -> Iterator[tuple[str | None, bool]]:
        self._note(path)
        odd = 0
        with os.scandir(path) as entries:
            for entry in entries:
                self.entries += 1
                if self._is_too_much():
                    return
                if self.entries % STEP_ENTRIES == 0:
                    yield None, False
                if entry.is_symlink():
                    continue
                is_folder = entry.is_dir(follow_symlinks=False)
                if not is_plain(entry.name):
                    odd += 1
                elif is_folder and not self._is_skipped(entry):
                    yield entry.name, True
                elif not is_folder and entry.is_file(follow_symlinks=False):
                    yield entry.name, False
        if odd:
            self.on_problem(f"{path}: names that are not plain text were left out ({odd}).")

    def _note(self, path: str) -> None:
        self.seen += 1
        if len(self.folders) < FOLLOWED_FOLDERS:
            self.folders[path] = Path(path).stat(follow_symlinks=False).st_mtime_ns
        elif self.seen == FOLLOWED_FOLDERS + 1:
            self.on_problem(
                f"More than {FOLLOWED_FOLDERS:,} folders: only the first are watched for new runs."
            )

    def _is_too_much(self) -> bool:
        if self.entries > MAX_ENTRIES or self.seen > MAX_FOLDERS:
            self.is_cut = True
            self.on_problem(
                f"Looking ended after {MAX_ENTRIES:,} files or {MAX_FOLDERS:,} folders; "
                "adopt the folders below one by one to read the rest."
            )
        return self.is_cut

    def _is_skipped(self, entry: os.DirEntry[str]) -> bool:
        return entry.name.startswith(".") or entry.name in SKIPPED or entry.path == self.own


def _in_databases(path: str, listed: list[tuple[str, bool]]) -> Iterator[str]:
    """Runs in the databases of Trackio of this folder."""
    for name, is_folder in sorted(listed):
        if name.endswith(DATABASE) and not is_folder:
            with suppress(OSError), open_regular(Path(path, name)) as file:
                yield from [f"{path}/{name}#{run}" for run in find_runs(file)]


def _is_closed(path: str) -> bool:
    """W&B copies files of other tools into its own folder; they are no runs of their own."""
    folder = PurePath(path)
    return folder.name.startswith(("offline-run-", "run-")) and folder.parent.name == "wandb"
