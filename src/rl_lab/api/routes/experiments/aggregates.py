"""Statistics over seeds: comparisons with verdicts, and learning curves with intervals, of a selection or a study."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field, StringConstraints

from rl_lab.api.deps import ID, AggregatesDep, ComparisonReportsDep, StudyId
from rl_lab.api.http.reports import COMPARISON_REPORTS, ComparisonFormat, report_response
from rl_lab.core.studies.comparisons import AggregateCurves, Comparison, ComparisonQuestion, CurveQuestion
from rl_lab.core.words.amounts import plural

router = APIRouter(prefix="/api", tags=["studies"])

MOST_COMPARED = 1000
RunName = Annotated[str, StringConstraints(pattern=ID)]
RunNames = Annotated[list[RunName], Query(min_length=1, max_length=MOST_COMPARED)]


class RunComparisonQuestion(ComparisonQuestion):
    runs: RunNames


class RunCurveQuestion(CurveQuestion):
    runs: RunNames


@router.get("/compare", operation_id="compare_runs", response_model=Comparison)
async def compare_runs(
    aggregates: AggregatesDep, asked: Annotated[RunComparisonQuestion, Query()]
) -> Response:
    """Statistics over the seeds of each configuration among these runs, and verdicts on the configurations."""
    question = ComparisonQuestion(**asked.model_dump(exclude={"runs"}))
    return await _json(await aggregates.compare(asked.runs, question))


@router.get("/compare/curves", operation_id="compare_curves", response_model=AggregateCurves)
async def compare_curves(aggregates: AggregatesDep, asked: Annotated[RunCurveQuestion, Query()]) -> Response:
    """A metric over the seeds of each configuration among these runs, with intervals."""
    question = CurveQuestion(**asked.model_dump(exclude={"runs"}))
    return await _json(await aggregates.curves(asked.runs, question))


@router.get("/studies/{study_id}/comparison", operation_id="compare_study", response_model=Comparison)
async def compare_study(
    study_id: StudyId, aggregates: AggregatesDep, question: Annotated[ComparisonQuestion, Query()]
) -> Response:
    """The variants of a study over their seeds: statistics, verdicts, and how many more seeds would settle them."""
    return await _json(await aggregates.compare_study(study_id, question))


@router.get("/studies/{study_id}/curves", operation_id="get_study_curves", response_model=AggregateCurves)
async def get_study_curves(
    study_id: StudyId, aggregates: AggregatesDep, question: Annotated[CurveQuestion, Query()]
) -> Response:
    """A metric over the seeds of each variant, with intervals."""
    return await _json(await aggregates.study_curves(study_id, question))


class RunReportQuestion(RunComparisonQuestion):
    format: ComparisonFormat = "json"
    group: bool = Field(default=True, description="Draw the seeds of a configuration as one line.")


class StudyReportQuestion(ComparisonQuestion):
    format: ComparisonFormat = "json"


@router.get(
    "/compare/report",
    operation_id="get_comparison_report",
    response_class=Response,
    responses=COMPARISON_REPORTS,
)
async def get_comparison_report(
    reports: ComparisonReportsDep, asked: Annotated[RunReportQuestion, Query()]
) -> Response:
    """The compared trainings in one document, with verdicts; the HTML one is self-contained."""
    question = ComparisonQuestion(**asked.model_dump(exclude={"runs", "format", "group"}))
    text = await reports.of_runs(asked.runs, asked.format, question, is_grouped=asked.group)
    return report_response(text, asked.format, f"comparison of {plural(len(asked.runs), 'run')}")


@router.get(
    "/studies/{study_id}/report",
    operation_id="get_study_report",
    response_class=Response,
    responses=COMPARISON_REPORTS,
)
async def get_study_report(
    study_id: StudyId, reports: ComparisonReportsDep, asked: Annotated[StudyReportQuestion, Query()]
) -> Response:
    """The question of a study with its answer, in one document; the HTML one is self-contained."""
    question = ComparisonQuestion(**asked.model_dump(exclude={"format"}))
    written = await reports.of_study(study_id, asked.format, question)
    return report_response(written.text, asked.format, written.subject)


async def _json(found: BaseModel) -> Response:
    """Written on a thread and not validated again: the curves of many variants are large."""
    return Response(await asyncio.to_thread(found.model_dump_json), media_type="application/json")
