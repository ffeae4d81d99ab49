"""How much memory a guarded process tree may use at once. Standard library only.

The kernel's limits count what a process reserves, and torch and CUDA reserve far more than they use. So the tree is
measured: the more often, the nearer it is to its limit. Pages of files, such as a dataset that is mapped, do not count:
the kernel takes them back when it needs memory.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from rl_lab.guardian.processes import list_threads, living_descendants, read_or_nothing
from rl_lab.guardian.resource_use import tree_memory

SHORTEST_WAIT_S, LONGEST_WAIT_S = 0.1, 2.0
FILLED_PER_S = 4 << 30
"""Bytes that a program can fill in a second, about."""
FILLED = (b"RssAnon", b"RssShmem", b"VmSwap")
"""Lines of `status`."""
SHARES = (b"Pss_Anon", b"Pss_Shmem", b"SwapPss")
"""The same in `smaps_rollup`: each page is divided by the number of processes that share it."""
UNNAMED, BLOCK = "/memfd:", 512
"""How the kernel names an open file that is in no folder, and the unit of its size."""


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
        """Pages that processes share are told apart only when they matter: that takes milliseconds per GiB."""
        files = unnamed_files(pids)
        used = files + sum(filled(pid) for pid in pids)
        return used if used <= self._most else files + sum(share_of(pid) for pid in pids)


def filled(pid: int) -> int:
    """Bytes that it has filled, with those that it shares with others; all its pages where the kernel does not say."""
    found = _find(pid, "status", FILLED)
    return tree_memory([pid]) if found is None else found


def share_of(pid: int) -> int:
    """The same with its share of what others have too; all of it where the kernel does not say."""
    found = _find(pid, "smaps_rollup", SHARES)
    return filled(pid) if found is None else found


def unnamed_files(pids: Sequence[int]) -> int:
    """Bytes of the open files that are in memory and in no folder (`memfd_create`): they are pages of no process."""
    sizes: dict[tuple[int, int], int] = {}
    for pid in pids:
        for place in _open_files(pid):
            try:
                if os.readlink(place).startswith(UNNAMED):  # noqa: PTH115
                    found = os.stat(place)  # noqa: PTH116
                    sizes[found.st_dev, found.st_ino] = found.st_blocks * BLOCK
            except OSError:  # closed meanwhile
                continue
    return sum(sizes.values())


def _open_files(pid: int) -> list[str]:
    """Every thread shows the same ones, but a first thread that has ended shows none."""
    for thread in list_threads(pid):
        folder = f"/proc/{pid}/task/{thread}/fd"
        try:
            if found := os.listdir(folder):  # noqa: PTH208
                return [f"{folder}/{name}" for name in found]
        except OSError:
            continue
    return []


def _find(pid: int, file: str, names: Sequence[bytes]) -> int | None:
    """The first thread may have ended before the others; then only their files show the memory of the process."""
    found = _add_up(f"/proc/{pid}/{file}", names)
    for thread in list_threads(pid) if found is None else ():
        found = found or _add_up(f"/proc/{pid}/task/{thread}/{file}", names)
    return found


def _add_up(path: str, names: Sequence[bytes]) -> int | None:
    """None where the first of these lines is missing."""
    lines = [line.partition(b":") for line in read_or_nothing(path).splitlines()]
    found = {name: int(value.split()[0]) << 10 for name, _, value in lines if name in names}
    return sum(found.values()) if names[0] in found else None
