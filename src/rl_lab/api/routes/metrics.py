"""A run's numbers: series for charts, and the stream of ticks while it trains."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from rl_lab.api.deps import HubDep, LastEventId, Limit, QueriesDep, RunId, Since
from rl_lab.api.http.files import disposition
from rl_lab.api.streams.feeds import Hub, encode, sse_frame
from rl_lab.api.streams.lines import stream_lines
from rl_lab.api.streams.sse import HEARTBEAT, MAX_CURSOR, EventStream, Viewer, resume_cursor, wants_stream
from rl_lab.api.streams.stored import FIRST_TICKS, TICKS_PER_READ, stored_ticks
from rl_lab.core.protocol.metrics import MetricOrigin, describe_origin
from rl_lab.core.runs import FINAL, Run
from rl_lab.core.words.file_names import file_name
from rl_lab.orchestrator.bus import metrics_topic, status_topic
from rl_lab.orchestrator.runs.queries import MetricsAxis, RunQueries

router = APIRouter(prefix="/api/runs/{run_id}", tags=["metrics"])

MAX_POINTS = 20_000
DERIVED = "derived: "
"""Before the expression of a derived metric, where a series says what it comes from."""


class SeriesPoints(BaseModel):
    """Points of one metric, oldest first; a null value is a gap (NaN)."""

    index: list[int]
    """Number of the point: of the episode for reward and length, of the update for the rest."""
    step: list[int]
    time: list[float]
    """Unix seconds."""
    value: list[float | None]
    total: int
    """Points stored in the range asked for, of which these are a selection."""
    source: str | None = None
    """Where the values come from, as text: a TensorBoard tag, a W&B key, SB3's logger, a file, or the lab itself;
    `derived: EXPRESSION` for a derived metric."""


class StepList(BaseModel):
    items: list[dict[str, Any]]


class Metrics(BaseModel):
    series: dict[str, SeriesPoints]


@router.get(
    "/metrics.csv",
    operation_id="get_metrics_table",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}}},
)
async def get_metrics_table(run_id: RunId, queries: QueriesDep) -> Response:
    """Every point of every metric in one table: a row per episode and per update, a column per metric."""
    run = await queries.get_run(run_id)
    name = file_name(run.name, "metrics", ".csv")
    return Response(
        await queries.table(run_id),
        media_type="text/csv",
        headers={"Content-Disposition": disposition(name)},
    )


@router.get("/metrics", operation_id="get_metrics", response_model=Metrics)
async def get_metrics(
    *,
    run_id: RunId,
    queries: QueriesDep,
    names: Annotated[
        str | None,
        Query(
            max_length=2000,
            description="Metrics, separated by commas; all when absent.",
            examples=["reward,loss"],
        ),
    ] = None,
    tail: Annotated[int | None, Query(ge=1, le=MAX_POINTS, description="Only the newest points.")] = None,
    points: Annotated[
        int, Query(ge=3, le=MAX_POINTS, description="How many points at most, peaks kept.")
    ] = 2000,
    x: Annotated[
        MetricsAxis,
        Query(
            description="Axis of `from` and `to`: training step, Unix seconds, or number of the point "
            "(of the episode for reward and length, of the update for the rest)."
        ),
    ] = "step",
    start: Annotated[float | None, Query(alias="from", ge=0, le=MAX_CURSOR, description="Begin.")] = None,
    stop: Annotated[float | None, Query(alias="to", ge=0, le=MAX_CURSOR, description="End.")] = None,
) -> Response:
    """Series of a run, thinned to `points` such that no peak is lost, ascending in `x`."""
    wanted = [name for name in names.split(",") if name] if names is not None else None
    found = await queries.metrics(run_id, wanted, points=points, tail=tail, x=x, start=start, stop=stop)
    origins = await queries.metric_origins(run_id)
    sources = {name: f"{DERIVED}{text}" for name, text in (await queries.expressions()).items()}
    sources |= {name: described for name, one in origins.items() if (described := describe_origin(one))}
    series = {name: {**one.columns(), "source": sources.get(name)} for name, one in found.items()}
    return Response(encode({"series": series}), media_type="application/json")


@router.get("/metrics/origins", operation_id="get_metric_origins")
async def get_metric_origins(run_id: RunId, queries: QueriesDep) -> dict[str, MetricOrigin]:
    """Where metrics come from that the lab did not measure itself: the file and the name there, by metric."""
    return await queries.metric_origins(run_id)


@router.get(
    "/steps",
    operation_id="list_steps",
    response_model=StepList,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def list_steps(
    *,
    request: Request,
    run_id: RunId,
    queries: QueriesDep,
    hub: HubDep,
    limit: Limit = 50,
    last_event_id: LastEventId = None,
    since: Since = None,
) -> Response | StepList:
    """Single steps that a program reported with `step` lines: the newest, oldest of them first.

    With `Accept: text/event-stream`, all of them as events `step`, then live, then `end`. `Last-Event-ID` or `since`
    resumes without gap or double. Learners of the lab record whole episodes instead; see their steps.
    """
    if wants_stream(request):
        resumed = resume_cursor(last_event_id)
        return await stream_lines(
            "steps", queries, hub, run_id, resumed if resumed is not None else since or 0
        )
    return StepList(items=[step for _, step in await queries.steps_after(run_id, -1, limit)])


@router.get(
    "/stream",
    operation_id="stream_metrics",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def stream_metrics(
    run_id: RunId,
    queries: QueriesDep,
    hub: HubDep,
    last_event_id: LastEventId = None,
    since: Since = None,
) -> EventStream:
    """Server-sent events `metrics`, at most four a second, then `end` when the run has ended.

    A reader that reconnects with `Last-Event-ID` continues without gaps or duplicates. A new one starts with the last
    25 seconds.
    """
    run = await queries.get_run(run_id)
    resumed = resume_cursor(last_event_id)
    cursor = resumed if resumed is not None else since
    if cursor is None:
        cursor = await _recent_cursor(queries, hub, run_id)
    return EventStream(hub, lambda viewer: metric_frames(queries, run, cursor, viewer))


async def _recent_cursor(queries: RunQueries, hub: Hub, run_id: str) -> int:
    """Where a new reader begins: a while before the newest tick."""
    feed = hub.find(metrics_topic(run_id))
    if feed is not None and feed.latest is not None:
        return max(0, feed.latest.cursor - FIRST_TICKS)
    newest = await queries.ticks(run_id, after=-1, limit=FIRST_TICKS)
    return newest[0].id - 1 if newest else 0


async def metric_frames(queries: RunQueries, run: Run, cursor: int, viewer: Viewer) -> AsyncIterator[bytes]:
    """Ticks after `cursor`, from the store and then live; `end` once the run is final and all is read."""
    feed = viewer.hub.join(metrics_topic(run.id), viewer.changed)
    # Progress is published as often as ticks are; waking every viewer for it too would double the work.
    status = viewer.hub.join(status_topic(run.id), viewer.changed, _has_ended)
    try:
        if status.first_look is None:
            # Asked again after joining: a run that ended in between would never be announced.
            status.first_look = await queries.get_run(run.id)
        while not viewer.gone:
            fresh = feed.after(cursor)
            run = status.latest.value if status.latest is not None else status.first_look
            if fresh is None or (not fresh and _has_ended(run)):
                fresh = await stored_ticks(queries, run.id, cursor)
                if len(fresh) < TICKS_PER_READ:
                    feed.prefill(fresh)
            if fresh:
                cursor = fresh[-1].cursor
                yield b"".join([item.sse("metrics") for item in fresh])
            elif _has_ended(run):
                yield sse_frame("end", encode({"status": run.status, "reason": run.reason}))
                return
            elif not await viewer.wait():
                yield HEARTBEAT
    finally:
        viewer.hub.leave(feed, viewer.changed)
        viewer.hub.leave(status, viewer.changed)


def _has_ended(run: Run) -> bool:
    return run.status in FINAL or run.deleted_at is not None
