"""TensorBoard next to the lab, event files for it, and the way to a run's page at W&B."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from rl_lab.api.deps import ID, DashboardsDep, QueriesDep, RunId
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.tensorboards import Tensorboard, TensorboardOffer, WandbLink

router = APIRouter(prefix="/api", tags=["tensorboards"])

MAX_RUNS = 50
TensorboardId = Annotated[str, Path(pattern=ID, description="Id of the TensorBoard.")]


class NewTensorboard(BaseModel):
    model_config = ConfigDict(extra="forbid")

    run_ids: list[Annotated[str, Field(pattern=ID)]] = Field(min_length=1, max_length=MAX_RUNS)


@router.get("/runs/{run_id}/tensorboard", operation_id="get_run_tensorboard")
async def get_run_tensorboard(run_id: RunId, dashboards: DashboardsDep) -> TensorboardOffer:
    """Whether the run can be opened in TensorBoard, and why not."""
    return await dashboards.tensorboards.offer(run_id)


@router.post("/runs/{run_id}/tensorboard", operation_id="export_tensorboard", status_code=201)
async def export_tensorboard(run_id: RunId, queries: QueriesDep, dashboards: DashboardsDep) -> Artifact:
    """Every series as TensorBoard event files in the run's folder; again = what is new is added."""
    return await dashboards.event_exports.export(await queries.get_run(run_id))


@router.post("/tensorboards", operation_id="open_tensorboard", status_code=202)
async def open_tensorboard(new: NewTensorboard, dashboards: DashboardsDep) -> Tensorboard:
    """Starts TensorBoard for these runs; the same runs again give the same one. Ask for it until it is `ready`."""
    return await dashboards.tensorboards.open(new.run_ids)


@router.get("/tensorboards", operation_id="list_tensorboards")
async def list_tensorboards(dashboards: DashboardsDep) -> list[Tensorboard]:
    """Newest first; those that ended say why."""
    return dashboards.tensorboards.all()


@router.get("/tensorboards/{tensorboard_id}", operation_id="get_tensorboard")
async def get_tensorboard(tensorboard_id: TensorboardId, dashboards: DashboardsDep) -> Tensorboard:
    """Its state, and its address once it is `ready`."""
    return dashboards.tensorboards.get(tensorboard_id)


@router.delete("/tensorboards/{tensorboard_id}", operation_id="stop_tensorboard")
async def stop_tensorboard(tensorboard_id: TensorboardId, dashboards: DashboardsDep) -> Tensorboard:
    """Ends its process; the event files stay."""
    return await dashboards.tensorboards.stop(tensorboard_id)


@router.get("/runs/{run_id}/wandb", operation_id="get_run_wandb")
async def get_run_wandb(run_id: RunId, dashboards: DashboardsDep) -> WandbLink:
    """The run's page at W&B, or why there is none and how to get one."""
    return await dashboards.wandb_links.link(run_id)
