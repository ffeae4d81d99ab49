"""Folders with all that lies in them, as deep and as locked as a foreign program made them. Follows no link."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MAX_DEPTH = 100
"""Deeper folders are brought up before they are deleted: recursion ends sooner than what a program can nest."""
_OWNER = stat.S_IRWXU


def walk_tree(folder: Path, *, strict: bool = False) -> Iterator[os.DirEntry[str]]:
    """Everything below; what cannot be listed is left out, or with `strict` raises OSError."""
    waiting = [os.fspath(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    yield entry
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError:
            if strict:
                raise


def remove_tree(folder: Path) -> None:
    """Delete a folder nobody works in any more, if it is there; OSError when something in it cannot be deleted."""
    if folder.is_symlink():
        raise NotADirectoryError(f"{folder} is a link")
    if folder.exists():
        _make_flat(os.fspath(folder))
        with suppress(FileNotFoundError):
            shutil.rmtree(folder)


def _make_flat(top: str) -> None:
    """Folders become ours to write to, and none lies deeper than a few levels."""
    waiting = [(top, 0)]
    while waiting:
        folder, depth = waiting.pop()
        if depth > MAX_DEPTH:
            above = os.path.join(top, f".{secrets.token_hex(8)}")  # noqa: PTH118
            os.rename(folder, above)  # noqa: PTH104
            folder, depth = above, 1
        with suppress(OSError):  # rmtree says what is wrong with it
            if os.lstat(folder).st_mode & _OWNER != _OWNER:
                os.chmod(folder, _OWNER)  # noqa: PTH101
            with os.scandir(folder) as entries:
                waiting += [(e.path, depth + 1) for e in entries if e.is_dir(follow_symlinks=False)]
