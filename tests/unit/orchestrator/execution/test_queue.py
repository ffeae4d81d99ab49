"""The queue without processes: which runs it starts, and what becomes of one that cannot start."""

from __future__ import annotations

import asyncio
import errno
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.contexts import add_run, change, get, temporary_context

from rl_lab.core.errors import NotReady
from rl_lab.core.jobs import EvaluateConfig
from rl_lab.core.queue import QueueState, SlotsChange
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.queue import Queue


class Launches:
    """Starts nothing; notes the names of the runs, and fails for those it is given errors for."""

    def __init__(self, **errors: Exception) -> None:
        self.names: list[str] = []
        self._errors = errors

    async def start(self, run: Run) -> None:
        self.names.append(run.name)
        if run.name in self._errors:
            raise self._errors[run.name]


async def one_round(home: Path, launches: Launches, slots: int, runs: Sequence[tuple[str, int]]) -> list[Run]:
    async with temporary_context(home, max_running=slots) as context:
        added = [await add_run(context, RunStatus.queued, name=name, priority=p) for name, p in runs]
        queue = Queue(context, taken_slots=Counter, start=launches.start)
        await queue.start_what_fits()
        return [await get(context, run.id) for run in added]


def test_the_highest_priority_comes_first_then_the_longest_waiting(tmp_path: Path) -> None:
    launches = Launches()
    asyncio.run(one_round(tmp_path, launches, 2, [("old", 0), ("urgent", 5), ("young", 0)]))
    assert launches.names == ["urgent", "old"]


class Slots:
    """A queue with taken slots, asked for what it starts and how it describes itself."""

    def __init__(self, context: Context, **taken: int) -> None:
        self.launches = Launches()
        self.queue = Queue(context, taken_slots=lambda: Counter(taken), start=self.launches.start)  # type: ignore[arg-type]


async def add_evaluation(context: Context, *status: RunStatus, name: str) -> Run:
    return await add_run(context, *status, name=name, config=EvaluateConfig(run_id="0" * 12))


def test_without_a_free_slot_nothing_starts(tmp_path: Path) -> None:
    async def story() -> list[str]:
        async with temporary_context(tmp_path, max_running=1) as context:
            await add_run(context, RunStatus.queued)
            await add_evaluation(context, RunStatus.queued, name="evaluation")
            slots = Slots(context, training=1, job=1)
            await slots.queue.start_what_fits()
            return slots.launches.names

    assert asyncio.run(story()) == []


def test_evaluations_take_no_slot_of_a_training_and_trainings_none_of_theirs(tmp_path: Path) -> None:
    async def story() -> list[str]:
        async with temporary_context(tmp_path, max_running=2) as context:
            for name in ("first", "second", "third"):
                await add_evaluation(context, RunStatus.queued, name=f"{name} evaluation")
                await add_run(context, RunStatus.queued, name=name)
            slots = Slots(context, training=1)
            await slots.queue.start_what_fits()
            return slots.launches.names

    assert asyncio.run(story()) == ["first", "first evaluation"]


def test_every_waiting_run_has_a_place_and_a_reason(tmp_path: Path) -> None:
    async def story() -> QueueState:
        async with temporary_context(tmp_path, max_running=2) as context:
            starting = (RunStatus.queued, RunStatus.starting)
            for name in ("a", "b"):
                await add_run(context, *starting, name=name)
            await add_evaluation(context, *starting, name="film")
            for name in ("c", "d", "e"):
                await add_run(context, RunStatus.queued, name=name)
            await add_evaluation(context, RunStatus.queued, name="evaluation")
            return await Slots(context).queue.state()

    state = asyncio.run(story())
    assert (state.training_slots, state.job_slots) == (2, 1)
    assert [(run.name, run.kind) for run in state.running] == [
        ("a", "train"),
        ("b", "train"),
        ("film", "evaluate"),
    ]
    assert [(run.name, run.place, run.reason) for run in state.waiting] == [
        ("c", 1, "Waits for one of 2 training slots; it is next."),
        ("d", 2, "Waits for one of 2 training slots; 1 run is ahead."),
        ("e", 3, "Waits for one of 2 training slots; 2 runs are ahead."),
        ("evaluation", 1, "Waits for the only job slot; it is next."),
    ]


