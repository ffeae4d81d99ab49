"""Checks of what a worker says beyond its form: numbers nobody can mean, paths that lead elsewhere. Pure."""

from __future__ import annotations

from pathlib import PurePosixPath

MAX_NUMBER = 1 << 53
"""Larger counts are nonsense, and not every reader could hold them."""
MAX_PATH = 512


class Nonsense(Exception):
    """A well-formed line with a value nobody can mean."""


def check_numbers(*numbers: int | None) -> None:
    for number in numbers:
        if number is not None and not 0 <= number < MAX_NUMBER:
            raise Nonsense(f"a count of {str(number)[:40]}")


def is_safe_path(path: str) -> bool:
    """Relative, within the run folder, and plain; the file itself is opened beneath the folder anyway."""
    if not 0 < len(path) <= MAX_PATH or "\\" in path or not path.isprintable() or path.startswith("/"):
        return False
    return ".." not in PurePosixPath(path).parts
