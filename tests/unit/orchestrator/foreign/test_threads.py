"""Threads of captured scripts: a share of the cores, unless the user chose otherwise."""

from __future__ import annotations

from rl_lab.core.commands import Command
from rl_lab.orchestrator.foreign.threads import THREAD_VARIABLES, threads_for, usable_cores, with_threads
from rl_lab.runners.script import START


def captured(**env: str) -> Command:
    return Command(
        argv=["/usr/bin/python", str(START), "job.json", "--", "train.py"], shown=[], cwd="/", env=env
    )


def test_the_cores_are_shared_by_the_trainings_that_may_run() -> None:
    assert threads_for(1) == usable_cores()
    assert threads_for(1000) == 1
    env = with_threads(captured(MODE="fast"), slots=1000, own={}).env
    assert env == {"MODE": "fast", **dict.fromkeys(THREAD_VARIABLES, "1")}


def test_a_number_that_the_user_set_is_kept() -> None:
    assert with_threads(captured(OMP_NUM_THREADS="4"), slots=2, own={}).env == {"OMP_NUM_THREADS": "4"}
    assert with_threads(captured(), slots=2, own={"OMP_NUM_THREADS": "3"}).env == {"OMP_NUM_THREADS": "3"}
    env = with_threads(captured(MKL_NUM_THREADS="6"), slots=1000, own={"OPENBLAS_NUM_THREADS": "5"}).env
    assert env == {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "6", "OPENBLAS_NUM_THREADS": "5"}


def test_other_programs_use_as_many_threads_as_outside_the_lab() -> None:
    program = Command(argv=["/bin/trainer"], shown=[], cwd="/")
    assert with_threads(program, slots=1, own={}).env == {}
