"""How much memory a guarded process tree may use at once. Standard library only.

The kernel's limits count what a process reserves, and torch and CUDA reserve far more than they use. So the tree is
measured: the more often, the nearer it is to its limit.
"""

from __future__ import annotations

import os
import time

from rl_lab.guardian.processes import living_descendants
from rl_lab.guardian.resource_use import exact_tree_memory, tree_memory

SHORTEST_WAIT_S, LONGEST_WAIT_S = 0.1, 2.0
FILLED_PER_S = 4 << 30
"""Bytes that a program can fill in a second, about."""


class MemoryLimit:
    def __init__(self, most: int) -> None:
        self._most = most
        self._look_at = 0.0

    def excess(self) -> str:
        """What there is too much of, such as “8.0 GiB of memory”; empty when nothing is."""
        now = time.monotonic()
        if now < self._look_at:
            return ""
        used = self._measure(living_descendants(os.getpid()))
        wait_s = (self._most - used) / FILLED_PER_S
        self._look_at = now + min(LONGEST_WAIT_S, max(SHORTEST_WAIT_S, wait_s))
        return f"{self._most / (1 << 30):.1f} GiB of memory" if used > self._most else ""

    def _measure(self, pids: list[int]) -> int:
        """Pages that forked processes share are told apart only when they matter: that takes long."""
        used = tree_memory(pids)
        return used if used <= self._most else min(used, exact_tree_memory(pids))
