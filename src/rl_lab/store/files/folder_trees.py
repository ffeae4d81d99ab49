"""Walks and deletes folder trees of foreign programs, however deep or write-protected. Follows no links."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MAX_DEPTH = 100
"""Deeper folders are moved up before they are deleted, because a program can nest deeper than recursion allows."""
_OWNER = stat.S_IRWXU


def walk_tree(folder: Path, *, strict: bool = False) -> Iterator[os.DirEntry[str]]:
    """All entries in the folder, recursively; unreadable folders are skipped, or raise OSError if `strict`."""
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


def tree_bytes(folder: Path) -> int:
    """Disk usage of the folder; a file with several hard links counts only its share. Links are not followed."""
    total = 0.0
    for entry in walk_tree(folder):
        with suppress(OSError):
            info = entry.stat(follow_symlinks=False)
            names = 1 if stat.S_ISDIR(info.st_mode) else max(1, info.st_nlink)
            total += info.st_blocks * 512 / names
    return round(total)


def remove_tree(folder: Path) -> None:
    """Deletes an unused folder, if it exists; raises OSError if something in it cannot be deleted."""
    if folder.is_symlink():
        raise NotADirectoryError(f"{folder} is a link")
    if folder.exists():
        _make_flat(os.fspath(folder))
        with suppress(FileNotFoundError):
            shutil.rmtree(folder)


def _make_flat(top: str) -> None:
    """Makes all folders writable, and moves folders up that are nested too deeply."""
    waiting = [(top, 0)]
    while waiting:
        folder, depth = waiting.pop()
        if depth > MAX_DEPTH:
            above = os.path.join(top, f".{secrets.token_hex(8)}")  # noqa: PTH118
            os.rename(folder, above)  # noqa: PTH104
            folder, depth = above, 1
        with suppress(OSError):  # rmtree reports the error
            if os.lstat(folder).st_mode & _OWNER != _OWNER:
                os.chmod(folder, _OWNER)  # noqa: PTH101
            with os.scandir(folder) as entries:
                waiting += [(e.path, depth + 1) for e in entries if e.is_dir(follow_symlinks=False)]
