"""The catalogue of environments."""

from __future__ import annotations

from fastapi import APIRouter

from rl_lab.api.deps import LabDep
from rl_lab.core.environments import Environment

router = APIRouter(prefix="/api/environments", tags=["environments"])


@router.get("", operation_id="list_environments")
async def list_environments(lab: LabDep) -> list[Environment]:
    """Every environment this machine can make, and those it could after a remedy."""
    return await lab.environments()
