"""The queue without processes: which runs it starts, and what becomes of one that cannot start."""

from __future__ import annotations

import asyncio
import errno
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection
from support.contexts import add_run, change, get, messages, temporary_context

from rl_lab.core.errors import InvalidInput, MoveRefused, NotFound, NotReady
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.queue.state import PriorityChange, QueueMove, QueueState, SlotsChange
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution import queue as queue_module
from rl_lab.orchestrator.execution.dataset_contents import StillComparing
from rl_lab.orchestrator.execution.machine_room import MachineMemory
from rl_lab.orchestrator.execution.queue import Queue
from rl_lab.store import attempts
from rl_lab.store import queue as queue_store
from rl_lab.store.attempts import Attempt


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


def test_a_run_whose_dataset_is_still_being_compared_waits_and_delays_no_other(tmp_path: Path) -> None:
    launches = Launches(early=StillComparing())
    early, _ = asyncio.run(one_round(tmp_path, launches, 2, [("early", 1), ("other", 0)]))
    assert launches.names == ["early", "other"]
    assert early.status is RunStatus.queued and early.reason is None


def test_a_refusal_ends_a_run_with_its_own_cause(tmp_path: Path) -> None:
    launches = Launches(one=NotReady("It is damaged.", cause="dataset-damaged"))
    [run] = asyncio.run(one_round(tmp_path, launches, 1, [("one", 0)]))
    assert run.reason is not None and run.reason.cause == "dataset-damaged"


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


def test_a_paused_queue_starts_nothing_and_stays_paused_after_a_restart(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path, max_running=2) as context:
            await add_run(context, RunStatus.queued, name="a")
            made = Slots(context)
            state = await made.queue.change_pause(True)
            assert state.paused
            assert state.waiting[0].reason == "The queue is paused."
            assert await started(made) == []
            new = await add_run(context, name="b")
            told = await context.db.read(lambda conn: made.queue.describe_wait(conn, new))
            assert told.startswith("The queue is paused. `rl-lab queue resume`")
        async with temporary_context(tmp_path, max_running=2) as context:
            made = Slots(context)
            await made.queue.open()
            await made.queue.close()
            assert (await made.queue.state()).paused
            assert made.launches.names == []
            await made.queue.change_pause(False)
            assert await started(made) == ["a"]

    asyncio.run(story())


def test_moved_runs_start_in_their_new_order(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path, max_running=3) as context:
            ids = {}
            for name, priority in (("a", 0), ("b", 0), ("urgent", 50), ("c", 0)):
                ids[name] = (await add_run(context, RunStatus.queued, name=name, priority=priority)).id
            made = Slots(context)
            await made.queue.move(QueueMove(run_id=ids["c"], to=1))
            state = await made.queue.move(QueueMove(run_id=ids["b"], before=ids["a"]))
            assert [(run.name, run.place) for run in state.waiting] == [
                ("c", 1),
                ("urgent", 2),
                ("b", 3),
                ("a", 4),
            ]
            state = await made.queue.change_priority(PriorityChange(run_id=ids["a"], priority=100))
            assert [run.name for run in state.waiting] == ["a", "c", "urgent", "b"]
            assert await started(made) == ["a", "c", "urgent"]

    asyncio.run(story())


def test_moves_that_make_no_sense_are_refused_with_the_reason(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            waits = await add_run(context, RunStatus.queued, name="waits")
            runs_now = await add_run(context, RunStatus.queued, RunStatus.starting, name="runs")
            film = await add_evaluation(context, RunStatus.queued, name="evaluation")
            queue = Slots(context).queue
            for move, error, words in (
                (QueueMove(run_id=waits.id, to=9), InvalidInput, "no place 9; 1 to 1 are possible"),
                (QueueMove(run_id=waits.id, before=waits.id), InvalidInput, "before itself"),
                (QueueMove(run_id=waits.id, before=film.id), InvalidInput, "different slots"),
                (QueueMove(run_id=runs_now.id, to=1), MoveRefused, "it is starting"),
                (QueueMove(run_id="0" * 12, to=1), NotFound, "no run"),
                (QueueMove(study_id="s", to=1), NotFound, "no study"),
            ):
                with pytest.raises(error, match=words):
                    await queue.move(move)

    asyncio.run(story())


def test_a_run_waits_for_the_memory_that_runs_like_it_have_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_module, "read_memory", lambda: MachineMemory(8_000_000_000, 1_200_000_000))

    async def story() -> None:
        async with temporary_context(tmp_path, max_running=4) as context:
            small = Slots(context)
            ended = await add_run(context, RunStatus.queued, RunStatus.starting, name="before")
            await context.db.write(lambda conn: put_use(conn, ended, 3_100_000_000))
            await add_run(context, RunStatus.queued, name="big")
            state = await small.queue.state()
            assert state.waiting[0].reason == "Needs 3.1 GB of memory; 1.2 GB are free. It is next."
            assert await started(small) == []
            await change(context, await get(context, ended.id), RunStatus.stopped)
            assert await started(small) == ["big"]
            assert "Nothing else runs, so it starts anyway" in "".join(
                await messages(context, state.waiting[0].run_id)
            )

    asyncio.run(story())


def put_use(conn: Connection, run: Run, peak: int) -> None:
    attempts.put(conn, Attempt(run.id, run.attempt, datetime.now(UTC)))
    queue_store.put_peak_memory(conn, run.id, peak)
