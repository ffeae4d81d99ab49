"""What a run needs: declared by its runner, learned from runs like it."""

from __future__ import annotations

from typing import Any

from rl_lab.core.queue.resources import Needs, Use, needs_of
from rl_lab.core.runners import Capabilities, RunnerSpec


def spec(**more: Any) -> RunnerSpec:
    return RunnerSpec(
        id="x", name="X", description="", **{"capabilities": Capabilities(), **more}, algorithms=()
    )


def test_the_declared_memory_counts_until_runs_were_seen_and_then_the_largest_of_them() -> None:
    declares = spec(memory_mb=100)
    assert needs_of(declares, {}, []).memory == 100 << 20
    assert needs_of(declares, {}, [Use(7, 1.0), Use(9, 1.0), Use(8, 1.0)]).memory == 9


def test_the_cores_come_from_the_parameter_that_sets_them() -> None:
    declares = spec(cores_param="processes")
    assert needs_of(declares, {"params": {"processes": 3}}, []).cores == 3
    assert needs_of(declares, {"params": {"processes": 0}}, [Use(1, 3.9)]).cores == 1


def test_the_cores_of_foreign_programs_are_learned() -> None:
    foreign = spec(capabilities=Capabilities(foreign=True))
    assert needs_of(foreign, {}, []).cores == 1
    assert needs_of(foreign, {}, [Use(1, 1.2), Use(1, 3.8)]).cores == 4


def test_only_runs_that_use_the_gpu_count_for_it() -> None:
    torch = spec(capabilities=Capabilities(gpu=True), cpu_algorithms=("ppo",))
    assert needs_of(torch, {"device": "cuda", "algorithm": "ppo"}, []).gpu
    assert needs_of(torch, {"device": "auto", "algorithm": "dqn"}, []).gpu
    assert not needs_of(torch, {"device": "auto", "algorithm": "ppo"}, []).gpu
    assert not needs_of(torch, {"device": "cpu", "algorithm": "dqn"}, []).gpu
    assert not needs_of(spec(), {"device": "auto"}, []).gpu


def test_jobs_take_no_core_of_a_training() -> None:
    assert needs_of(None, {}, [Use(5, 2.0)]) == Needs(cores=0, memory=5, gpu=False)
