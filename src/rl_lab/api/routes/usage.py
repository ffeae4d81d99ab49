"""What the lab and each of its runs take on disk."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from rl_lab.api.deps import HousekeepingDep, Limit, RunId
from rl_lab.core.disk.usage import DiskUsage, RunDiskUsage

router = APIRouter(prefix="/api", tags=["lab"])

UsageSort = Literal["bytes", "-bytes", "created_at", "-created_at"]


@router.get("/usage", operation_id="get_usage")
async def get_usage(
    housekeeping: HousekeepingDep,
    limit: Limit = 50,
    sort: Annotated[UsageSort, Query(description="A leading - puts the greatest first.")] = "-bytes",
) -> DiskUsage:
    """Bytes in all and per run, largest first. Measured in the background: `is_complete` says when it is all."""
    return await housekeeping.usage.read(limit, sort)


@router.get("/runs/{run_id}/usage", operation_id="get_run_usage")
async def get_run_usage(run_id: RunId, housekeeping: HousekeepingDep) -> RunDiskUsage:
    """What one run takes, measured now."""
    return await housekeeping.usage.of_run(run_id)
