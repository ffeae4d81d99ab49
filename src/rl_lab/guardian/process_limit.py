"""How many processes a guarded program may have at once. Standard library only.

RLIMIT_NPROC counts all processes of the user and does not apply to root; the guardian counts its own tree instead.
"""

from __future__ import annotations

import os
import time

from rl_lab.guardian.processes import living_descendants, read_or_nothing

CHECK_S = 0.1
"""A fork bomb has a few hundred processes by then."""
COUNT_S = 5.0


class ProcessLimit:
    """Reads the number of tasks on the machine often, and counts the tree only when that number allows an excess."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._safe_below = _count_tasks() + most
        self._count_at = time.monotonic() + COUNT_S

    def is_exceeded(self) -> bool:
        tasks, now = _count_tasks(), time.monotonic()
        if tasks < self._safe_below and now < self._count_at:
            return False
        count = len(living_descendants(os.getpid()))
        self._safe_below = tasks + self.most - count
        self._count_at = now + COUNT_S
        return count > self.most


def _count_tasks() -> int:
    """All processes and threads on the machine; 0 where the kernel does not report them."""
    fields = read_or_nothing("/proc/loadavg").split()
    return int(fields[3].partition(b"/")[2]) if len(fields) > 3 else 0
