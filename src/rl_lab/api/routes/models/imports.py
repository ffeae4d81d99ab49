"""Models of other people: files sent to the lab, what they hold, and the run that they become."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from rl_lab.api.deps import ID, ImportsDep
from rl_lab.core.models.imports import MAX_FILE_NAME, SHA256, ImportChoices, ImportPreview, ImportUpload
from rl_lab.core.runs import Run

router = APIRouter(prefix="/api/models/import", tags=["models"])

FILE: dict[str, Any] = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
Uploaded = Annotated[str, Path(pattern=ID, description="Id of the upload.")]


@router.post(
    "",
    operation_id="upload_model",
    status_code=201,
    openapi_extra={"requestBody": {"required": True, "content": FILE}},
)
async def upload_model(
    request: Request,
    imports: ImportsDep,
    name: Annotated[
        str, Query(max_length=MAX_FILE_NAME, description="Name of the file, or its path in the folder.")
    ],
    upload: Annotated[
        str | None, Query(pattern=ID, description="Id of the upload that this file belongs to.")
    ] = None,
    sha256: Annotated[
        str | None, Query(pattern=SHA256, description="What the file must be; another one is refused.")
    ] = None,
) -> ImportUpload:
    """Sends one file as the body, 2 GiB at most; a folder is sent file by file. Nothing is read or imported yet."""
    return await imports.uploads.receive(name, request.stream(), upload_id=upload, sha256=sha256)


@router.get("/{upload_id}", operation_id="preview_model")
async def preview_model(
    upload_id: Uploaded,
    imports: ImportsDep,
    algorithm: Annotated[
        str | None, Query(max_length=32, description="Where the file does not say which one it is.")
    ] = None,
) -> ImportPreview:
    """What the files hold, read as data in a confined process; nothing of them is executed."""
    return await imports.preview(upload_id, algorithm)


@router.post("/{upload_id}", operation_id="import_model", status_code=201)
async def import_model(upload_id: Uploaded, choices: ImportChoices, imports: ImportsDep) -> Run:
    """Makes a run with one checkpoint of the model. A program (TorchScript) needs `consent`: 428 without it."""
    return await imports.take_in(upload_id, choices)


@router.delete("/{upload_id}", operation_id="drop_model_upload", status_code=204)
async def drop_model_upload(upload_id: Uploaded, imports: ImportsDep) -> Response:
    """Forgets the files."""
    await imports.drop(upload_id)
    return Response(status_code=204)
