"""How many processes a guarded program may have at once. Standard library only.

RLIMIT_NPROC counts everything the user runs and is not held against root; the guardian counts its own tree instead.
"""

from __future__ import annotations

import os
import time

from rl_lab.guardian.processes import living_descendants, read_or_nothing

LOOK_S = 0.1
"""A fork bomb has a few hundred processes by then."""
COUNT_S = 5.0


class ProcessLimit:
    """Looks often at one number of the kernel, and walks over all processes only when that leaves a doubt."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._no_doubt_below = _tasks_of_machine() + most
        self._count_at = time.monotonic() + COUNT_S

    def is_exceeded(self) -> bool:
        tasks, now = _tasks_of_machine(), time.monotonic()
        if tasks < self._no_doubt_below and now < self._count_at:
            return False
        count = len(living_descendants(os.getpid()))
        self._no_doubt_below = tasks + self.most - count
        self._count_at = now + COUNT_S
        return count > self.most


def _tasks_of_machine() -> int:
    """Processes and threads of everyone; 0 where the kernel does not say."""
    fields = read_or_nothing("/proc/loadavg").split()
    return int(fields[3].partition(b"/")[2]) if len(fields) > 3 else 0
