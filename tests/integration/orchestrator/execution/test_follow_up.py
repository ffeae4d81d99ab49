"""What follows the end of a run happens even when the lab is gone at that moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from support.labs import furnish, open_lab, toy, wait_for

from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.execution.finisher import follow_up_key
from rl_lab.orchestrator.jobs.service import Jobs
from rl_lab.orchestrator.lab import Lab
from rl_lab.store.runs import RunFilter
from rl_lab.store.sql import meta


def test_an_evaluation_that_was_never_started_is_started_by_the_next_lab(tmp_path: Path) -> None:
    furnish(tmp_path)
    asyncio.run(_killed_between_end_and_evaluation(tmp_path))


async def _killed_between_end_and_evaluation(home: Path) -> None:
    async with _open_without_follow_up(home) as lab:
        run = await lab.runs.create(toy(evaluate_after=1))
        await wait_for(lab, run.id, RunStatus.succeeded)
        assert await lab.context.db.read(lambda conn: meta.find(conn, follow_up_key(run.id)))
    async with open_lab(home) as lab:
        await lab.context.tasks.wait()
        found = await lab.queries.list_runs(RunFilter(kind="evaluate", parent_id=run.id))
        assert found.total == 1
        assert not await lab.context.db.read(lambda conn: meta.find(conn, follow_up_key(run.id)))


def test_an_evaluation_somebody_asked_for_does_not_take_the_place_of_the_last_one(tmp_path: Path) -> None:
    furnish(tmp_path)
    asyncio.run(_evaluated_by_hand_before(tmp_path))


async def _evaluated_by_hand_before(home: Path) -> None:
    follow_up = Jobs.after_end
    async with _open_without_follow_up(home) as lab:
        run = await lab.runs.create(toy(evaluate_after=1))
        run = await wait_for(lab, run.id, RunStatus.succeeded)
        await lab.jobs.start(EvaluateConfig(run_id=run.id, episodes=1))
        for _ in range(2):  # a lab that is killed in between does it again
            await follow_up(lab.jobs, run)
        found = await lab.queries.list_runs(RunFilter(kind="evaluate", parent_id=run.id))
        assert sorted(r.config.after_training for r in found.items) == [False, True]


@asynccontextmanager
async def _open_without_follow_up(home: Path) -> AsyncIterator[Lab]:
    """As if the lab was killed right after the end of a run was written."""

    async def nothing(jobs: Jobs, run: Run) -> None:
        return None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Jobs, "after_end", nothing)
        async with open_lab(home) as lab:
            yield lab
