"""What the lab reads out of a run's curves: insights, and the report that holds them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import StringConstraints

from rl_lab.api.deps import ID, ClientDep, QueriesDep, RunId
from rl_lab.api.http.reports import RUN_REPORTS, ReportFormat, report_response
from rl_lab.core.insights import Insight, SeedGroup

router = APIRouter(prefix="/api", tags=["insights"])

RunName = Annotated[str, StringConstraints(pattern=ID)]
MOST_COMPARED = 100


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
    "/runs/{run_id}/report", operation_id="get_report", response_class=Response, responses=RUN_REPORTS
)
async def get_report(
    run_id: RunId, queries: QueriesDep, client: ClientDep, format: ReportFormat = "json"
) -> Response:
    """The run in one document; the HTML one is self-contained."""
    text = await client.waits_for(queries.report(run_id, format))
    run = await queries.get_run(run_id)
    return report_response(text, format, run.name)
