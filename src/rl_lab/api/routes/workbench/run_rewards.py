"""The reward of one training, as its folder has it."""

from __future__ import annotations

from fastapi import APIRouter

from rl_lab.api.deps import RunId, RunsDep
from rl_lab.core.workbench.codes import RunReward

router = APIRouter(prefix="/api/runs", tags=["workbench"])


@router.get("/{run_id}/reward", operation_id="get_run_reward")
async def get_run_reward(run_id: RunId, runs: RunsDep) -> RunReward:
    """The code that the training learns from, also when the saved one was changed or deleted since."""
    return await runs.rewards.read(run_id)
