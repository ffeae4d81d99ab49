"""One run that cannot be started does not keep the others waiting, and no evaluation does."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import select
from support.labs import furnish, open_lab, toy, wait_for, wait_for_event

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.lab import Lab
from rl_lab.store import transitions
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.run_pages import RunFilter
from rl_lab.store.sql.tables import runs as run_table
from rl_lab.store.transitions import Transition


def block_its_folder(lab: Lab, run_id: str) -> None:
    RunFolder(lab.context.home, run_id).attempts.write_text("not a folder")


def confuse_its_inputs(lab: Lab, run_id: str) -> None:
    """As a source does whose runner is not installed any more, or whose recordings are damaged."""
    of = lab.execution.launcher._inputs_of

    async def fail_for_one(run: object) -> object:
        if getattr(run, "id", "") == run_id:
            raise KeyError("no-such-runner")
        return await of(run)  # type: ignore[arg-type]

    lab.execution.launcher._inputs_of = fail_for_one  # type: ignore[method-assign,assignment]


@pytest.mark.parametrize("spoil", [block_its_folder, confuse_its_inputs])
def test_a_run_that_cannot_be_started_ends_in_words_and_the_next_one_starts(
    home: Path, spoil: Callable[[Lab, str], None]
) -> None:
    furnish(home)
    asyncio.run(_start_two(home, spoil))


async def _start_two(home: Path, spoil: Callable[[Lab, str], None]) -> None:
    async with open_lab(home, max_running=1) as lab:
        first = await lab.runs.create(toy(start=False))
        spoil(lab, first.id)
        second = await lab.runs.create(toy(start=False))
        await lab.runs.move(first.id, "start")
        await lab.runs.move(second.id, "start")
        ended = await wait_for(lab, first.id, RunStatus.failed)
        assert ended.reason is not None
        assert ended.reason.cause == "not-started"
        assert ended.reason.next_step
        await wait_for(lab, second.id, RunStatus.succeeded)


def test_trainings_and_their_evaluations_use_one_slot_of_each_kind(home: Path) -> None:
    """That no evaluation takes the slot of a training is tested without a clock in the unit tests of the queue."""
    furnish(home)
    trainings, evaluations = asyncio.run(_train_four(home))
    assert len(evaluations) == len(trainings) == 4
    for lane in (trainings, evaluations):
        spans = sorted((_entered(run, RunStatus.starting), run[-1].at) for run in lane)
        for (_, ended), (next_began, _) in itertools.pairwise(spans):
            assert ended <= next_began, "one after the other"


async def _train_four(home: Path) -> tuple[list[list[Transition]], list[list[Transition]]]:
    """Four short trainings on one slot, each evaluated when it has ended; the history of each run's states."""
    async with open_lab(home, max_running=1) as lab:
        trainings = [await lab.runs.create(toy(name=str(n), evaluate_after=1)) for n in range(4)]
        for training in trainings:
            await wait_for(lab, training.id, RunStatus.succeeded)
            await wait_for_event(lab, training.id, "evaluation_complete")
        state = await lab.execution.queue.state()
        assert (state.running, state.waiting) == ([], [])
        peaks = await lab.context.db.read(
            lambda conn: list(conn.execute(select(run_table.c.peak_memory)).scalars())
        )
        assert min(peaks) > 1 << 20, "each run has noted what it used"
        page = await lab.queries.list_runs(RunFilter(kind=RunKind.evaluate), limit=100)
        return await _histories(lab, trainings), await _histories(lab, page.items)


async def _histories(lab: Lab, runs: Sequence[Run]) -> list[list[Transition]]:
    found = []
    for run in runs:
        found.append(await lab.context.db.read(lambda conn, i=run.id: transitions.list_for_run(conn, i)))  # type: ignore[misc]
    return found


def _entered(history: list[Transition], status: RunStatus) -> datetime:
    return next(transition.at for transition in history if transition.to_status is status)
