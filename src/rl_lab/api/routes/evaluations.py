"""Evaluations, duels and films: jobs that play what was learned."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from rl_lab.api.deps import LabDep, RunId
from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.jobs import Contestant, DuelConfig, EvaluateConfig, FilmConfig, Seed
from rl_lab.core.runs import EndReason, Run, RunStatus
from rl_lab.store.runs import RunFilter

router = APIRouter(prefix="/api", tags=["evaluations"])


class NewEvaluation(BaseModel):
    model_config = ConfigDict(extra="forbid")

    episodes: int = Field(default=5, ge=1, le=100)
    seeds: list[Seed] | None = Field(default=None, min_length=1, max_length=100)
    deterministic: bool = True
    record: bool = True
    checkpoint: str | None = Field(default=None, max_length=64)


class NewDuel(BaseModel):
    model_config = ConfigDict(extra="forbid")

    contestants: list[Contestant] = Field(min_length=2, max_length=8)
    episodes: int = Field(default=10, ge=1, le=100)
    seed: Seed = 0
    deterministic: bool = True
    record: bool = True


class NewFilm(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: Literal["mp4", "gif"] = "mp4"
    scenes: int = Field(default=8, ge=1, le=40)
    seconds_per_scene: float = Field(default=6.0, ge=1, le=60)


class Evaluation(BaseModel):
    """One evaluation: the run that did it and what came out."""

    run_id: str
    """The evaluation's own run."""
    status: RunStatus
    reason: EndReason | None
    created_at: Any
    ended_at: Any
    episodes: int
    deterministic: bool
    summary: dict[str, Any] | None
    """core.evaluations.EvaluationSummary of what was played: once it has succeeded, or was stopped half way."""
    video: str | None
    """Artifact id of the MP4."""


@router.post("/runs/{run_id}/evaluations", operation_id="create_evaluation", status_code=202)
async def create_evaluation(run_id: RunId, new: NewEvaluation, lab: LabDep) -> Run:
    """Plays episodes with one checkpoint in a process of its own."""
    await lab.get_run(run_id)
    wanted = {**new.model_dump(), "episodes": _episodes(new)}
    return await lab.jobs.evaluate(EvaluateConfig(run_id=run_id, **wanted))


def _episodes(new: NewEvaluation) -> int:
    """As many as there are seeds; a number that says otherwise is a mistake nobody should have to guess about."""
    if not new.seeds:
        return new.episodes
    if "episodes" in new.model_fields_set and new.episodes != len(new.seeds):
        raise InvalidInput.of_field(
            "seeds",
            f"{len(new.seeds)} seeds are given for {new.episodes} episodes; each episode takes one.",
            {"length": new.episodes},
        )
    return len(new.seeds)


@router.get("/runs/{run_id}/evaluations", operation_id="list_evaluations")
async def list_evaluations(run_id: RunId, lab: LabDep) -> list[Evaluation]:
    """All evaluations of a training, newest first."""
    await lab.get_run(run_id)
    page = await lab.list_runs(RunFilter(kind="evaluate", parent_id=run_id), limit=100)
    return [await evaluation_of(lab, run) for run in page.items]


@router.get("/runs/{run_id}/evaluations/latest", operation_id="get_latest_evaluation")
async def get_latest_evaluation(run_id: RunId, lab: LabDep) -> Evaluation:
    """The newest evaluation that succeeded."""
    for evaluation in await list_evaluations(run_id, lab):
        if evaluation.status is RunStatus.succeeded:
            return evaluation
    raise NotFound("This run has not been evaluated yet.", next_step="POST to /evaluations, or press TEST.")


@router.post("/duels", operation_id="create_duel", status_code=202)
async def create_duel(new: NewDuel, lab: LabDep) -> Run:
    """Two or more checkpoints on the same seeds; belongs to the first one's run."""
    return await lab.jobs.duel(DuelConfig(**new.model_dump()))


@router.post("/runs/{run_id}/films", operation_id="create_film", status_code=202)
async def create_film(run_id: RunId, new: NewFilm, lab: LabDep) -> Run:
    """The training through its milestone episodes, captioned."""
    await lab.get_run(run_id)
    return await lab.jobs.film(FilmConfig(run_id=run_id, **new.model_dump()))


async def evaluation_of(lab: LabDep, run: Run) -> Evaluation:
    assert isinstance(run.config, EvaluateConfig)
    result = (run.summary.model_extra or {}).get("result")
    videos = [a for a in await lab.artifacts(run.id) if a.kind == "video"]
    return Evaluation(
        run_id=run.id,
        status=run.status,
        reason=run.reason,
        created_at=run.created_at,
        ended_at=run.ended_at,
        episodes=run.config.episodes,
        deterministic=run.config.deterministic,
        summary=result if result and "return_mean" in result else None,
        video=videos[0].id if videos else None,
    )
