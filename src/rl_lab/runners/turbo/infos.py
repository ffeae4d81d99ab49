"""The infos of a rollout, handed to the learner's process; only for a reward that asks for them.

They have no fixed shape, so they cannot be in shared arrays: each process writes its own to a file in memory.
"""

from __future__ import annotations

import marshal
import os
from typing import Any

Infos = list[dict[str, Any]]


class InfoFiles:
    """One file per process, made before the processes are forked."""

    def __init__(self, processes: int, n_envs: int) -> None:
        self._n = n_envs
        self._files = [os.memfd_create("rl-lab-infos") for _ in range(processes)]

    def write(self, number: int, groups: list[tuple[slice, list[Infos]]]) -> None:
        """For each group: which environments it has, and their infos at each step, as plain values."""
        data = marshal.dumps([(part.start, part.stop, steps) for part, steps in groups])
        file = self._files[number]
        os.ftruncate(file, 0)
        os.pwrite(file, data, 0)

    def read(self, horizon: int) -> Infos:
        """Of all environments at the first step, then at the second, …"""
        found: Infos = [{}] * (horizon * self._n)
        for file in self._files:
            for start, stop, steps in marshal.loads(os.pread(file, os.fstat(file).st_size, 0)):  # noqa: S302
                for t, infos in enumerate(steps):
                    found[t * self._n + start : t * self._n + stop] = infos
        return found

    def close(self) -> None:
        for file in self._files:
            os.close(file)
