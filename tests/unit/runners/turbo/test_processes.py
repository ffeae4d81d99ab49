"""The learner's helper processes: their errors arrive, their deaths are noticed, none outlives the learner."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys

import numpy as np
import pytest
from support.waiting import DEADLINE_S

from rl_lab.runners.turbo.processes import ForkPool, ForkPoolError, shared_array

ORPHAN = """
import os, signal
from rl_lab.runners.turbo.processes import ForkPool, shared_array
pids = shared_array((2,), "i8")
def task(number):
    pids[number] = os.getpid()
    print("noise on standard output") if number else None
pool = ForkPool(2, task)
pool.run()
os.write(1, f"{pids[1]}\\n".encode())
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_every_process_does_its_share_on_shared_memory() -> None:
    done = shared_array((3,), np.int64)

    def task(number: int) -> None:
        done[number] += number + 1

    pool = ForkPool(3, task)
    pool.run()
    pool.run()
    pool.close()
    assert done.tolist() == [2, 4, 6]


def test_an_error_in_a_helper_is_raised_with_its_own_words() -> None:
    def task(number: int) -> None:
        if number == 1:
            raise ValueError("the pole is made of jelly")

    pool = ForkPool(2, task)
    with pytest.raises(ForkPoolError, match="the pole is made of jelly"):
        pool.run()
    pool.close()


def test_a_killed_helper_is_noticed() -> None:
    def task(number: int) -> None:
        if number == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    pool = ForkPool(2, task)
    with pytest.raises(ForkPoolError, match="was killed"):
        pool.run()
    pool.close()


def test_helpers_die_with_the_learner_and_keep_its_standard_output_clean() -> None:
    learner = subprocess.run(
        [sys.executable, "-c", ORPHAN],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=DEADLINE_S,
        check=False,
    )
    assert learner.returncode == -signal.SIGKILL
    assert _ends_soon(int(learner.stdout))


def _ends_soon(pid: int) -> bool:
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    ended, _, _ = select.select([handle], [], [], 30)
    os.close(handle)
    return bool(ended)
