"""Where a run comes from, and what came from it."""

from __future__ import annotations

from fastapi import APIRouter

from rl_lab.api.deps import ModelsDep, RunId
from rl_lab.core.models.lineage import Lineage

router = APIRouter(prefix="/api/runs", tags=["models"])


@router.get("/{run_id}/lineage", operation_id="get_lineage")
async def get_lineage(run_id: RunId, models: ModelsDep) -> Lineage:
    """Ancestors and descendants of a run: warm starts, forks, imports; at most 200 runs, the nearest ones."""
    return await models.checkpoints.find_lineage(run_id)
