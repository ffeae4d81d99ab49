"""The memory of a tree is measured the more often, the nearer it is to its limit."""

from __future__ import annotations

import pytest

from rl_lab.guardian import memory_limit
from rl_lab.guardian.memory_limit import LONGEST_WAIT_S, SHORTEST_WAIT_S, MemoryLimit

GIB = 1 << 30


class Machine:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.used, self.exact, self.now, self.looks = 0, 64 * GIB, 0.0, 0
        monkeypatch.setattr(memory_limit, "living_descendants", lambda root: [1])
        monkeypatch.setattr(memory_limit, "tree_memory", self.tree_memory)
        monkeypatch.setattr(memory_limit, "exact_tree_memory", lambda pids: self.exact)
        monkeypatch.setattr(memory_limit.time, "monotonic", lambda: self.now)

    def tree_memory(self, pids: list[int]) -> int:
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
