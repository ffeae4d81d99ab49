"""The catalogue of environments."""

from __future__ import annotations

from fastapi import APIRouter

from rl_lab.api.deps import EnvironmentsDep
from rl_lab.core.environments import Environment
from rl_lab.core.wrappers import WrapperInfo, list_wrappers

router = APIRouter(prefix="/api", tags=["environments"])


@router.get("/wrappers", operation_id="list_wrappers")
async def list_all_wrappers() -> list[WrapperInfo]:
    """What an environment can be wrapped in: `env_kwargs.wrappers` lists them in their order."""
    return list_wrappers()


@router.get("/environments", operation_id="list_environments")
async def list_environments(environments: EnvironmentsDep) -> list[Environment]:
    """Every environment this machine can make, and those it could after a remedy."""
    return await environments.list()
