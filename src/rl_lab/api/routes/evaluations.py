"""The evaluations of a training and their results."""

from __future__ import annotations

from datetime import datetime

from fastapi import APIRouter
from pydantic import BaseModel

from rl_lab.api.deps import QueriesDep, RunId
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import NotFound
from rl_lab.core.evaluations import EvaluationSummary, read_result
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.runs import EndReason, Run, RunStatus
from rl_lab.core.workbench.citations import cited_protocol
from rl_lab.store.runs import RunFilter

router = APIRouter(prefix="/api", tags=["evaluations"])


class Evaluation(BaseModel):
    """One evaluation: the run that did it and what came out."""

    run_id: str
    """The evaluation's own run."""
    status: RunStatus
    reason: EndReason | None
    created_at: datetime
    ended_at: datetime | None
    episodes: int
    deterministic: bool
    summary: EvaluationSummary | None
    """Figures of the episodes it played; null while it runs, and when it played none."""
    video: str | None
    """Artifact id of the MP4."""


@router.get("/runs/{run_id}/evaluations", operation_id="list_evaluations")
async def list_evaluations(run_id: RunId, queries: QueriesDep) -> list[Evaluation]:
    """All evaluations of a training, newest first."""
    await queries.get_run(run_id)
    page = await queries.list_runs(RunFilter(kind=RunKind.evaluate, parent_id=run_id), limit=100)
    videos = await queries.newest_artifacts([run.id for run in page.items], "video")
    return [_evaluation(run, videos.get(run.id)) for run in page.items]


@router.get("/runs/{run_id}/evaluations/latest", operation_id="get_latest_evaluation")
async def get_latest_evaluation(run_id: RunId, queries: QueriesDep) -> Evaluation:
    """The newest evaluation that succeeded."""
    for evaluation in await list_evaluations(run_id, queries):
        if evaluation.status is RunStatus.succeeded:
            return evaluation
    raise NotFound("This run has not been evaluated yet.", next_step="POST to /evaluations, or press TEST.")


def _summary(run: Run, config: EvaluateConfig) -> EvaluationSummary | None:
    """Also a result of an earlier version of the lab cites how it was measured."""
    found = read_result(EvaluationSummary, run.summary.result)
    if found is None or found.protocol is not None:
        return found
    return found.model_copy(update={"protocol": cited_protocol(config)})


def _evaluation(run: Run, video: Artifact | None) -> Evaluation:
    assert isinstance(run.config, EvaluateConfig)
    return Evaluation(
        run_id=run.id,
        status=run.status,
        reason=run.reason,
        created_at=run.created_at,
        ended_at=run.ended_at,
        episodes=run.config.episodes,
        deterministic=run.config.deterministic,
        summary=_summary(run, run.config),
        video=video.id if video else None,
    )
