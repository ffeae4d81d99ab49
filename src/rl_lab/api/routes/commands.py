"""Commands of foreign runs before they run, and the consents given to their files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from rl_lab.api.deps import LabDep
from rl_lab.core.commands import CommandPreview, Consent
from rl_lab.orchestrator.lab import NewRun

router = APIRouter(prefix="/api", tags=["commands"])

Sha256 = Annotated[str, Path(pattern="^[0-9a-f]{64}$", description="Hash of the file's contents.")]


@router.post("/commands/preview", operation_id="preview_command")
async def preview_command(new: NewRun, lab: LabDep) -> CommandPreview:
    """What a run of a script or program would execute, with which rights; nothing runs."""
    return await lab.preview_command(new)


@router.get("/consents", operation_id="list_consents")
async def list_consents(lab: LabDep) -> list[Consent]:
    """Files somebody agreed to run, newest first."""
    return await lab.commands.list_consents()


@router.delete("/consents/{sha256}", operation_id="delete_consent", status_code=204, response_class=Response)
async def delete_consent(sha256: Sha256, lab: LabDep) -> None:
    """Takes a consent back: the file is asked about again before its next run."""
    await lab.commands.withdraw_consent(sha256)
