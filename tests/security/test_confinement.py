"""The confinement matrix: everything a confined program tries is refused, except what SECURITY.md names."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.cells.cell import Cell
from support.cells.matrix import cells
from support.cells.rows import RAISES_SCORES, SHARES_MEMORY, has_gpu
from support.confined import KINDS, Confined, confined

from rl_lab.orchestrator.confinement_probe import probe

ROOT = Path(__file__).resolve().parents[2]
MACHINE = ("x86_64", "aarch64").index(os.uname().machine)
pytestmark = pytest.mark.skipif(
    probe().level != "confined", reason="this system cannot confine programs completely"
)

START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from cells.matrix import main; main()"
NEIGHBOUR = """
import ctypes, json, os, signal, socket, sys
folder = sys.argv[1]
arrived = []
for number in (signal.SIGUSR1, signal.SIGIO, signal.SIGURG): signal.signal(number, lambda n, _: arrived.append(n))
libc = ctypes.CDLL(None, use_errno=True)
tcp = socket.create_server(("127.0.0.1", 0))
local, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
local.bind(folder + "/neighbour"); local.listen()
abstract.bind(f"\\0rl-lab-neighbour-{os.getpid()}"); abstract.listen()
shared = f"/dev/shm/rl-lab-neighbour-{os.getpid()}"
open(shared, "w").write("x")
shm, msg = libc.shmget(0, 4096, 0o1600), libc.msgget(0, 0o1600)
def facts():
    return [os.getpriority(0, 0), sorted(os.sched_getaffinity(0)), os.sched_getscheduler(0), arrived]
print(json.dumps({"neighbour": os.getpid(), "port": tcp.getsockname()[1], "socket": folder + "/neighbour", "shm": shm,
    "msg": msg, "abstract": f"rl-lab-neighbour-{os.getpid()}", "shared_file": shared, "facts": facts()}), flush=True)
sys.stdin.read()
print(json.dumps(facts()))
libc.shmctl(shm, 0, None); libc.msgctl(msg, 0, None)
os.unlink(shared)
"""


@contextmanager
def neighbour(program: Confined) -> Iterator[dict[str, Any]]:
    """Another program of the same user; it must be as it was."""
    process = subprocess.Popen(
        [program.python, "-c", NEIGHBOUR, str(program.own)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        **program.as_user(),
    )
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        before = told.pop("facts")
        yield told
        out, _ = process.communicate()
        assert json.loads(out) == before
    finally:
        process.kill()
        process.wait()


def system_calls() -> dict[str, int]:
    text = (ROOT / "tests" / "unit" / "guardian" / "data" / "syscalls.txt").read_text()
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return {row[0]: int(row[1 + MACHINE]) for row in rows if row[1 + MACHINE] != "-"}


def surroundings(program: Confined, found: dict[str, Any]) -> dict[str, Any]:
    return {
        **found,
        "home": str(program.home),
        "own": str(program.own),
        "run": str(program.run_dir),
        "project": str(program.project),
        "code": str(program.code),
        "attempt": str(program.next_attempt),
        "calls": system_calls(),
    }


def table() -> list[Cell]:
    """All cells, not to be tried here."""
    names = ("home", "own", "run", "project", "code", "attempt", "shared_file")
    known = {"neighbour": 0, "guardian": 0, "calls": system_calls()}
    return cells(SimpleNamespace(**dict.fromkeys(names, "/nowhere"), **known))


def try_all(kind: str) -> dict[tuple[str, str], int | str | None]:
    """What each cell met: None when it succeeded, else an error number."""
    with confined(kind) as program:
        program.own.chmod(0o777)  # for the neighbour's socket
        with neighbour(program) as found:
            at = json.dumps(surroundings(program, found))
            record = program.run([program.python, "-uc", START, str(program.project), at], file_bytes=1 << 30)
        assert record["exit_code"] == 0, (record, program.log)
        lines = [json.loads(line) for line in program.output.splitlines()]
    return {(group, name): met for group, name, met in lines}


@pytest.fixture(scope="module")
def matrix() -> dict[str, dict[tuple[str, str], int | str | None]]:
    """What each kind of program met."""
    return {kind: try_all(kind) for kind in KINDS}


def test_the_matrix_is_large_and_every_cell_has_its_own_name() -> None:
    names = [(cell.group, cell.name) for cell in table()]
    assert len(names) == len(set(names)) >= 170


def test_every_cell_is_refused_unless_security_md_names_it(matrix: dict[str, Any]) -> None:
    for kind, met in matrix.items():
        assert met.keys() == {(cell.group, cell.name) for cell in table()}, kind
        wrong = {
            (cell.group, cell.name): met[cell.group, cell.name]
            for cell in table()
            if cell.row is None and met[cell.group, cell.name] not in cell.expected
        }
        assert wrong == {}, kind


def test_every_open_cell_is_a_row_of_security_md_and_every_row_is_open(matrix: dict[str, Any]) -> None:
    seen = {
        cell.row
        for met in matrix.values()
        for cell in table()
        if cell.row and met[cell.group, cell.name] is None
    }
    expected = rows() if has_gpu() else rows() - {RAISES_SCORES}
    assert seen == (expected - {SHARES_MEMORY} if all_have_own_memory() else expected)


def all_have_own_memory() -> bool:
    for kind in KINDS:
        with confined(kind) as program:
            if not program.has_own_memory:
                return False
    return True


def rows() -> set[str]:
    text = (ROOT / "SECURITY.md").read_text()
    section = text.split("\n## What a confined program can still do\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return {line.strip("|").split("|")[0].strip() for line in lines}
