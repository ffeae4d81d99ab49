"""Only guardians of this lab's own runs are listed, each under the run it belongs to."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from rl_lab.orchestrator.machine.run_processes import RunProcesses

OURSELVES = psutil.Process()


def live(run_id: str, path: str, pid: int | None) -> Any:
    return SimpleNamespace(run_id=run_id, guardian_pid=pid, attempt=SimpleNamespace(path=path))


@pytest.fixture
def own_path() -> str:
    """The last word of our own command line: this process plays the guardian."""
    return OURSELVES.cmdline()[-1]


def test_a_guardian_is_measured_with_its_children(own_path: str) -> None:
    [found] = RunProcesses(lambda: [live("run", own_path, OURSELVES.pid)]).read()
    assert found.run_id == "run"
    assert found.processes >= 1
    assert found.memory_bytes > 0


def test_a_guardian_of_an_earlier_lab_is_found_by_its_folder(own_path: str) -> None:
    found = RunProcesses(lambda: [live("run", own_path, None)]).read()
    assert [one.run_id for one in found] == ["run"]


def test_a_pid_that_belongs_to_another_process_by_now_is_not_listed() -> None:
    assert RunProcesses(lambda: [live("run", "/home/runs/run/attempts/1", OURSELVES.pid)]).read() == []


def test_guardians_of_other_labs_are_not_listed(own_path: str) -> None:
    assert RunProcesses(list).read() == []
