"""Checks of what a worker says beyond its form: numbers nobody can mean, paths that lead elsewhere. Pure."""

from __future__ import annotations

from pathlib import PurePosixPath

MAX_NUMBER = 1 << 53
"""Larger counts are nonsense, and not every reader could hold them."""
MAX_PATH = 512
LABS_OWN = frozenset(
    {
        "attempts", "config.json", "manifest.json", "metrics.json", "metrics.jsonl",
        "telemetry.db", "telemetry.db-wal", "telemetry.db-shm",
    }
)  # fmt: skip
"""What the lab itself keeps in a run's folder. Files a worker reports may be pruned one day; these never."""


class Nonsense(Exception):
    """A well-formed line with a value nobody can mean."""


def check_numbers(*numbers: int | None) -> None:
    for number in numbers:
        if number is not None and not 0 <= number < MAX_NUMBER:
            raise Nonsense(f"a count of {str(number)[:40]}")


def is_safe_path(path: str) -> bool:
    """Relative, within the run folder, plain, and not the lab's; the file is opened beneath the folder anyway."""
    if not 0 < len(path) <= MAX_PATH or "\\" in path or not path.isprintable() or path.startswith("/"):
        return False
    parts = PurePosixPath(path).parts
    return bool(parts) and ".." not in parts and parts[0] not in LABS_OWN
