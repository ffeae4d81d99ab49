"""Pushes to the Hugging Face Hub: started, polled, cancelled."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from rl_lab.api.deps import ModelsDep
from rl_lab.core.models.transfers import NewPush, Transfer, TransferList

router = APIRouter(prefix="/api/pushes", tags=["models"])

TransferId = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$", description="Id of the push.")]


@router.post("", operation_id="create_push", status_code=202)
async def create_push(new: NewPush, models: ModelsDep) -> Transfer:
    """Packages a checkpoint and pushes it; the token is the one that huggingface_hub keeps on this machine."""
    return await models.pushes.start(new)


@router.get("", operation_id="list_pushes")
async def list_pushes(models: ModelsDep) -> TransferList:
    """Newest first, including those that ended."""
    return TransferList(items=models.transfers.list_all("push"))


@router.get("/{transfer_id}", operation_id="get_push")
async def get_push(transfer_id: TransferId, models: ModelsDep) -> Transfer:
    """How far it is, or how it ended."""
    return models.transfers.get("push", transfer_id)


@router.delete("/{transfer_id}", operation_id="cancel_push")
async def cancel_push(transfer_id: TransferId, models: ModelsDep) -> Transfer:
    """Ends it; before its commit the repository is unchanged. One that ended before is forgotten."""
    return await models.transfers.stop("push", transfer_id)
