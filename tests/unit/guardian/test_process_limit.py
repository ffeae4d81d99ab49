"""The process limit counts the tree only when the number of tasks on the machine allows an excess."""

from __future__ import annotations

import pytest

from rl_lab.guardian import process_limit
from rl_lab.guardian.process_limit import COUNT_S, ProcessLimit


class Machine:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tasks, self.tree, self.threads, self.now, self.walks = 1000, 1, 1, 0.0, 0
        monkeypatch.setattr(process_limit, "read_or_nothing", self.loadavg)
        monkeypatch.setattr(process_limit, "living_descendants", self.descendants)
        monkeypatch.setattr(process_limit, "count_threads", lambda pids: self.threads)
        monkeypatch.setattr(process_limit.time, "monotonic", lambda: self.now)

    def loadavg(self, path: str) -> bytes:
        return f"0.5 0.4 0.3 2/{self.tasks} 4711\n".encode() if self.tasks else b""

    def descendants(self, root: int) -> list[int]:
        self.walks += 1
        return list(range(self.tree))


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_a_quiet_machine_is_not_walked(machine: Machine) -> None:
    limit = ProcessLimit(20)
    machine.tasks += 19
    assert not limit.excess()
    assert machine.walks == 0


def test_a_fork_bomb_is_found_at_the_next_check(machine: Machine) -> None:
    limit = ProcessLimit(20)
    machine.tasks, machine.tree = 1100, 101
    assert limit.excess()


def test_many_processes_of_others_are_counted_once_and_then_trusted(machine: Machine) -> None:
    limit = ProcessLimit(20)
    machine.tasks, machine.tree = 3000, 5
    assert not limit.excess()
    assert not limit.excess()
    assert machine.walks == 1
    machine.tasks += 16
    machine.tree += 16
    assert limit.excess(), "five and sixteen are more than twenty"


def test_the_tree_is_counted_after_a_while_even_if_others_have_ended(machine: Machine) -> None:
    limit = ProcessLimit(20)
    machine.tasks, machine.tree = 500, 25
    assert not limit.excess(), "hidden by the processes that ended meanwhile"
    machine.now += COUNT_S
    assert limit.excess()


def test_a_kernel_that_does_not_report_tasks_is_counted_after_a_while(machine: Machine) -> None:
    machine.tasks = 0
    limit = ProcessLimit(20)
    machine.tree, machine.now = 25, COUNT_S
    assert limit.excess()


def test_threads_are_counted_too(machine: Machine) -> None:
    limit = ProcessLimit(20, threads=50)
    machine.tasks += 49
    machine.threads += 49
    assert limit.excess() == ""
    machine.tasks += 1
    machine.threads += 1
    assert limit.excess() == "50 threads"


def test_a_program_with_threads_is_not_walked_at_every_check(machine: Machine) -> None:
    limit = ProcessLimit(200, threads=500)
    machine.tasks, machine.threads = 1400, 400
    assert limit.excess() == ""
    machine.tasks += 99
    assert limit.excess() == ""
    assert machine.walks == 1
