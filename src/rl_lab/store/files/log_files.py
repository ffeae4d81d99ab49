"""The output of a run's worker: log.txt of an attempt, and log.1.txt, which holds what came before."""

from __future__ import annotations

import os

from rl_lab.core.errors import NotFound
from rl_lab.store.files.folders import RunFolder

MAX_BYTES = 1 << 20
"""At most this much of the end is read."""


def read_log_end(folder: RunFolder, attempt: int, lines: int) -> list[str]:
    """The last lines; none before the worker wrote any."""
    wanted = [f"attempts/{attempt}/log.1.txt", f"attempts/{attempt}/log.txt"]
    data = b"".join(_read_end(folder, path) for path in wanted)[-MAX_BYTES:]
    return data.decode("utf-8", "replace").splitlines()[-lines:]


def _read_end(folder: RunFolder, path: str) -> bytes:
    try:
        with os.fdopen(folder.open_beneath(path), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - MAX_BYTES))
            return file.read(MAX_BYTES)
    except NotFound:
        return b""
