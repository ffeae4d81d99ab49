"""The rows of the table in SECURITY.md that name what a confined program can still do, by their first column."""

from __future__ import annotations

import os

SEES_NAMES = "see names, sizes and dates of files whose path it knows"
SEES_PROC = (
    "read the command lines of your other processes, and what else `/proc` and `/sys` show to every user"
)
READS_SYSTEM = "read programs, libraries and settings of the system that every user may read"
USES_MACHINE = "use processor time and memory without a total limit"
USES_FOLDERS = (
    "everything in a folder you gave it with `--write` or `--workdir`, "
    "and every network connection with `--network`"
)
SHARES_MEMORY = (
    "where the kernel offers no namespaces (`rl-lab doctor`): "
    "read, change and remove files that your other programs keep in `/dev/shm`"
)
LOCKS = "lock files that it may read"
LISTENS = "wait for connections on a local socket of its own"
RAISES_SCORES = (
    "with an NVIDIA GPU: raise the memory score of your other processes, "
    "so that they are killed first when memory runs out"
)


def has_gpu() -> bool:
    return any(name.startswith("nvidia") for name in os.listdir("/dev"))
