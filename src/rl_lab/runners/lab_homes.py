"""Homes of other labs near a folder: found by their files, so that no program gets their tokens."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path

TOKEN = "token"  # noqa: S105  the name of the file
DATA = frozenset({"lab.db", "server.json"})
"""A folder with a token and one of these is a lab's home."""
DEPTH = 3
MOST_FOLDERS = 2000
NOT_LABS = frozenset({".git", "node_modules", "__pycache__", "site-packages"})


def lab_homes_near(folder: Path) -> list[Path]:
    """Those that the folder is in, that it is, or that are up to three levels below it; real paths."""
    real = folder.resolve()
    around = [one for one in real.parents if is_lab_home(one)]
    return [*around, *(_below(real) if real.is_dir() else ())]


def is_lab_home(folder: Path) -> bool:
    try:
        return (folder / TOKEN).is_file() and any((folder / name).is_file() for name in DATA)
    except OSError:
        return False


def _below(folder: Path) -> Iterator[Path]:
    """The nearest first; links are not followed, since what they lead to is not opened with the folder."""
    # Texts, not paths: a look through 2,000 folders takes a third of the time.
    waiting = deque([(str(folder), 0)])
    for _ in range(MOST_FOLDERS):
        if not waiting:
            return
        here, depth = waiting.popleft()
        names, inner = _entries(here)
        if TOKEN in names and names & DATA:
            yield Path(here)
        elif depth < DEPTH:
            waiting += [(one, depth + 1) for one in inner]


def _entries(folder: str) -> tuple[set[str], list[str]]:
    """The names of its files, and its folders."""
    names: set[str] = set()
    inner: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if not entry.is_dir(follow_symlinks=False):
                    names.add(entry.name)
                elif entry.name not in NOT_LABS:
                    inner.append(entry.path)
    except OSError:
        pass
    return names, inner
