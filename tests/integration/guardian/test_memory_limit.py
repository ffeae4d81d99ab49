"""What processes hide from a measurement of their memory: shared mappings, files, a first thread that has ended."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rl_lab.guardian.memory_limit import filled, share_of, unnamed_files
from rl_lab.guardian.processes import living_descendants

MIB = 1 << 20
ROLLUP = Path("/proc/self/smaps_rollup")
FILLED = """
import ctypes, mmap, os, sys, threading

def fill():
    place = mmap.mmap(-1, 64 << 20)  # shared with processes that are forked later
    for n in range(0, len(place), mmap.PAGESIZE):
        place[n] = 1
    os.write(1, b"x")
    return place
"""
OF_TWO = """
for _ in range(2):
    if os.fork() == 0:
        kept = fill()
        sys.stdin.read()
        os._exit(0)
sys.stdin.read()
"""
OF_ONE_FOR_TWO = """
kept = fill()
if os.fork() == 0:
    sum(kept[n] for n in range(0, len(kept), mmap.PAGESIZE))
    os.write(1, b"x")
sys.stdin.read()
"""
IN_A_THREAD = """
def stay():
    kept = fill()
    sys.stdin.read()

threading.Thread(target=stay).start()
ctypes.CDLL(None).pthread_exit(None)
"""
UNNAMED_FILE = """
kept = os.memfd_create("kept")
for _ in range(64):
    os.write(kept, bytes(1 << 20))
os.fork()  # both have it open
os.write(1, b"x")
sys.stdin.read()
"""


@contextlib.contextmanager
def running(code: str, ready: int) -> Iterator[list[int]]:
    """The processes of a program that has written so many letters; they end when its input does."""
    known = set(living_descendants(os.getpid()))
    command = [sys.executable, "-c", FILLED + code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.read(ready) == b"x" * ready
        yield [pid for pid in living_descendants(os.getpid()) if pid not in known]


def test_shared_memory_that_processes_do_not_share_counts_for_each() -> None:
    with running(OF_TWO, ready=2) as pids:
        assert len(pids) == 3
        assert sum(map(filled, pids)) > 128 * MIB
        assert sum(map(share_of, pids)) > 128 * MIB


@pytest.mark.skipif(
    not ROLLUP.exists() or "Pss_Anon" not in ROLLUP.read_text(),
    reason="the kernel does not say what is shared",
)
def test_memory_that_processes_share_counts_once() -> None:
    with running(OF_ONE_FOR_TWO, ready=2) as pids:
        assert sum(map(filled, pids)) > 128 * MIB
        assert 64 * MIB < sum(map(share_of, pids)) < 128 * MIB


def test_a_process_whose_first_thread_has_ended_is_measured() -> None:
    with running(IN_A_THREAD, ready=1) as pids:
        [pid] = pids
        assert filled(pid) > 64 * MIB and share_of(pid) > 64 * MIB


def test_an_open_file_in_memory_counts_once_for_all_who_have_it() -> None:
    with running(UNNAMED_FILE, ready=2) as pids:
        assert len(pids) == 2
        assert 64 * MIB <= unnamed_files(pids) < 65 * MIB
