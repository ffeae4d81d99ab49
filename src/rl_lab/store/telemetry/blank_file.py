"""Creates many telemetry.db files quickly: each is a copy of one empty file and is flushed to disk only once."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

from rl_lab.store.telemetry.schema import open_writer


def write_blank(path: Path) -> None:
    """Create an empty telemetry.db, not flushed to disk yet; a reader finds the whole file or none."""
    aside = path.with_name(f".new-{path.name}")
    aside.write_bytes(_blank())
    aside.rename(path)


def make_safe(path: Path) -> None:
    """Flush a file to disk."""
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
