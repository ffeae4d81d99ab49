"""Workers and guardians killed at random moments: the right end, the right words, and nobody left behind."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from pathlib import Path

import pytest
from support.labs import furnish, open_lab, toy, wait_for, wait_for_step

from rl_lab.core.runs import RunStatus
from rl_lab.guardian.processes import find_survivors
from rl_lab.orchestrator.lab import Lab

pytestmark = pytest.mark.chaos

IS_LONG = os.environ.get("RL_LAB_CHAOS") == "long"
KILLS = 100 if IS_LONG else 6


@pytest.mark.timeout(3000 if IS_LONG else 600)
def test_killed_workers_and_guardians_are_explained_and_leave_nobody(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home, max_running=3) as lab:
            gate = asyncio.Semaphore(3)
            await asyncio.gather(*(_one(lab, gate, number) for number in range(KILLS)))

    asyncio.run(story())


async def _one(lab: Lab, gate: asyncio.Semaphore, number: int) -> None:
    dice = random.Random(number)
    async with gate:
        run = await lab.runs.create(
            toy(total_timesteps=10**8, steps_per_second=1000, checkpoint_every=400, fork_children=number % 3)
        )
        await wait_for_step(lab, run.id, dice.randrange(20, 1200))
        if number % 2:
            await _kill_guardian(lab, run.id)
        else:
            await _kill_worker(lab, run.id)
        assert find_survivors(run.id, 1) == []


async def _kill_worker(lab: Lab, run_id: str) -> None:
    os.kill(_worker(run_id), signal.SIGKILL)
    ended = await wait_for(lab, run_id)
    assert ended.status is RunStatus.failed
    assert ended.reason is not None
    assert ended.reason.cause == "killed:9"


async def _kill_guardian(lab: Lab, run_id: str) -> None:
    guardian = lab.execution.supervisor.live[run_id].guardian_pid
    assert guardian is not None
    os.kill(guardian, signal.SIGKILL)
    ended = await wait_for(lab, run_id)
    assert ended.status is RunStatus.lost
    assert ended.reason is not None
    assert ended.reason.cause == "guardian-killed"
    has_checkpoint = any(a.kind == "checkpoint" for a in await lab.queries.artifacts(run_id))
    assert ("Resume continues" if has_checkpoint else "No checkpoint") in ended.reason.next_step


def _worker(run_id: str) -> int:
    """The one whose parent is the guardian; its forked children have left the family."""
    return min(find_survivors(run_id, 1))
