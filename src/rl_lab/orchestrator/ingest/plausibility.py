"""Checks of events that are well-formed: impossible numbers, broken recordings, paths outside the run folder. Pure."""

from __future__ import annotations

from pathlib import PurePosixPath

from rl_lab.core.bounds import GENERATOR_BYTES
from rl_lab.core.protocol.events import EpisodeEvent, StepsEvent

MAX_NUMBER = 1 << 53
"""Larger counts cannot be real, and JavaScript could not represent them."""
MAX_PATH = 512
MAX_COLUMN_NAME = 64
RESERVED_NAMES = frozenset(
    {
        "attempts",
        "config.json",
        "manifest.json",
        "metrics.json",
        "metrics.jsonl",
        "snapshot.json",
        "telemetry.db",
        "telemetry.db-wal",
        "telemetry.db-shm",
    }
)
"""Files of the lab in a run's folder. Files a worker reports may be pruned later; these never are."""


class ImplausibleValue(Exception):
    """A well-formed line with a value that cannot be meant."""


def check_numbers(*numbers: int | None) -> None:
    for number in numbers:
        if number is not None and not 0 <= number < MAX_NUMBER:
            raise ImplausibleValue(f"a count of {str(number)[:40]}")


def check_recording(event: StepsEvent | EpisodeEvent) -> None:
    """Check the trace and the generator's state, and remove what is not needed (a state next to a seed)."""
    if event.seed is not None:
        event.generator = b""
    if event.trace is None:
        return
    check_numbers(event.trace.start, event.trace.count)
    event.trace.extra = {name[:MAX_COLUMN_NAME]: column for name, column in event.trace.extra.items()}
    if len(event.generator) not in (0, GENERATOR_BYTES):
        raise ImplausibleValue(
            f"a generator state of {len(event.generator)} bytes instead of {GENERATOR_BYTES}"
        )


def is_safe_path(path: str) -> bool:
    """Whether it is a relative, printable path in the run folder that is not one of the lab's own files."""
    if not 0 < len(path) <= MAX_PATH or "\\" in path or not path.isprintable() or path.startswith("/"):
        return False
    parts = PurePosixPath(path).parts
    return bool(parts) and ".." not in parts and parts[0] not in RESERVED_NAMES
