"""Reports files of a script as artifacts: videos, images, models, tables, TensorBoard and W&B folders.

The folder is swept from time to time and at the end; of a huge folder only the first few thousand files are read.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession

EVERY_S = 10.0
SHARE = 100
"""The next sweep starts at the earliest after this many times the duration of the last one."""
MAX_ENTRIES = 20_000
MAX_IN_FOLDER = 5_000
"""So that one large folder does not use up the limit of all."""
MAX_DEPTH = 8
MAX_LISTED = 200
KINDS = {
    ".mp4": "video",
    ".webm": "video",
    ".gif": "video",
    ".mkv": "video",
    ".avi": "video",
    ".png": "image",
    ".jpg": "image",
    ".jpeg": "image",
    ".svg": "image",
    ".webp": "image",
    ".pt": "model",
    ".pth": "model",
    ".ckpt": "model",
    ".cleanrl_model": "model",
    ".zip": "model",
    ".safetensors": "model",
    ".onnx": "model",
    ".pkl": "model",
    ".msgpack": "model",
    ".h5": "model",
    ".csv": "file",
    ".json": "file",
    ".jsonl": "file",
    ".npz": "file",
    ".npy": "file",
    ".parquet": "file",
    ".yaml": "file",
    ".txt": "file",
}
SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "site-packages", "checkpoints.tmp"})


class FileSweep:
    """Remembers what was reported, so that each file is reported once, and again at the end if it has grown."""

    def __init__(self, session: CaptureSession) -> None:
        self._session = session
        self._root = os.getcwd()
        self._since = time.time() - 1.0
        self._next = time.monotonic() + EVERY_S
        self._sizes: dict[str, int] = {}
        """Of the last sweep: a file that still grows is not reported yet."""
        self._reported: dict[str, int] = {}

    def sweep_if_due(self) -> None:
        began = time.monotonic()
        if began < self._next:
            return
        with suppress(OSError):  # a folder was deleted while it was read; the next sweep is soon
            self._sweep(is_last=False)
        took = time.monotonic() - began
        self._next = time.monotonic() + max(EVERY_S, SHARE * took)

    def finish(self) -> None:
        try:
            self._sweep(is_last=True)
        except OSError as error:
            self._session.log_once("files_not_listed", f"The script's files could not be listed: {error}")

    def report(self, path: str, kind: str, size: int = 0) -> None:
        """Report a file or folder; those outside the run folder are left out."""
        relative = self._session.relative(path)
        if relative is None or self._reported.get(relative) == size:
            return
        if relative not in self._reported and len(self._reported) >= MAX_LISTED:
            message = f"More than {MAX_LISTED} files were written; the others are in the run's folder but not listed."
            self._session.log_once("files_not_listed", message)
            return
        self._reported[relative] = size
        self._session.telemetry.artifact(
            path=relative.replace(os.sep, "/"), kind=kind, title=os.path.basename(path), size=size
        )

    def _sweep(self, *, is_last: bool) -> None:
        if self._session.relative(self._root) is None:
            return  # it runs in a folder of the user, whose files do not belong to the run
        kinds: dict[str, str] = {}
        sizes: dict[str, int] = {}
        for path, kind, size in self._found():
            kinds[path] = kind
            sizes[path] = sizes.get(path, 0) + size  # a folder is found with each of its event files
        wanted = [path for path, kind in kinds.items() if is_last or self._is_new(path, kind, sizes[path])]
        # Oldest first: the artifact reported last counts as the newest and is deleted last. Files beyond the limit
        # come at the end, since they are in deeper folders.
        for path in [*sorted(wanted[:MAX_LISTED], key=_written_at), *wanted[MAX_LISTED:]]:
            self.report(path, kinds[path], sizes[path])
        self._sizes = sizes

    def _is_new(self, path: str, kind: str, size: int) -> bool:
        """Not reported yet, and no longer growing; event files may still grow."""
        is_settled = path in self._sizes and (kind == "tensorboard" or self._sizes[path] == size)
        return is_settled and self._session.relative(path) not in self._reported

    def _found(self) -> Iterator[tuple[str, str, int]]:
        """New files of a known kind, top folders first, each with its kind and size."""
        folders = [(self._root, 0)]
        left = MAX_ENTRIES
        for folder, depth in folders:  # grows during the loop: breadth first
            looked = 0
            for looked, entry in enumerate(_entries(folder), 1):
                if looked > min(MAX_IN_FOLDER, left):
                    message = (
                        f"The script wrote more than {looked - 1:,} files into {os.path.basename(folder)}; "
                        "the others are not listed."
                    )
                    self._session.log_once("files_not_listed", message)
                    break
                if entry.is_dir(follow_symlinks=False):
                    kind = _folder_kind(entry)
                    if kind is not None:
                        yield entry.path, kind, 0
                    elif depth < MAX_DEPTH and entry.name not in SKIPPED_FOLDERS and entry.name[0] != ".":
                        folders.append((entry.path, depth + 1))
                elif entry.is_file(follow_symlinks=False):
                    yield from self._file(entry)
            left -= looked
            if left <= 0:
                return

    def _file(self, entry: os.DirEntry[str]) -> Iterator[tuple[str, str, int]]:
        if entry.name.startswith("events.out.tfevents."):
            folder = os.path.dirname(entry.path)
            if folder != self._root:
                yield folder, "tensorboard", entry.stat(follow_symlinks=False).st_size
            return
        kind = KINDS.get(os.path.splitext(entry.name)[1].lower())
        if kind is None or entry.name[0] == ".":
            return
        facts = entry.stat(follow_symlinks=False)
        if facts.st_mtime >= self._since and facts.st_size:
            yield entry.path, kind, facts.st_size


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:
        return  # deleted, or not readable


def _written_at(path: str) -> int:
    try:
        return os.stat(path, follow_symlinks=False).st_mtime_ns
    except OSError:
        return 0  # deleted meanwhile


def _folder_kind(entry: os.DirEntry[str]) -> str | None:
    """The folder of one W&B run is one artifact."""
    is_wandb = os.path.basename(os.path.dirname(entry.path)) == "wandb" and "run-" in entry.name
    return "wandb" if is_wandb else None
