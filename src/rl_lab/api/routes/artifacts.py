"""Files a run made: their list, their bytes by id, never by path; pinning, renaming, tagging, deleting."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response

from rl_lab.api.deps import ArtifactId, HousekeepingDep, QueriesDep, RunId
from rl_lab.api.http.files import FileBytes, disposition
from rl_lab.core.disk.artifacts import Artifact, ArtifactPatch
from rl_lab.core.disk.download_names import download_name

router = APIRouter(prefix="/api", tags=["artifacts"])

INLINE = re.compile(r"video/(mp4|webm)|image/(png|jpeg|gif|webp)")
"""What a browser may show in place; anything else could be a page that runs scripts, and is downloaded."""
SANDBOX = "sandbox; default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'"
BYTES = {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}


@router.get("/runs/{run_id}/artifacts", operation_id="list_artifacts")
async def list_artifacts(run_id: RunId, queries: QueriesDep) -> list[Artifact]:
    """Every file the run made, newest first."""
    return await queries.artifacts(run_id)


@router.get(
    "/artifacts/{artifact_id}",
    operation_id="get_artifact",
    response_class=Response,
    responses={
        200: BYTES,
        206: {**BYTES, "description": "The part asked for with Range"},
        304: {"description": "Not changed since the ETag sent with If-None-Match"},
    },
)
@router.head("/artifacts/{artifact_id}", include_in_schema=False)
async def get_artifact(
    artifact_id: ArtifactId,
    request: Request,
    queries: QueriesDep,
    download: Annotated[bool, Query(description="Saved by a browser instead of shown.")] = False,
    range: Annotated[str | None, Header(max_length=200, description="One range: bytes=0-1023")] = None,
) -> Response:
    """The bytes of one file, named after its run; one Range a request, with ETag."""
    artifact, file = await queries.open_artifact(artifact_id)
    run = await queries.get_run(artifact.run_id)
    shown = INLINE.fullmatch(artifact.media_type) is not None
    return FileBytes(
        file,
        etag=artifact.sha256 or None,
        request=request,
        wanted=range,
        headers={
            "Content-Type": artifact.media_type if shown else "application/octet-stream",
            "Content-Disposition": disposition(download_name(run, artifact), inline=shown and not download),
            "Content-Security-Policy": SANDBOX,
            "Cache-Control": "private, no-cache",
        },
    )


@router.patch("/artifacts/{artifact_id}", operation_id="patch_artifact")
async def patch_artifact(
    artifact_id: ArtifactId, patch: ArtifactPatch, housekeeping: HousekeepingDep
) -> Artifact:
    """Pins, unpins, renames, tags or notes a file of a run.

    A tag or a note pins it. With the best checkpoint, which is replaced, the one of the same step is tagged.
    """
    return await housekeeping.artifacts.change(artifact_id, patch)


@router.delete(
    "/artifacts/{artifact_id}",
    operation_id="delete_artifact",
    responses={409: {"description": "The run is at work and may be writing it"}},
)
async def delete_artifact(artifact_id: ArtifactId, housekeeping: HousekeepingDep) -> Artifact:
    """Deletes a file for good; of an adopted run only its entry, the file stays where it lies."""
    return await housekeeping.artifacts.delete(artifact_id)
