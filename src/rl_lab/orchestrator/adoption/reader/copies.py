"""Files of a source copied into the run's folder, on request."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import BinaryIO

from rl_lab.analysis.adoption.lines import next_data
from rl_lab.orchestrator.adoption.reader.descriptions import COPIES
from rl_lab.orchestrator.adoption.reader.sources import SourceFolder, open_file, open_source
from rl_lab.store.files.folders import RunFolder

CHUNK = 1 << 20
KEEP_FREE_BYTES = 1 << 30
"""A copy never fills the disk beyond this."""


def copy_files(
    folder: RunFolder, source: SourceFolder, on_problem: Callable[[str], None], pause: Callable[[], None]
) -> None:
    """Every listed file whose copy is missing or older; files that cannot be copied are reported.

    `pause` is called between two blocks.
    """
    for part in source.parts:
        with open_source(part.folder) as opened:
            for name in part.files:
                try:
                    _copy(folder, opened, name, part.shown, pause)
                except OSError as error:
                    on_problem(f"{part.path}/{name}: it was not copied ({error.strerror or error}).")


def _copy(folder: RunFolder, opened: int, name: str, shown: str, pause: Callable[[], None]) -> None:
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
            _copy_blocks(file, copy, pause)
            copy.truncate(info.st_size)
        os.utime(part, ns=(info.st_atime_ns, info.st_mtime_ns))
        part.replace(target)


def _copy_blocks(file: BinaryIO, copy: BinaryIO, pause: Callable[[], None]) -> None:
    """A hole stays a hole."""
    at = next_data(file, 0)
    file.seek(at)
    while block := file.read(CHUNK):
        copy.seek(at)
        copy.write(block)
        pause()
        at = next_data(file, at + len(block))
        file.seek(at)
