"""The event file that the lab writes into a run's folder for TensorBoard.

It is opened for appending, in a folder where a worker may create any file: links are not followed, and a file with
other hard links is not touched.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from rl_lab.core.errors import Forbidden, Gone
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.safe_open import LINK_ERRORS

FOLDER = "tensorboard"
NAME = "events.out.tfevents.0000000000.rl-lab"
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@contextmanager
def open_event_file(folder: RunFolder) -> Iterator[BinaryIO]:
    """Opens the run's event file for reading and writing; creates it if it is missing."""
    try:
        fd = _open(folder)
    except FileNotFoundError:
        raise Gone(
            f"The folder of run {folder.run_id} no longer exists.",
            next_step="Restore it from a backup, or delete the run.",
        ) from None
    except OSError as error:
        if error.errno not in LINK_ERRORS:
            raise
        raise Forbidden(f"“{FOLDER}” in the run's folder is a link; links are not followed.") from None
    info = os.fstat(fd)
    if not stat.S_ISREG(info.st_mode) or info.st_nlink > 1:
        os.close(fd)
        raise Forbidden(
            f"“{FOLDER}/{NAME}” in the run's folder is not a regular file, or it has other hard links."
        )
    with os.fdopen(fd, "r+b") as file:
        yield file


def _open(folder: RunFolder) -> int:
    above = os.open(folder.path, _DIRECTORY)
    try:
        with suppress(FileExistsError):
            os.mkdir(FOLDER, dir_fd=above)
        below = os.open(FOLDER, _DIRECTORY, dir_fd=above)
    finally:
        os.close(above)
    try:
        return os.open(NAME, _FILE, 0o644, dir_fd=below)
    finally:
        os.close(below)
