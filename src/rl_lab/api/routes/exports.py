"""Models in the form of other libraries."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from rl_lab.api.deps import ClientDep, JobsDep, QueriesDep, RunId
from rl_lab.core.disk.artifacts import Artifact

router = APIRouter(prefix="/api/runs/{run_id}/exports", tags=["artifacts"])


class NewExport(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: Literal["sb3", "onnx"]
    checkpoint: str | None = Field(default=None, max_length=64)


@router.post("", operation_id="create_export", status_code=201)
async def create_export(
    run_id: RunId, new: NewExport, queries: QueriesDep, jobs: JobsDep, client: ClientDep
) -> Artifact:
    """A checkpoint as an SB3 `.zip` or an ONNX graph, where its runner can; a new file of the run."""
    await queries.get_run(run_id)
    return await client.waits_for(jobs.exports.export(run_id, new.format, new.checkpoint))
