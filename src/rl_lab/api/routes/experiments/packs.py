"""Packs: runs and studies as one file, and such files brought into this lab."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from rl_lab.api.deps import ID, PacksDep, RunId
from rl_lab.api.http.bodies import announced_bytes
from rl_lab.api.http.files import disposition
from rl_lab.core.reproduction.packs import CheckpointChoice, PackId, PackImport, PackPreview
from rl_lab.core.words.file_names import plain
from rl_lab.orchestrator.experiments.exports import Export

router = APIRouter(prefix="/api", tags=["packs"])

ZIP: dict[str, Any] = {"application/zip": {"schema": {"type": "string", "format": "binary"}}}
FILES: dict[int | str, dict[str, Any]] = {200: {"content": ZIP}}
Checkpoints = Annotated[
    CheckpointChoice,
    Query(description="Which checkpoints it holds: the best (else the newest), all, or none."),
]
Uploaded = Annotated[str, Path(pattern=ID, description="Id of the uploaded pack.")]


class PackQuery(BaseModel):
    """Which runs and studies a pack holds."""

    model_config = ConfigDict(extra="forbid")

    runs: list[PackId] = Field(default=[], max_length=1000)
    studies: list[PackId] = Field(default=[], max_length=100)
    checkpoints: CheckpointChoice = "best"


@router.get("/runs/{run_id}/pack", operation_id="get_run_pack", response_class=Response, responses=FILES)
async def get_run_pack(run_id: RunId, packs: PacksDep, checkpoints: Checkpoints = "best") -> Response:
    """An ended run with all that is needed to look at it and to run it again elsewhere."""
    return _answer(await packs.make([run_id], [], checkpoints))


@router.get(
    "/studies/{study_id}/pack", operation_id="get_study_pack", response_class=Response, responses=FILES
)
async def get_study_pack(
    study_id: Annotated[str, Path(pattern=ID, description="Id of the study.")],
    packs: PacksDep,
    checkpoints: Checkpoints = "best",
) -> Response:
    """A study with its variants and all its runs."""
    return _answer(await packs.make([], [study_id], checkpoints))


@router.get("/packs", operation_id="get_pack", response_class=Response, responses=FILES)
async def get_pack(wanted: Annotated[PackQuery, Query()], packs: PacksDep) -> Response:
    """Several runs and studies in one pack."""
    return _answer(await packs.make(wanted.runs, wanted.studies, wanted.checkpoints))


@router.post(
    "/packs",
    operation_id="upload_pack",
    status_code=201,
    openapi_extra={"requestBody": {"required": True, "content": ZIP}},
)
async def upload_pack(
    request: Request,
    packs: PacksDep,
    name: Annotated[str, Query(max_length=300, description="Name of the file.")] = "pack.zip",
) -> PackPreview:
    """Sends a pack as the body. All of it is checked; nothing is imported yet, and the answer says what is inside."""
    shown = plain(name) or "pack.zip"
    return await packs.receive(shown, request.stream(), announced_bytes(request.headers))


@router.post("/packs/{pack_id}/import", operation_id="import_pack", status_code=201)
async def import_pack(pack_id: Uploaded, packs: PacksDep) -> PackImport:
    """Imports an uploaded pack: all of its runs and studies, or nothing. Nothing in it is executed or approved."""
    return await packs.take_in(pack_id)


@router.delete("/packs/{pack_id}", operation_id="drop_pack", status_code=204)
async def drop_pack(pack_id: Uploaded, packs: PacksDep) -> Response:
    """Forgets an uploaded pack."""
    await packs.drop(pack_id)
    return Response(status_code=204)


def _answer(pack: Export) -> Response:
    headers = {"Content-Disposition": disposition(pack.name)}
    return StreamingResponse(pack.chunks, media_type=pack.media_type, headers=headers)
