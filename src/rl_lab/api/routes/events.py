"""A run's event log: pages of JSON, or the live log for whoever accepts an event stream."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from rl_lab.api.deps import HubDep, LastEventId, Limit, QueriesDep, RunId
from rl_lab.api.streams.sse import HEARTBEAT, MAX_CURSOR, EventStream, Viewer, resume_cursor, wants_stream
from rl_lab.api.streams.stored import stored_events
from rl_lab.core.run_events import Level, RunEvent
from rl_lab.orchestrator.bus import events_topic
from rl_lab.orchestrator.runs.queries import RunQueries

router = APIRouter(prefix="/api/runs/{run_id}/events", tags=["events"])

EventId = Annotated[int | None, Query(ge=0, le=MAX_CURSOR)]


class EventPage(BaseModel):
    items: list[RunEvent]
    next_cursor: int | None
    """Pass it as `before_id` for the page of older events; null at the oldest."""


@router.get(
    "",
    operation_id="list_events",
    response_model=EventPage,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def list_events(
    *,
    run_id: RunId,
    request: Request,
    queries: QueriesDep,
    hub: HubDep,
    level: Annotated[list[Level] | None, Query(max_length=4)] = None,
    after_id: EventId = None,
    before_id: EventId = None,
    limit: Limit = 100,
    last_event_id: LastEventId = None,
) -> EventPage | Response:
    """Newest first (oldest first with `after_id`); with `Accept: text/event-stream` new lines follow live."""
    await queries.get_run(run_id)
    if wants_stream(request):
        resumed = resume_cursor(last_event_id)
        start = resumed if resumed is not None else after_id or 0
        return EventStream(hub, lambda viewer: event_frames(queries, run_id, start, viewer))
    items = await queries.events(run_id, after_id=after_id, before_id=before_id, limit=limit, levels=level)
    if after_id is None:
        items.reverse()
    more = len(items) == limit and after_id is None
    return EventPage(items=items, next_cursor=items[-1].id if more else None)


async def event_frames(queries: RunQueries, run_id: str, cursor: int, viewer: Viewer) -> AsyncIterator[bytes]:
    """The log after `cursor`, from the store and then as it grows."""
    feed = viewer.hub.join(events_topic(run_id), viewer.changed)
    try:
        while not viewer.gone:
            fresh = feed.after(cursor)
            if fresh is None:
                fresh = await stored_events(queries, run_id, cursor)
            if fresh:
                cursor = fresh[-1].cursor
                yield b"".join(item.sse("log") for item in fresh)
            elif not await viewer.wait():
                yield HEARTBEAT
    finally:
        viewer.hub.leave(feed, viewer.changed)
