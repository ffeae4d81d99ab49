"""The catalogue of environments."""

from __future__ import annotations

from fastapi import APIRouter

from rl_lab.api.deps import EnvironmentsDep
from rl_lab.core.environments import Environment

router = APIRouter(prefix="/api/environments", tags=["environments"])


@router.get("", operation_id="list_environments")
async def list_environments(environments: EnvironmentsDep) -> list[Environment]:
    """Every environment this machine can make, and those it could after a remedy."""
    return await environments.list()
