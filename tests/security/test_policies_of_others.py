"""A checkpoint of somebody else is loaded in a confined process, also where the job belongs to a run of one's own."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from support.labs import furnish, open_lab, wait_for
from support.packs import read_members, send, write_members

from rl_lab.core.jobs.policy_jobs import Contestant, DuelConfig, ForkConfig
from rl_lab.core.runs import Run
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import NewRun

BRIEF = {"env_id": "CartPole-v1", "runner": "turbo", "algorithm": "ppo", "total_timesteps": 2048, "seed": 1}


async def train(lab: Lab) -> str:
    new = NewRun.model_validate({**BRIEF, "evaluate_after": 0, "start": True})
    ended = await wait_for(lab, (await lab.runs.create(new)).id)
    assert ended.status == "succeeded", ended.reason
    return ended.id


async def bring_back(lab: Lab, run_id: str) -> str:
    """The same run in a pack, as if somebody else had sent it."""
    made = await lab.experiments.packs.make([run_id], [])
    data = write_members(read_members(b"".join(made.chunks)))
    imported = await lab.experiments.packs.take_in((await send(lab.experiments.packs, data, "theirs.zip")).id)
    return imported.runs[run_id]


async def do(lab: Lab, job: Any) -> Run:
    ended = await wait_for(lab, (await lab.jobs.start(job)).id)
    assert ended.status == "succeeded", ended.reason
    return ended


def test_a_job_is_confined_whichever_of_its_runs_is_of_somebody_else(home: Path) -> None:
    async def story() -> None:
        furnish(home)
        async with open_lab(home) as lab:
            mine = await train(lab)
            theirs = await bring_back(lab, mine)
            fork = ForkConfig(run_id=mine, episode=0, step=1)
            duel = DuelConfig(contestants=[Contestant(run_id=mine)] * 2, episodes=1, record=False)
            assert [(await do(lab, job)).isolation for job in (fork, duel)] == [None, None]
            fork = fork.model_copy(update={"checkpoint_run_id": theirs})
            duel = duel.model_copy(update={"contestants": [Contestant(run_id=one) for one in (mine, theirs)]})
            for job in (fork, duel):
                assert (await do(lab, job)).isolation is not None, job.kind

    asyncio.run(story())
