"""The folder of a run, and safe access to the files in it.

A worker may create anything in its folder: links, pipes, devices. The server opens only regular files inside
the folder and never follows links.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

import orjson

from rl_lab.core.errors import Forbidden, Gone, InvalidInput
from rl_lab.core.jobs.kinds import JobConfig
from rl_lab.store.files.folder_trees import remove_tree, tree_bytes, walk_tree
from rl_lab.store.files.safe_open import LINK_ERRORS, open_beneath, open_plain, split_path

_RUN_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}")


class RunFolder:
    def __init__(self, home: Path, run_id: str) -> None:
        if not _RUN_ID.fullmatch(run_id):
            raise InvalidInput.of_field("run_id", "is not the id of a run")
        self.home, self.run_id = Path(home), run_id
        self.runs = self.home / "runs"
        self.path = self.runs / run_id
        self.config = self.path / "config.json"
        self.metrics_jsonl = self.path / "metrics.jsonl"
        self.metrics_json = self.path / "metrics.json"
        self.model = self.path / "model.zip"
        self.telemetry = self.path / "telemetry.db"
        self.checkpoints = self.path / "checkpoints"
        self.evaluations = self.path / "eval"
        self.clips = self.path / "clips"
        self.attempts = self.path / "attempts"
        self.manifest = self.path / "manifest.json"
        self.archive = self.home / "archive" / f"{run_id}.tar.gz"
        self.trashed = self.home / "trash" / run_id

    def attempt(self, number: int) -> Path:
        return self.attempts / str(number)

    def create(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)

    def write_config(self, config: JobConfig) -> None:
        """Writes the effective configuration, for users and scripts."""
        data = orjson.dumps(config.model_dump(mode="json"), option=orjson.OPT_INDENT_2)
        self.write_atomic("config.json", data + b"\n")

    def open_beneath(self, path: str) -> int:
        """A descriptor for reading the regular file at `path`, relative to this folder; the caller closes it.

        Raises Forbidden for a path outside the folder or for something that is not a regular file, NotFound for a
        missing file, Gone if the whole folder is missing.
        """
        parts = split_path(path)
        with self._directory() as folder:
            return open_plain(folder, parts, f"Run {self.run_id} has no file “{path}”.")

    def read_bytes(self, path: str, limit: int) -> bytes:
        """The file, or its first `limit` bytes."""
        with os.fdopen(self.open_beneath(path), "rb") as file:
            return file.read(limit)

    def write_atomic(self, path: str, data: bytes, mode: int = 0o644) -> None:
        """Writes a file atomically: it exists completely or not at all, even after a power failure."""
        with self.creating(path, mode) as fd, os.fdopen(fd, "wb", closefd=False) as file:
            file.write(data)

    @contextmanager
    def creating(self, path: str, mode: int = 0o644) -> Iterator[int]:
        """A descriptor to write a new file through; the file exists once the block has ended without an error."""
        *parents, name = split_path(path)
        with self._directory() as folder, _make_beneath(folder, parents) as parent:
            part = f".{name}.{token_hex(4)}.part"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            fd = os.open(part, flags, mode, dir_fd=parent)
            try:
                yield fd
                os.fsync(fd)
                os.rename(part, name, src_dir_fd=parent, dst_dir_fd=parent)
                os.fsync(parent)
            finally:
                os.close(fd)
                with suppress(FileNotFoundError):
                    os.unlink(part, dir_fd=parent)

    @property
    def is_packed(self) -> bool:
        """Whether the run has an archive instead of a folder. An existing folder is always complete."""
        return self.archive.exists() and not self.path.exists()

    def remove(self, path: str) -> None:
        """Deletes the file at `path`, if it exists; links in the path are not followed."""
        *parents, name = split_path(path)
        with (
            suppress(FileNotFoundError, Gone),
            self._directory() as folder,
            _open_folder(folder, parents) as parent,
        ):
            os.unlink(name, dir_fd=parent)

    def remove_event_files(self, path: str, but: Collection[str] = ()) -> None:
        """Deletes event files in the folder at `path`, and folders that become empty; not in the folders `but`."""
        with (
            suppress(FileNotFoundError, Gone),
            self._directory() as folder,
            _open_folder(folder, split_path(path)),
        ):
            folders = [self.path / path]
            for entry in walk_tree(self.path / path):
                found = Path(entry.path)
                if entry.is_dir(follow_symlinks=False):
                    folders.append(found)
                elif "tfevents" in entry.name and not self._is_in(found.parent, but):
                    with suppress(OSError):
                        found.unlink()
            for parent in reversed(folders):
                if not self._is_in(parent, but):
                    with suppress(OSError):  # the folder contains other files
                        parent.rmdir()

    def _is_in(self, path: Path, folders: Collection[str]) -> bool:
        return any(path.is_relative_to(self.path / folder) for folder in folders)

    def move_to_trash(self) -> bool:
        """Moves the folder or its archive to the trash; returns whether there was one."""
        self.trashed.parent.mkdir(parents=True, exist_ok=True)
        if _rename(self.path, self.trashed):
            self.archive.unlink(missing_ok=True)
            return True
        return _rename(self.archive, self.trashed)

    def empty_trash(self) -> None:
        """Deletes the trashed folder permanently; links in it are removed, not followed."""
        if self.trashed.is_symlink() or self.trashed.is_file():
            self.trashed.unlink()
        else:
            remove_tree(self.trashed)

    def size_bytes(self) -> int:
        """Disk usage of the folder; a file with several hard links counts only its share. Links are not followed."""
        return tree_bytes(self.path)

    def archive_bytes(self) -> int:
        """Disk usage of the archive; 0 if there is none."""
        try:
            return self.archive.stat().st_blocks * 512
        except OSError:
            return 0

    @contextmanager
    def _directory(self) -> Iterator[int]:
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            fd = os.open(self.path, flags)
        except FileNotFoundError:
            raise Gone(
                f"The folder of run {self.run_id} no longer exists.",
                next_step="Restore it from a backup, or delete the run.",
            ) from None
        except OSError as error:
            if error.errno in LINK_ERRORS:
                raise Forbidden(
                    f"The folder of run {self.run_id} is a link; links are not followed."
                ) from None
            raise
        try:
            yield fd
        finally:
            os.close(fd)


def list_run_ids(home: Path) -> list[str]:
    """Ids of all runs that have a folder."""
    with suppress(FileNotFoundError), os.scandir(home / "runs") as entries:
        return sorted(
            e.name for e in entries if e.is_dir(follow_symlinks=False) and _RUN_ID.fullmatch(e.name)
        )
    return []


@contextmanager
def _open_folder(folder: int, parents: list[str]) -> Iterator[int]:
    """Opens the folder at `parents`; raises FileNotFoundError if it does not exist or the path contains a link."""
    flags = os.O_RDONLY | os.O_DIRECTORY
    try:
        fd = open_beneath(folder, parents, flags) if parents else os.dup(folder)
    except OSError as error:
        if error.errno in LINK_ERRORS:
            raise FileNotFoundError from None
        raise
    try:
        yield fd
    finally:
        os.close(fd)


@contextmanager
def _make_beneath(folder: int, parents: list[str]) -> Iterator[int]:
    fd = os.dup(folder)
    try:
        for name in parents:
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=fd)
            below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fd)
            os.close(fd)
            fd = below
        yield fd
    except OSError as error:
        if error.errno in LINK_ERRORS:
            raise Forbidden("A folder in this path is a link; links are not followed.") from None
        raise
    finally:
        os.close(fd)


def _rename(source: Path, target: Path) -> bool:
    try:
        source.rename(target)
    except FileNotFoundError:
        return False
    return True
