"""Gymnasium 0.29.1 for a Python process of its own, to compare with what a script does on it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from support.waiting import DEADLINE_S

VERSION = "0.29.1"
FOLDER = Path(sys.prefix) / f"gymnasium-{VERSION}"
"""Beside the packages of this environment; only a process with it in PYTHONPATH imports it."""


def environment_with_old_gymnasium(**more: str) -> dict[str, str]:
    """Variables of a process that imports 0.29.1, with numpy and torch as they are here."""
    if not FOLDER.is_dir():
        _install()
    return {**os.environ, "PYTHONPATH": str(FOLDER), **more}


def _install() -> None:
    """Once for an environment; the folder appears whole or not at all."""
    with tempfile.TemporaryDirectory(dir=FOLDER.parent, ignore_cleanup_errors=True) as folder:
        part = Path(folder) / "part"
        wanted = ["--no-deps", "--target", str(part), f"gymnasium=={VERSION}"]
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "-q", *wanted], check=True, timeout=DEADLINE_S
        )
        part.rename(FOLDER)
