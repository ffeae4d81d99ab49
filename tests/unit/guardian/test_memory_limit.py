"""The memory of a tree is measured the more often, the nearer it is to its limit."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from rl_lab.guardian import memory_limit
from rl_lab.guardian.memory_limit import LONGEST_WAIT_S, SHORTEST_WAIT_S, MemoryLimit, filled, share_of

GIB = 1 << 30


class Machine:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.used, self.exact, self.now, self.looks = 0, 64 * GIB, 0.0, 0
        monkeypatch.setattr(memory_limit, "living_descendants", lambda root: [1])
        monkeypatch.setattr(memory_limit, "filled", self.filled)
        monkeypatch.setattr(memory_limit, "share_of", lambda pid: self.exact)
        monkeypatch.setattr(memory_limit.time, "monotonic", lambda: self.now)

    def filled(self, pid: int) -> int:
        self.looks += 1
        return self.used


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_a_tree_that_uses_too_much_is_found(machine: Machine) -> None:
    limit = MemoryLimit(8 * GIB)
    machine.used = 9 * GIB
    assert limit.excess() == "8.0 GiB of memory"


def test_it_is_measured_seldom_until_it_is_near(machine: Machine) -> None:
    limit = MemoryLimit(8 * GIB)
    assert not limit.excess()
    machine.now += LONGEST_WAIT_S - 0.01
    assert not limit.excess()
    assert machine.looks == 1
    machine.now, machine.used = LONGEST_WAIT_S, 8 * GIB
    assert not limit.excess()
    machine.now += SHORTEST_WAIT_S
    assert not limit.excess()
    assert machine.looks == 3


def test_forked_processes_that_share_their_pages_do_not_use_them_twice(machine: Machine) -> None:
    limit = MemoryLimit(8 * GIB)
    machine.used, machine.exact = 20 * GIB, 5 * GIB
    assert not limit.excess()


STATUS = b"Name:\tpython\nVmSwap:\t  16 kB\nRssAnon:\t  100 kB\nRssFile:\t 9000 kB\nRssShmem:\t  40 kB\n"
ROLLUP = (
    b"Rss:  9140 kB\nPss:  9060 kB\nPss_Anon:  50 kB\nPss_File:  9000 kB\nPss_Shmem:  10 kB\nSwapPss:  4 kB\n"
)


GONE = 2**22 + 1
"""More than the largest number that a process can have."""


def put_files(monkeypatch: pytest.MonkeyPatch, files: Mapping[str, bytes]) -> None:
    monkeypatch.setattr(memory_limit, "read_or_nothing", lambda path: files.get(path, b""))
    monkeypatch.setattr(memory_limit, "list_threads", lambda pid: ["7", "8"])


def test_pages_of_files_do_not_count_and_swapped_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    put_files(monkeypatch, {"/proc/7/status": STATUS, "/proc/7/smaps_rollup": ROLLUP})
    assert (filled(7), share_of(7)) == (156 << 10, 64 << 10)


@pytest.mark.parametrize("rollup", [b"", b"Rss:  9140 kB\nPss:  9060 kB\nSwapPss:  4 kB\n"])
def test_where_the_kernel_does_not_tell_pages_apart_all_of_them_count(
    rollup: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_files(monkeypatch, {"/proc/7/status": STATUS, "/proc/7/smaps_rollup": rollup})
    assert share_of(7) == 156 << 10


def test_a_process_that_has_gone_uses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    put_files(monkeypatch, {})
    assert (filled(GONE), share_of(GONE)) == (0, 0)


def test_where_the_kernel_tells_nothing_apart_pages_of_files_count_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put_files(monkeypatch, {"/proc/7/status": b"Name:\tpython\nVmRSS:\t 9140 kB\n"})
    monkeypatch.setattr(memory_limit, "tree_memory", lambda pids: 9140 << 10)
    assert filled(7) == 9140 << 10


def test_the_other_threads_show_the_memory_when_the_first_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    zombie = {"/proc/7/status": b"Name:\tpython\nState:\tZ (zombie)\n"}
    others = {"/proc/7/task/8/status": STATUS, "/proc/7/task/8/smaps_rollup": ROLLUP}
    put_files(monkeypatch, {**zombie, **others})
    assert (filled(7), share_of(7)) == (156 << 10, 64 << 10)
