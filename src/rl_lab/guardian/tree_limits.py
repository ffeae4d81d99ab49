"""What a confined process tree may have at once, all its processes together. Standard library only."""

from __future__ import annotations

from typing import NamedTuple

from rl_lab.guardian.files import Confinement
from rl_lab.guardian.memory_limit import MemoryLimit
from rl_lab.guardian.process_limit import ProcessLimit


class Excess(NamedTuple):
    by: str
    """As in `ExitRecord.killed_by`: "limit" (too many processes or threads) or "memory"."""
    message: str


class TreeLimits:
    def __init__(self, order: Confinement | None) -> None:
        given = order or Confinement()
        self._tasks = ProcessLimit(given.processes, given.threads) if given.processes else None
        self._memory = MemoryLimit(given.resident_bytes) if given.resident_bytes else None

    def __bool__(self) -> bool:
        return self._tasks is not None or self._memory is not None

    def excess(self) -> Excess | None:
        """None while the tree is within its limits."""
        if self._tasks is not None and (most := self._tasks.excess()):
            return Excess("limit", f"It had more than {most} at once and was killed.")
        if self._memory is not None and (most := self._memory.excess()):
            return Excess("memory", f"Its processes used more than {most} together and were killed.")
        return None
