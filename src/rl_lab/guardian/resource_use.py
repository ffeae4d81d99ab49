"""How much memory and processor time the process tree of a worker has used. Standard library only."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from rl_lab.guardian.processes import living_descendants, read_or_nothing

if TYPE_CHECKING:
    import resource

FIRST_LOOK_S = 1.0
LONGEST_WAIT_S = 60.0
"""Finding the tree reads a file per process of the machine, so the guardian looks less often the longer it runs."""
PAGE = os.sysconf("SC_PAGE_SIZE")


class ResourceUse:
    def __init__(self) -> None:
        self.peak_memory = 0
        """Most bytes of the whole tree at one look, or of its largest process at any time."""
        self.cpu_s = 0.0
        self._wait_s = FIRST_LOOK_S
        self._look_at = time.monotonic() + FIRST_LOOK_S

    def look(self) -> None:
        """Measures the tree when it is time to."""
        now = time.monotonic()
        if now >= self._look_at:
            self._wait_s = min(LONGEST_WAIT_S, 2 * self._wait_s)
            self._look_at = now + self._wait_s
            self.peak_memory = max(self.peak_memory, tree_memory(living_descendants(os.getpid())))

    def add(self, usage: resource.struct_rusage) -> None:
        """Of a process that has exited."""
        self.cpu_s += usage.ru_utime + usage.ru_stime
        self.peak_memory = max(self.peak_memory, usage.ru_maxrss * 1024)


def tree_memory(pids: list[int]) -> int:
    """The processes' own pages together; pages they share (libraries, shared memory) count once."""
    own = shared = 0
    for pid in pids:
        fields = read_or_nothing(f"/proc/{pid}/statm").split()
        if len(fields) > 2:
            resident, common = int(fields[1]), int(fields[2])
            own += resident - common
            shared = max(shared, common)
    return (own + shared) * PAGE
