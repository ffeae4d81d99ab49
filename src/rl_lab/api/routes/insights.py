"""What the lab reads out of a run's curves: insights, and the report that holds them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import StringConstraints

from rl_lab.analysis.reports.style import POLICY
from rl_lab.api.deps import ID, ClientDep, QueriesDep, RunId
from rl_lab.api.http.files import disposition
from rl_lab.core.insights import Insight, SeedGroup
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.file_names import file_name

router = APIRouter(prefix="/api", tags=["insights"])

RunName = Annotated[str, StringConstraints(pattern=ID)]
MOST_COMPARED = 100
MEDIA_TYPES = {"json": "application/json", "text": "text/plain", "html": "text/html"}
REPORTS: dict[int | str, dict[str, Any]] = {200: {"content": {media: {} for media in MEDIA_TYPES.values()}}}
ReportFormat = Literal["json", "text", "html"]
REPORT_POLICY = f"sandbox; {POLICY}"


@router.get("/runs/{run_id}/insights", operation_id="list_insights")
async def list_insights(run_id: RunId, queries: QueriesDep) -> list[Insight]:
    """Sentences computed from the run's data, most important first, each with its evidence."""
    return await queries.insights(run_id)


@router.get("/insights/seeds", operation_id="list_seed_groups")
async def list_seed_groups(
    queries: QueriesDep,
    run: Annotated[list[RunName], Query(min_length=1, max_length=MOST_COMPARED)],
) -> list[SeedGroup]:
    """Those of the named runs that differ only in their seed, grouped: do their rewards agree or disagree?"""
    return await queries.seed_groups(run)


@router.get(
    "/compare/report",
    operation_id="get_comparison_report",
    response_class=Response,
    responses=REPORTS,
)
async def get_comparison_report(
    queries: QueriesDep,
    runs: Annotated[list[RunName], Query(min_length=1, max_length=MOST_COMPARED)],
    format: ReportFormat = "json",
    group: Annotated[bool, Query(description="Draw the seeds of a configuration as one line.")] = True,
) -> Response:
    """The compared trainings in one document; the HTML one is self-contained."""
    text = await queries.comparison_report(runs, format, is_grouped=group)
    return _report(text, format, f"comparison of {plural(len(runs), 'run')}")


@router.get("/runs/{run_id}/report", operation_id="get_report", response_class=Response, responses=REPORTS)
async def get_report(
    run_id: RunId, queries: QueriesDep, client: ClientDep, format: ReportFormat = "json"
) -> Response:
    """The run in one document; the HTML one is self-contained."""
    text = await client.waits_for(queries.report(run_id, format))
    run = await queries.get_run(run_id)
    return _report(text, format, run.name)


def _report(text: str, format: ReportFormat, subject: str) -> Response:
    suffix = {"json": ".json", "text": ".txt", "html": ".html"}[format]
    return Response(
        text,
        media_type=MEDIA_TYPES[format],
        headers={
            "Content-Disposition": disposition(file_name(subject, "report", suffix), inline=True),
            "Content-Security-Policy": REPORT_POLICY,
        },
    )
