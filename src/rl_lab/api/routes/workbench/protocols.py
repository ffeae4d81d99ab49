"""Evaluation protocols, and evaluation code tried on recorded episodes."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Response

from rl_lab.api.deps import ClientDep, WorkbenchDep
from rl_lab.core.workbench.evaluation_previews import EvaluationPreview, EvaluationPreviewQuestion
from rl_lab.core.workbench.protocols import NewProtocol, ProtocolVersion, SavedProtocol

router = APIRouter(prefix="/api", tags=["workbench"])

ProtocolPath = Annotated[str, Path(max_length=64, description="Its name.", examples=["standard-100"])]


@router.get("/protocols", operation_id="list_protocols")
async def list_protocols(workbench: WorkbenchDep) -> list[SavedProtocol]:
    """The one changed last first; those of the lab itself come last."""
    return await workbench.protocols.list()


@router.post("/protocols", operation_id="save_protocol", status_code=201)
async def save_protocol(new: NewProtocol, response: Response, workbench: WorkbenchDep) -> ProtocolVersion:
    """Saves a protocol as a new version; contents that this name has already make no new one."""
    saved = await workbench.protocols.save(new)
    response.headers["Location"] = f"/api/protocols/{quote(saved.name)}"
    return saved


@router.get("/protocols/{name}", operation_id="get_protocol")
async def get_protocol(name: ProtocolPath, workbench: WorkbenchDep) -> SavedProtocol:
    """One name with its versions, newest first."""
    return await workbench.protocols.get(name)


@router.delete("/protocols/{name}", operation_id="delete_protocol")
async def delete_protocol(name: ProtocolPath, workbench: WorkbenchDep) -> SavedProtocol:
    """Removes all versions. Returns what it was; scores that cite it stay as they are."""
    return await workbench.protocols.remove(name)


@router.post("/evaluation-codes/preview", operation_id="preview_evaluation_code")
async def preview_evaluation_code(
    asked: EvaluationPreviewQuestion, workbench: WorkbenchDep, client: ClientDep
) -> EvaluationPreview:
    """The numbers of evaluation code on recorded episodes, which are simulated again."""
    return await client.waits_for(workbench.evaluation_previews.preview(asked))
