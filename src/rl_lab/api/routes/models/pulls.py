"""Pulls from the Hugging Face Hub: started, polled, cancelled."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from rl_lab.api.deps import ModelsDep
from rl_lab.core.models.transfers import NewPull, Transfer, TransferList

router = APIRouter(prefix="/api/pulls", tags=["models"])

TransferId = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$", description="Id of the pull.")]


@router.post("", operation_id="create_pull", status_code=202)
async def create_pull(new: NewPull, models: ModelsDep) -> Transfer:
    """Downloads a repository's model files; when it is done, `upload` names what can be imported."""
    return models.pulls.start(new)


@router.get("", operation_id="list_pulls")
async def list_pulls(models: ModelsDep) -> TransferList:
    """Newest first, including those that ended."""
    return TransferList(items=models.transfers.list_all("pull"))


@router.get("/{transfer_id}", operation_id="get_pull")
async def get_pull(transfer_id: TransferId, models: ModelsDep) -> Transfer:
    """How far it is, or how it ended."""
    return models.transfers.get("pull", transfer_id)


@router.delete("/{transfer_id}", operation_id="cancel_pull")
async def cancel_pull(transfer_id: TransferId, models: ModelsDep) -> Transfer:
    """Ends it, or forgets one that has ended; whole files that were received stay in huggingface_hub's cache."""
    return await models.transfers.stop("pull", transfer_id)
