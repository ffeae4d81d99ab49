"""The manifest of a run: everything it made."""

from __future__ import annotations

from fastapi import APIRouter

from rl_lab.api.deps import HousekeepingDep, RunId
from rl_lab.core.disk.manifests import Manifest

router = APIRouter(prefix="/api/runs/{run_id}/manifest", tags=["artifacts"])


@router.get("", operation_id="get_manifest")
async def get_manifest(run_id: RunId, housekeeping: HousekeepingDep) -> Manifest:
    """Videos, TensorBoard folders, W&B address, models, checkpoints and files, with how many of each are kept."""
    return await housekeeping.manifests.read(run_id)
