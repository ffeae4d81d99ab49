"""Commands of foreign runs before they run, and the consents given to their files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from rl_lab.api.deps import ForeignDep, RunsDep
from rl_lab.core.commands import CommandPreview, Consent
from rl_lab.orchestrator.runs.requests import NewRun

router = APIRouter(prefix="/api", tags=["commands"])

Sha256 = Annotated[str, Path(pattern="^[0-9a-f]{64}$", description="Hash of the file's contents.")]


@router.post("/commands/preview", operation_id="preview_command")
async def preview_command(new: NewRun, runs: RunsDep) -> CommandPreview:
    """What a run of a script or program would execute, with which rights; nothing runs."""
    return await runs.preview_command(new)


@router.get("/consents", operation_id="list_consents")
async def list_consents(foreign: ForeignDep) -> list[Consent]:
    """Files somebody agreed to run, newest first."""
    return await foreign.consents.list()


@router.delete("/consents/{sha256}", operation_id="delete_consent", status_code=204, response_class=Response)
async def delete_consent(sha256: Sha256, foreign: ForeignDep) -> None:
    """Takes a consent back: the file is asked about again before its next run."""
    await foreign.consents.withdraw(sha256)
