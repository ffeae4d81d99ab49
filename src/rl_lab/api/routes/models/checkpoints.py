"""The checkpoints of all runs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from rl_lab.api.deps import ARTIFACT_ID, ID, Cursor, Limit, ModelsDep
from rl_lab.core.models.checkpoints import (
    CheckpointChoices,
    CheckpointDetail,
    CheckpointPage,
    CheckpointSort,
    SortOrder,
)
from rl_lab.store.models.checkpoint_pages import CheckpointFilter
from rl_lab.store.sql.cursors import Sort

router = APIRouter(prefix="/api/checkpoints", tags=["models"])

CheckpointId = Annotated[str, Path(pattern=ARTIFACT_ID, description="Artifact id of the checkpoint.")]
Text = Annotated[str | None, Query(max_length=200)]


@router.get("", operation_id="list_checkpoints")
async def list_checkpoints(
    *,
    models: ModelsDep,
    env_id: Text = None,
    algorithm: Text = None,
    runner: Text = None,
    run_id: Annotated[str | None, Query(pattern=ID)] = None,
    role: Annotated[str | None, Query(max_length=32, description="best, interval, stop, final")] = None,
    tag: Annotated[str | None, Query(max_length=64, description="Tag of the checkpoint.")] = None,
    q: Annotated[
        str | None,
        Query(
            max_length=200,
            description="Words in the run's name, environment, algorithm or tags, or in the checkpoint's note, tags, "
            "hash or names.",
        ),
    ] = None,
    min_score: Annotated[float | None, Query(allow_inf_nan=False)] = None,
    named: Annotated[bool | None, Query(description="Only versions of named models, or all others.")] = None,
    acts_live: Annotated[
        bool, Query(description="Only those that can act on a stage or in a play of their environment.")
    ] = False,
    sort: CheckpointSort = "created_at",
    order: SortOrder = "desc",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> CheckpointPage:
    """The checkpoints of all runs, also of archived ones; not of deleted ones."""
    wanted = CheckpointFilter(
        env_id=env_id,
        algorithm=algorithm,
        runner=runner,
        run_id=run_id,
        role=role,
        tag=tag,
        q=q,
        min_score=min_score,
        named=named,
        acts_live=acts_live,
    )
    how = Sort(sort, descending=order == "desc")
    return await models.checkpoints.find_page(wanted, how, limit=limit, cursor=cursor)


@router.get("/choices", operation_id="list_checkpoint_choices")
async def list_checkpoint_choices(models: ModelsDep) -> CheckpointChoices:
    """The environments, algorithms and tags that the list can be filtered by."""
    return await models.checkpoints.find_choices()


@router.get("/{checkpoint_id}", operation_id="get_checkpoint")
async def get_checkpoint(checkpoint_id: CheckpointId, models: ModelsDep) -> CheckpointDetail:
    """One checkpoint with the configuration that trained it."""
    return await models.checkpoints.get(checkpoint_id)
