"""Only guardians of this lab's own runs are listed, each under the run it belongs to."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rl_lab.orchestrator.machine.run_processes import RunProcesses

ENDLESS = "import sys; print(flush=True); sys.stdin.read()"


def live(run_id: str, path: str, pid: int | None) -> Any:
    return SimpleNamespace(run_id=run_id, guardian_pid=pid, attempt=SimpleNamespace(path=path))


@contextmanager
def process_with(*words: str) -> Iterator[int]:
    """A process with these last words on its command line."""
    arguments = [sys.executable, "-c", ENDLESS, *words]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()  # until then the kernel may not show its command line yet
        try:
            yield process.pid
        finally:
            process.kill()


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "runs" / "run" / "attempts" / "1")


def test_a_guardian_is_measured_with_its_children(path: str) -> None:
    with process_with("-m", "rl_lab.guardian", path) as pid:
        [found] = RunProcesses(lambda: [live("run", path, pid)]).read()
    assert found.run_id == "run"
    assert found.processes >= 1
    assert found.memory_bytes > 0


def test_a_guardian_of_an_earlier_lab_is_found_by_its_folder(path: str) -> None:
    with process_with("-m", "rl_lab.guardian", path):
        found = RunProcesses(lambda: [live("run", path, None)]).read()
    assert [one.run_id for one in found] == ["run"]


def test_a_pid_that_belongs_to_another_process_by_now_is_not_listed(path: str) -> None:
    assert RunProcesses(lambda: [live("run", path, os.getpid())]).read() == []


def test_guardians_of_other_labs_are_not_listed(path: str) -> None:
    with process_with("-m", "rl_lab.guardian", path):
        assert RunProcesses(list).read() == []
