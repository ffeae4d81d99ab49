"""Which waiting runs start next to the running ones, and what the others are told."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.queue.decisions import Situation, WaitingRun, decide_starts
from rl_lab.core.queue.lanes import Lane
from rl_lab.core.queue.resources import Capacity, Needs

GB = 1000**3
MACHINE = Capacity(cores=4, memory=8 * GB, gpus=1)


def waits(name: str, needs: Needs | None = None, study: str | None = None) -> WaitingRun:
    return WaitingRun(name, name, RunKind.train, 0, 0.0, study, needs or Needs())


def at(free: Capacity = MACHINE, *, live: int = 1, slots: int = 4, **more: Any) -> Situation:
    taken = Counter({Lane.training: live})
    return Situation({Lane.training: slots, Lane.job: 1}, taken, MACHINE, free, live=live, **more)


def started(now: Situation, *waiting: WaitingRun) -> list[str]:
    return [one.run.name for one in decide_starts(waiting, now) if one.starts]


def reasons(now: Situation, *waiting: WaitingRun) -> list[str]:
    return [one.reason for one in decide_starts(waiting, now)]


def test_runs_start_until_the_memory_is_taken() -> None:
    big = Needs(memory=3 * GB)
    now = at(MACHINE._replace(memory=4 * GB))
    assert started(now, waits("a", big), waits("b", big)) == ["a"]


def test_the_reason_names_the_memory_and_the_runs_ahead() -> None:
    now = at(MACHINE._replace(memory=1_200_000_000))
    big = Needs(memory=3_100_000_000)
    assert reasons(now, waits("a", big), waits("b"), waits("c", big)) == [
        "Needs 3.1 GB of memory; 1.2 GB are free. It is next.",
        "Waits for its turn; 1 run is ahead.",
        "Needs 3.1 GB of memory; 1.2 GB are free. 2 runs are ahead.",
    ]


def test_small_runs_do_not_overtake_a_large_one_for_ever() -> None:
    assert started(at(MACHINE._replace(cores=2)), waits("large", Needs(cores=4)), waits("small")) == []


def test_a_run_that_waits_for_the_gpu_lets_others_pass() -> None:
    on_gpu = Needs(gpu=True)
    now = at(MACHINE._replace(gpus=0))
    assert started(now, waits("gpu", on_gpu), waits("cpu")) == ["cpu"]
    assert reasons(at(MACHINE._replace(gpus=0)), waits("gpu", on_gpu)) == [
        "Needs the GPU, which another run uses. It is next."
    ]


def test_without_a_gpu_in_the_machine_no_run_waits_for_one() -> None:
    nothing = Capacity(cores=4, memory=8 * GB, gpus=0)
    now = Situation({Lane.training: 4, Lane.job: 1}, Counter(), nothing, nothing, live=1)
    assert started(now, waits("a", Needs(gpu=True)), waits("b", Needs(gpu=True))) == ["a", "b"]


def test_a_run_too_large_for_the_machine_starts_alone_with_a_warning() -> None:
    huge = waits("huge", Needs(memory=100 * GB))
    assert started(at(live=1), huge) == []
    alone, other = decide_starts([huge, waits("other", Needs(memory=GB))], at(live=0))
    assert alone.starts
    assert alone.warning == "Needs 100.0 GB of memory; 8.0 GB are free."
    assert not other.starts


def test_while_the_queue_is_paused_nothing_starts() -> None:
    assert reasons(at(live=0, paused=True), waits("a"), waits("b")) == ["The queue is paused."] * 2
    assert started(at(live=0, paused=True), waits("a")) == []


def test_runs_of_a_paused_study_are_held_back_and_the_others_pass() -> None:
    now = at(live=3, slots=4, held={"s": "Learning rates"})
    found = decide_starts([waits("a", study="s"), waits("b", study="t"), waits("c")], now)
    assert [one.starts for one in found] == [False, True, False]
    assert found[0].reason == "Its study “Learning rates” is paused."
    assert found[2].reason == "Waits for one of 4 training slots; 1 run is ahead."


def test_jobs_and_trainings_have_places_and_slots_of_their_own() -> None:
    film = waits("film")._replace(kind=RunKind.film, needs=Needs(cores=0))
    found = decide_starts([waits("a"), film], at(live=4))
    assert [(one.place, one.starts) for one in found] == [(1, False), (1, True)]
