"""How many threads the numeric libraries of a captured script use: the cores, shared by the trainings that may run.

Without a limit each of them starts one thread per core, and several trainings then wait for each other: on a busy
machine a small network became twenty times slower.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from rl_lab.core.commands import Command
from rl_lab.runners.script import START

FIRST = "OMP_NUM_THREADS"
"""The other libraries follow it where their own variable is not set."""
THREAD_VARIABLES = (FIRST, "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def with_threads(command: Command, slots: int, own: Mapping[str, str] = os.environ) -> Command:
    """The command with these variables, unless the user set them for the run or for the lab (`own`)."""
    if str(START) not in command.argv or FIRST in command.env:
        return command
    given = {name: own[name] for name in THREAD_VARIABLES if name in own}
    if FIRST not in given:
        given = {**dict.fromkeys(THREAD_VARIABLES, str(threads_for(slots))), **given}
    return command.model_copy(update={"env": {**given, **command.env}})


def threads_for(slots: int) -> int:
    return max(1, usable_cores() // max(1, slots))


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
