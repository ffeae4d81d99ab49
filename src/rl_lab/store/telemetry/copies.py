"""A consistent copy of a telemetry.db, as one file: for a pack, while other processes may read it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from rl_lab.store.telemetry.schema import open_reader


def copy_to(source: Path, target: Path) -> None:
    """Without free pages and without a journal next to it; `target` must not exist."""
    with closing(open_reader(source)) as conn:
        conn.execute("PRAGMA query_only=OFF")  # it forbids VACUUM INTO; the file itself is opened read-only
        conn.execute("VACUUM INTO ?", (str(target),))
