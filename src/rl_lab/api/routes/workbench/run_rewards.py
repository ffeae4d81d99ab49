"""The reward of one training: tried before it is created, and as its folder has it."""

from __future__ import annotations

from fastapi import APIRouter

from rl_lab.api.deps import ClientDep, RunId, RunsDep
from rl_lab.core.workbench.codes import CodeCheck, RunReward
from rl_lab.orchestrator.runs.requests import NewRun

router = APIRouter(prefix="/api/runs", tags=["workbench"])


@router.get("/{run_id}/reward", operation_id="get_run_reward")
async def get_run_reward(run_id: RunId, runs: RunsDep) -> RunReward:
    """The code that the training learns from, also when the saved one was changed or deleted since."""
    return await runs.rewards.read(run_id)


@router.post("/reward-check", operation_id="check_run_reward")
async def check_run_reward(new: NewRun, runs: RunsDep, client: ClientDep) -> CodeCheck:
    """What the reward of a training with these settings does in its environment, and costs of its speed.

    Creating the training asks the same and refuses a reward that fails. What works is tried once and remembered.
    """
    return await client.waits_for(runs.check_reward(new))
