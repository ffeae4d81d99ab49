"""Writes exit.json, atomically and also on a full disk. Standard library only; the fields are in `files.py`."""

from __future__ import annotations

import contextlib
import os

from rl_lab.guardian.files import EXIT_FILE, ExitRecord, write_record

NEW_FILE = "exit.new"
RESERVED_BYTES = 4096


def write_exit_record(folder_fd: int, record: ExitRecord) -> None:
    """Writes into the space reserved at the start, so that the end can be recorded on a full disk."""
    if os.fstat(folder_fd).st_nlink == 0:
        return  # the folder was deleted: there is no reader any more
    fd = _open_new(folder_fd)
    data = write_record(record)
    os.pwrite(fd, data, 0)
    os.ftruncate(fd, len(data))
    os.fsync(fd)
    os.close(fd)
    os.rename(NEW_FILE, EXIT_FILE, src_dir_fd=folder_fd, dst_dir_fd=folder_fd)
    os.fsync(folder_fd)


def reserve_exit_record(folder_fd: int) -> None:
    fd = _open_new(folder_fd)
    with contextlib.suppress(OSError):  # the disk is full already: tried again at the end
        os.pwrite(fd, b" " * RESERVED_BYTES, 0)
    os.close(fd)


def _open_new(folder_fd: int) -> int:
    return os.open(NEW_FILE, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=folder_fd)
