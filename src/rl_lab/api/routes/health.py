"""Is the lab alive? The one question that needs no token."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

router = APIRouter(prefix="/api", tags=["lab"])


class Health(BaseModel):
    status: Literal["ok"] = "ok"
    version: str


@router.get("/health", operation_id="get_health", openapi_extra={"security": []})
async def get_health() -> Health:
    """Says that the lab is up."""
    return Health(version=lab_version())


@cache
def lab_version() -> str:
    return version("rl-lab")