def test_a_run_that_enters_the_queue_is_given_its_place_there(tmp_path: Path) -> None:
    async def story() -> list[str]:
        async with temporary_context(tmp_path, max_running=1) as context:
            queue = Slots(context).queue
            found = []
            for name, priority in (("one", 0), ("two", 0), ("urgent", 5)):
                run = await add_run(context, name=name, priority=priority)
                found.append(await context.db.read(lambda conn, run=run: queue.describe_wait(conn, run)))
                await change(context, run, RunStatus.queued)
            return found

    assert asyncio.run(story()) == [
        "A training slot is free; it starts now.",
        "Waits for the only training slot; 1 run is ahead.",
        "A training slot is free; it starts now.",
    ]


def test_a_run_that_is_refused_fails_with_the_reason_and_the_next_one_starts(tmp_path: Path) -> None:
    launches = Launches(bad=NotReady("No GPU.", next_step="Use the CPU."), worse=KeyError("gone"))
    bad, worse, good = asyncio.run(one_round(tmp_path, launches, 3, [("bad", 2), ("worse", 1), ("good", 0)]))
    assert launches.names == ["bad", "worse", "good"]
    assert bad.reason is not None
    assert (bad.reason.cause, bad.reason.message, bad.reason.next_step) == (
        "not-ready",
        "No GPU.",
        "Use the CPU.",
    )
    assert worse.reason is not None
    assert worse.reason.cause == "not-started"
    assert good.status is RunStatus.queued


def test_a_problem_of_the_machine_leaves_the_run_in_the_queue(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            run = await add_run(context, RunStatus.queued)
            launches = Launches(one=OSError(errno.ENOSPC, "no space"))
            queue = Queue(context, taken_slots=Counter, start=launches.start)
            with pytest.raises(OSError, match="no space"):
                await queue.start_what_fits()
            assert (await get(context, run.id)).status is RunStatus.queued

    asyncio.run(story())


def test_changed_slots_apply_at_once_and_are_kept_until_they_are_reset(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path, max_running=1) as context:
            for name in ("a", "b", "c"):
                await add_run(context, RunStatus.queued, name=name)
            made = Slots(context, training=1)
            assert await started(made) == []
            state = await made.queue.change_slots(SlotsChange(training_slots=3))
            assert (state.training_slots, state.job_slots, state.default_training_slots) == (3, 1, 1)
            assert await started(made) == ["a", "b"]
        async with temporary_context(tmp_path, max_running=2, max_jobs=4) as context:
            queue = Slots(context).queue
            await queue.open()
            await queue.close()
            state = await queue.state()
            assert (state.training_slots, state.job_slots) == (3, 4)
            state = await queue.change_slots(SlotsChange(training_slots=None))
            assert (state.training_slots, state.job_slots) == (2, 4)

    asyncio.run(story())


def test_fewer_slots_than_runs_let_those_continue_and_the_next_wait(tmp_path: Path) -> None:
    async def story() -> str:
        async with temporary_context(tmp_path, max_running=2) as context:
            await add_run(context, RunStatus.queued, RunStatus.starting, name="a")
            await add_run(context, RunStatus.queued, RunStatus.starting, name="b")
            await add_run(context, RunStatus.queued, name="c")
            made = Slots(context, training=2)
            state = await made.queue.change_slots(SlotsChange(training_slots=1))
            assert await started(made) == []
            assert len(state.running) == 2
            return state.waiting[0].reason

    assert asyncio.run(story()) == "Waits for the only training slot; it is next."


async def started(made: Slots) -> list[str]:
    await made.queue.start_what_fits()
    return made.launches.names
