"""The episodes of a run."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel

from rl_lab.api.deps import Cursor, LabDep, Limit, RunId
from rl_lab.core.episodes import EpisodeRow

router = APIRouter(prefix="/api/runs/{run_id}/episodes", tags=["episodes"])

EpisodeSort = Literal["episode", "-episode", "reward", "-reward", "length", "-length"]


class EpisodeList(BaseModel):
    items: list[EpisodeRow]
    next_cursor: str | None
    total: int


@router.get("", operation_id="list_episodes")
async def list_episodes(
    run_id: RunId,
    lab: LabDep,
    sort: EpisodeSort = "-episode",
    limit: Limit = 50,
    cursor: Cursor = None,
    recorded: Annotated[bool | None, Query(description="Only those that can be replayed.")] = None,
) -> EpisodeList:
    """Finished episodes, newest first unless told otherwise."""
    page = await lab.episodes(run_id, sort=sort, limit=limit, cursor=cursor, recorded=recorded)
    return EpisodeList(items=page.items, next_cursor=page.next_cursor, total=page.total)
