"""exit.json: how a worker ended, written by its guardian. Standard library only."""

from __future__ import annotations

import contextlib
import json
import os
import time
from typing import Any


def blank_record() -> dict[str, Any]:
    """Every field, as for a worker that never started."""
    return {
        "exit_code": None, "signal": None, "oom": False, "stopped": False, "killed_by": None,
        "started_at": time.time(), "ended_at": 0.0, "journal_bytes": 0, "dropped_lines": 0,
        "max_rss_bytes": 0, "error": None,
    }  # fmt: skip


def write_exit_record(folder_fd: int, record: dict[str, Any]) -> None:
    """Atomically, into space reserved at the start: the end must be recordable on a full disk."""
    if os.fstat(folder_fd).st_nlink == 0:
        return  # the folder is gone, and with it everyone who could ask
    fd = os.open("exit.new", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=folder_fd)
    data = json.dumps(record).encode()
    os.pwrite(fd, data, 0)
    os.ftruncate(fd, len(data))
    os.fsync(fd)
    os.close(fd)
    os.rename("exit.new", "exit.json", src_dir_fd=folder_fd, dst_dir_fd=folder_fd)
    os.fsync(folder_fd)


def reserve_exit_record(folder_fd: int) -> None:
    fd = os.open("exit.new", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=folder_fd)
    with contextlib.suppress(OSError):  # full already; tried again at the end
        os.pwrite(fd, b" " * 4096, 0)
    os.close(fd)
