"""The episodes of a run."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from rl_lab.api.deps import (
    Cursor,
    EpisodeNumber,
    EpisodesDep,
    HubDep,
    LastEventId,
    Limit,
    QueriesDep,
    RunId,
    Since,
)
from rl_lab.api.streams.lines import stream_lines
from rl_lab.api.streams.sse import resume_cursor, wants_stream
from rl_lab.core.episodes import EpisodeRow, ReturnHistogram
from rl_lab.orchestrator.runs.requests import MAX_NOTE
from rl_lab.store.telemetry import EpisodeFilter

router = APIRouter(prefix="/api/runs/{run_id}/episodes", tags=["episodes"])

EpisodeSort = Literal["episode", "-episode", "reward", "-reward", "length", "-length"]


Number = Annotated[float | None, Query(ge=-1e300, le=1e300)]
Count = Annotated[int | None, Query(ge=0, le=2**53)]


class EpisodeList(BaseModel):
    items: list[EpisodeRow]
    next_cursor: str | None
    total: int
    skipped: int
    """How many episodes of this order come before the first of this page; only with `around`."""


def _wanted(
    *,
    recorded: Annotated[bool | None, Query(description="Only those that can be replayed.")] = None,
    min_reward: Number = None,
    max_reward: Number = None,
    min_length: Count = None,
    max_length: Count = None,
    min_timestep: Count = None,
    max_timestep: Count = None,
    ending: Annotated[Literal["terminated", "truncated"] | None, Query(description="How it ended.")] = None,
    role: Annotated[
        Literal["training", "evaluation", "all"] | None,
        Query(
            description="What the environment of a captured script is used for; other runs only train. Absent: "
            "training, or evaluation for a run without a training episode, as of a script that learns from a dataset."
        ),
    ] = None,
) -> EpisodeFilter:
    return EpisodeFilter(
        min_reward,
        max_reward,
        min_length,
        max_length,
        min_timestep,
        max_timestep,
        ending,
        recorded=recorded,
        role=role,
    )


Wanted = Annotated[EpisodeFilter, Depends(_wanted)]


@router.get("", operation_id="list_episodes", response_model=EpisodeList)
async def list_episodes(
    *,
    request: Request,
    run_id: RunId,
    queries: QueriesDep,
    episodes: EpisodesDep,
    hub: HubDep,
    wanted: Wanted,
    last_event_id: LastEventId = None,
    since: Since = None,
    sort: EpisodeSort = "-episode",
    limit: Limit = 50,
    cursor: Cursor = None,
    around: Annotated[
        int | None, Query(ge=0, le=2**53, description="Begin a few rows before this episode.")
    ] = None,
    noted: Annotated[bool, Query(description="Only those with a note.")] = False,
) -> Response | EpisodeList:
    """Finished episodes, newest first unless told otherwise; filtered by return, length, ending, timestep.

    With `Accept: text/event-stream`, all of them as events `episode` in the order of arrival, then live, then `end`;
    filters and order do not apply. `Last-Event-ID` or `since` resumes without gap or double.
    """
    if wants_stream(request):
        resumed = resume_cursor(last_event_id)
        after = resumed if resumed is not None else since or 0
        return await stream_lines("episodes", queries, hub, run_id, after)
    page = await episodes.list_page(
        run_id, sort=sort, limit=limit, cursor=cursor, wanted=wanted, noted=noted, around=around
    )
    return EpisodeList(items=page.items, next_cursor=page.next_cursor, total=page.total, skipped=page.skipped)


@router.get("/best", operation_id="get_best_episode")
async def get_best_episode(run_id: RunId, episodes: EpisodesDep) -> EpisodeRow:
    """The recorded episode with the highest return, the newest of equals: what the feed of an ended run loops."""
    return await episodes.best(run_id)


@router.get("/histogram", operation_id="get_return_histogram")
async def get_return_histogram(
    run_id: RunId,
    episodes: EpisodesDep,
    wanted: Wanted,
    bars: Annotated[int, Query(ge=1, le=200, description="Most bars.")] = 24,
) -> ReturnHistogram:
    """How the returns of the episodes are distributed; the filters are those of the list."""
    return await episodes.histogram(run_id, wanted, bars)


@router.get("/{episode}", operation_id="get_episode")
async def get_episode(run_id: RunId, episode: EpisodeNumber, episodes: EpisodesDep) -> EpisodeRow:
    """One episode; whether it can be replayed is in `recorded`."""
    return await episodes.get(run_id, episode)


class EpisodeNote(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=MAX_NOTE, description="Markdown; empty removes the note.")


@router.put("/{episode}/note", operation_id="put_episode_note")
async def put_episode_note(
    run_id: RunId, episode: EpisodeNumber, note: EpisodeNote, episodes: EpisodesDep
) -> EpisodeRow:
    """Writes a note on an episode, in place of an earlier one."""
    return await episodes.put_note(run_id, episode, note.text.strip())
