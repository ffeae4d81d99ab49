"""What a script leaves in its folder: videos, pictures, models, tables, TensorBoard and W&B folders as artifacts.

Looked for now and then and at the end; a folder of a million files costs no more than the first few thousand.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rl_lab.capture.session import Session

EVERY_S = 10.0
SHARE = 100
"""A look that took long is not repeated before this many times as long."""
MAX_ENTRIES = 20_000
MAX_IN_FOLDER = 5_000
"""So that one folder of frames does not hide the others."""
MAX_DEPTH = 8
MAX_LISTED = 200
KINDS = {
    ".mp4": "video", ".webm": "video", ".gif": "video", ".mkv": "video", ".avi": "video",
    ".png": "image", ".jpg": "image", ".jpeg": "image", ".svg": "image", ".webp": "image",
    ".pt": "model", ".pth": "model", ".ckpt": "model", ".cleanrl_model": "model", ".zip": "model",
    ".safetensors": "model", ".onnx": "model", ".pkl": "model", ".msgpack": "model", ".h5": "model",
    ".csv": "file", ".json": "file", ".jsonl": "file", ".npz": "file", ".npy": "file", ".parquet": "file",
    ".yaml": "file", ".txt": "file",
}  # fmt: skip
DULL_FOLDERS = frozenset({"__pycache__", "node_modules", "site-packages", "checkpoints.tmp"})


class Sweep:
    """Remembers what was told, so that each file is told once, and again at the end when it has grown."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._root = os.getcwd()
        self._since = time.time() - 1.0
        self._next = time.monotonic() + EVERY_S
        self._sizes: dict[str, int] = {}
        """Of the last look: what still grows is not told yet."""
        self._told: dict[str, int] = {}

    def look_now_and_then(self) -> None:
        began = time.monotonic()
        if began < self._next:
            return
        with suppress(OSError):  # a folder that went away while it was read; the next look is soon
            self._look(is_last=False)
        took = time.monotonic() - began
        self._next = time.monotonic() + max(EVERY_S, SHARE * took)

    def finish(self) -> None:
        try:
            self._look(is_last=True)
        except OSError as error:
            self._session.say_once("files_not_listed", f"The script's files could not be listed: {error}")

    def tell(self, path: str, kind: str, size: int = 0) -> None:
        """Announce a file or folder; those outside the run folder cannot be shown."""
        relative = self._session.relative(path)
        if relative is None or self._told.get(relative) == size:
            return
        if relative not in self._told and len(self._told) >= MAX_LISTED:
            words = f"More than {MAX_LISTED} files were written; the others are in the run's folder, but not listed."
            self._session.say_once("files_not_listed", words)
            return
        self._told[relative] = size
        self._session.telemetry.artifact(
            path=relative.replace(os.sep, "/"), kind=kind, title=os.path.basename(path), size=size
        )

    def _look(self, *, is_last: bool) -> None:
        if self._session.relative(self._root) is None:
            return  # it runs in a folder of the user's own: what lies there is not the run's
        kinds: dict[str, str] = {}
        sizes: dict[str, int] = {}
        for path, kind, size in self._found():
            kinds[path] = kind
            sizes[path] = sizes.get(path, 0) + size  # a folder is found with each of its event files
        wanted = [path for path, kind in kinds.items() if is_last or self._is_news(path, kind, sizes[path])]
        # Oldest first: what is told last counts as the newest, and stays when older ones make room. Those beyond
        # the limit stay behind, since they lie deeper.
        for path in [*sorted(wanted[:MAX_LISTED], key=_written_at), *wanted[MAX_LISTED:]]:
            self.tell(path, kinds[path], sizes[path])
        self._sizes = sizes

    def _is_news(self, path: str, kind: str, size: int) -> bool:
        """Not told yet, and no longer being written; event files are, as long as the training goes on."""
        is_settled = path in self._sizes and (kind == "tensorboard" or self._sizes[path] == size)
        return is_settled and self._session.relative(path) not in self._told

    def _found(self) -> Iterator[tuple[str, str, int]]:
        """New files that matter, nearest to the top first, each with its kind and size."""
        folders = [(self._root, 0)]
        left = MAX_ENTRIES
        for folder, depth in folders:  # grows while it is gone through: breadth first
            looked = 0
            for looked, entry in enumerate(_entries(folder), 1):
                if looked > min(MAX_IN_FOLDER, left):
                    words = (
                        f"The script wrote more than {looked - 1:,} files into {os.path.basename(folder)}; "
                    )
                    self._session.say_once("files_not_listed", words + "only the first were looked at.")
                    break
                if entry.is_dir(follow_symlinks=False):
                    kind = _folder_kind(entry)
                    if kind is not None:
                        yield entry.path, kind, 0
                    elif depth < MAX_DEPTH and entry.name not in DULL_FOLDERS and entry.name[0] != ".":
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
        return  # gone, or not ours to read


def _written_at(path: str) -> int:
    try:
        return os.stat(path, follow_symlinks=False).st_mtime_ns
    except OSError:
        return 0  # gone since it was found


def _folder_kind(entry: os.DirEntry[str]) -> str | None:
    """W&B's folder of one run is a whole."""
    is_wandb = os.path.basename(os.path.dirname(entry.path)) == "wandb" and "run-" in entry.name
    return "wandb" if is_wandb else None
