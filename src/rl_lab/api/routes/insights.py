"""What the lab reads out of a run's curves: insights, and the report that holds them."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Response

from rl_lab.api.deps import QueriesDep, RunId
from rl_lab.core.insights import Insight

router = APIRouter(prefix="/api/runs/{run_id}", tags=["insights"])

MEDIA_TYPES = {"json": "application/json", "text": "text/plain", "html": "text/html"}
REPORT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
"""The page of a report runs no script and loads nothing."""


@router.get("/insights", operation_id="list_insights")
async def list_insights(run_id: RunId, queries: QueriesDep) -> list[Insight]:
    """Sentences computed from the run's data, most important first, each with its evidence."""
    return await queries.insights(run_id)


@router.get(
    "/report",
    operation_id="get_report",
    response_class=Response,
    responses={200: {"content": {media: {} for media in MEDIA_TYPES.values()}}},
)
async def get_report(
    run_id: RunId, queries: QueriesDep, format: Literal["json", "text", "html"] = "json"
) -> Response:
    """The run in one document; the HTML one is self-contained."""
    text = await queries.report(run_id, format)
    extension = {"json": "json", "text": "txt", "html": "html"}[format]
    return Response(
        text,
        media_type=MEDIA_TYPES[format],
        headers={
            "Content-Disposition": f'inline; filename="report-{run_id}.{extension}"',
            "Content-Security-Policy": REPORT_POLICY,
        },
    )
