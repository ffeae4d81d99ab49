"""Adoptions: folders that other tools filled become runs, where they lie."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from rl_lab.api.deps import ID, AdoptionsDep
from rl_lab.core.adoption import AdoptRequest, AdoptResult

router = APIRouter(prefix="/api/adoptions", tags=["adoptions"])

AdoptionId = Annotated[str, Path(pattern=ID, description="Id of the adoption.")]


@router.post("", operation_id="create_adoption", status_code=202)
async def create_adoption(wanted: AdoptRequest, response: Response, adoptions: AdoptionsDep) -> AdoptResult:
    """Begins to adopt a folder of the lab's machine; what came of it so far is at `Location`."""
    result = await adoptions.adopt(wanted)
    response.headers["Location"] = f"/api/adoptions/{result.id}"
    return result


@router.get("", operation_id="list_adoptions")
async def list_adoptions(adoptions: AdoptionsDep) -> list[AdoptResult]:
    """Adoptions of this lab since it started and those it still follows, newest first."""
    return adoptions.results()


@router.get("/{adoption_id}", operation_id="get_adoption")
async def get_adoption(adoption_id: AdoptionId, adoptions: AdoptionsDep) -> AdoptResult:
    """What came of one adoption so far."""
    return adoptions.result(adoption_id)


@router.delete("/{adoption_id}", operation_id="stop_adoption")
async def stop_adoption(adoption_id: AdoptionId, adoptions: AdoptionsDep) -> AdoptResult:
    """Ends it: looks at no further file and follows the folder no longer. Runs that were made stay."""
    return await adoptions.stop(adoption_id)
