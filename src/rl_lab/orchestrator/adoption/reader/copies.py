"""Files of a source copied into the run's folder, on request."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

from rl_lab.orchestrator.adoption.reader.descriptions import COPIES
from rl_lab.orchestrator.adoption.reader.sources import SourceFolder, open_file, open_source
from rl_lab.store.files.folders import RunFolder

CHUNK = 1 << 20
KEEP_FREE_BYTES = 1 << 30
"""A copy never fills the disk beyond this."""


def copy_files(folder: RunFolder, source: SourceFolder, on_problem: Callable[[str], None]) -> None:
    """Every listed file whose copy is missing or older; files that cannot be copied are reported."""
    for part in source.parts:
        with open_source(part.folder) as opened:
            for name in part.files:
                try:
                    _copy(folder, opened, name, part.shown)
                except OSError as error:
                    on_problem(f"{part.path}/{name}: it was not copied ({error.strerror or error}).")


def _copy(folder: RunFolder, opened: int, name: str, shown: str) -> None:
    target = folder.path / COPIES / f"{shown}{name}"
    with open_file(opened, name) as file:
        info = os.fstat(file.fileno())
        if target.exists() and target.stat().st_mtime_ns >= info.st_mtime_ns:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(folder.path).free - info.st_size < KEEP_FREE_BYTES:
            raise OSError("too little space is free")
        part = target.with_name(f".{target.name}.part")
        with part.open("wb") as copy:
            shutil.copyfileobj(file, copy, CHUNK)
        os.utime(part, ns=(info.st_atime_ns, info.st_mtime_ns))
        part.replace(target)
