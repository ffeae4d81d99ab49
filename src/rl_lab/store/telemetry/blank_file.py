"""Many telemetry.db files at once: each begins as a copy of one empty file, and waits for the disk only once."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

from rl_lab.store.telemetry.schema import open_writer


def write_blank(path: Path) -> None:
    """An empty telemetry.db, not yet safe on the disk; a reader finds it whole or not at all."""
    aside = path.with_name(f".new-{path.name}")
    aside.write_bytes(_blank())
    aside.rename(path)


def make_safe(path: Path) -> None:
    """Waits until a file is on the disk."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


@cache
def _blank() -> bytes:
    with tempfile.TemporaryDirectory(prefix="rl-lab-") as folder:
        path = Path(folder) / "telemetry.db"
        open_writer(path).close()
        return path.read_bytes()
