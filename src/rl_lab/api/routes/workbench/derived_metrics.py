"""Derived metrics: named expressions over metrics."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, ConfigDict, Field

from rl_lab.api.deps import WorkbenchDep
from rl_lab.api.routes.metrics import MAX_POINTS, SeriesPoints
from rl_lab.api.streams.feeds import encode
from rl_lab.core.errors import WrongExpression
from rl_lab.core.workbench.derived_metrics import DerivedMetric, DerivedMetricPatch, NewDerivedMetric
from rl_lab.core.workbench.expression_terms import FUNCTIONS
from rl_lab.core.workbench.expression_tokens import MAX_EXPRESSION

router = APIRouter(prefix="/api/derived-metrics", tags=["workbench"])

DerivedPath = Annotated[str, Path(max_length=64, description="Its name.", examples=["reward_per_step"])]


class ExpressionQuestion(BaseModel):
    """An expression to try on a run."""

    model_config = ConfigDict(extra="forbid")

    expression: str = Field(max_length=4 * MAX_EXPRESSION, examples=["ema(loss, 0.9)"])
    run_id: str = Field(pattern=r"^[0-9a-z]{12}$", description="The run whose metrics are used.")
    points: int = Field(default=500, ge=3, le=MAX_POINTS, description="How many points at most.")


class ExpressionFault(BaseModel):
    message: str
    column: int
    """Where it is, from 0."""


class ListedFunction(BaseModel):
    """A function that expressions may use."""

    name: str
    signature: str
    meaning: str


class ExpressionPreview(BaseModel):
    """The values of an expression, or what is wrong with it."""

    series: SeriesPoints | None = None
    fault: ExpressionFault | None = None


@router.get("", operation_id="list_derived_metrics")
async def list_derived_metrics(workbench: WorkbenchDep) -> list[DerivedMetric]:
    """By name, each with the metrics that it uses."""
    return await workbench.derived_metrics.list_all()


@router.post("", operation_id="save_derived_metric", status_code=201)
async def save_derived_metric(
    new: NewDerivedMetric, response: Response, workbench: WorkbenchDep
) -> DerivedMetric:
    """Saves a derived metric. It is charted, exported, filtered and sorted by like every other metric."""
    saved = await workbench.derived_metrics.save(new)
    response.headers["Location"] = f"/api/derived-metrics/{quote(saved.name)}"
    return saved


@router.post("/preview", operation_id="preview_expression", response_model=ExpressionPreview)
async def preview_expression(asked: ExpressionQuestion, workbench: WorkbenchDep) -> Response:
    """Computes an expression for one run, without saving it; a mistake is returned with its column."""
    try:
        found = await workbench.derived_metrics.preview(asked.expression, asked.run_id, asked.points)
    except WrongExpression as error:
        fault = {"message": error.message, "column": error.column}
        return _as_json({"series": None, "fault": fault})
    return _as_json({"series": {**found.columns(), "source": None}, "fault": None})


@router.get("/functions", operation_id="list_expression_functions")
async def list_expression_functions() -> list[ListedFunction]:
    """The functions that expressions may use."""
    return [
        ListedFunction(name=name, signature=one.signature(name), meaning=one.meaning)
        for name, one in FUNCTIONS.items()
    ]


@router.get("/{name}", operation_id="get_derived_metric")
async def get_derived_metric(name: DerivedPath, workbench: WorkbenchDep) -> DerivedMetric:
    return await workbench.derived_metrics.get(name)


@router.patch("/{name}", operation_id="patch_derived_metric")
async def patch_derived_metric(
    name: DerivedPath, patch: DerivedMetricPatch, workbench: WorkbenchDep
) -> DerivedMetric:
    """Changes expression or note. Its values in ended runs are computed again in the background."""
    return await workbench.derived_metrics.change(name, patch)


@router.delete("/{name}", operation_id="delete_derived_metric")
async def delete_derived_metric(name: DerivedPath, workbench: WorkbenchDep) -> DerivedMetric:
    """Removes a derived metric that nothing else uses. Returns what it was."""
    return await workbench.derived_metrics.remove(name)


def _as_json(value: object) -> Response:
    return Response(encode(value), media_type="application/json")
