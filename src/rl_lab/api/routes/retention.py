"""How much of what runs make is kept."""

from __future__ import annotations

from fastapi import APIRouter

from rl_lab.api.deps import HousekeepingDep
from rl_lab.core.disk.retention import RetentionChange, RetentionState

router = APIRouter(prefix="/api/retention", tags=["lab"])


@router.get("", operation_id="get_retention")
async def get_retention(housekeeping: HousekeepingDep) -> RetentionState:
    """The knobs as they stand, and their defaults."""
    return housekeeping.knobs.state()


@router.put("", operation_id="put_retention")
async def put_retention(change: RetentionChange, housekeeping: HousekeepingDep) -> RetentionState:
    """Turns knobs; a knob that is absent stays, null goes back to its default. The janitor follows at once."""
    return await housekeeping.change_retention(change)
