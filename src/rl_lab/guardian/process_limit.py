"""How many processes and threads a guarded program may have at once. Standard library only.

RLIMIT_NPROC counts all processes of the user and does not apply to root; the guardian counts its own tree instead.
"""

from __future__ import annotations

import os
import time

from rl_lab.guardian.processes import count_threads, living_descendants, read_or_nothing

CHECK_S = 0.1
"""A fork bomb has a few hundred processes by then."""
COUNT_S = 5.0


class ProcessLimit:
    """Reads the number of tasks on the machine often, and counts the tree only when that number allows an excess."""

    def __init__(self, processes: int, threads: int = 0) -> None:
        """0 threads = no limit."""
        self._processes = processes
        self._threads = threads
        self._safe_below = _count_tasks() + self._room(0, 0)
        self._count_at = time.monotonic() + COUNT_S

    def excess(self) -> str:
        """What there is too much of, such as “512 processes”; empty when nothing is."""
        tasks, now = _count_tasks(), time.monotonic()
        if tasks < self._safe_below and now < self._count_at:
            return ""
        pids = living_descendants(os.getpid())
        processes, threads = len(pids), count_threads(pids) if self._threads else 0
        self._safe_below = tasks + self._room(processes, threads)
        self._count_at = now + COUNT_S
        if processes > self._processes:
            return f"{self._processes:,} processes"
        return f"{self._threads:,} threads" if threads > self._threads else ""

    def _room(self, processes: int, threads: int) -> int:
        """How many tasks may be added before something can be too much."""
        room = self._processes - processes
        return min(room, self._threads - threads) if self._threads else room


def _count_tasks() -> int:
    """All processes and threads on the machine; 0 where the kernel does not report them."""
    fields = read_or_nothing("/proc/loadavg").split()
    return int(fields[3].partition(b"/")[2]) if len(fields) > 3 else 0
