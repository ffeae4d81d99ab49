"""Files that are sent to the lab to become datasets, in one piece or in several."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from rl_lab.api.deps import ID, DatasetsDep
from rl_lab.core.datasets.uploads import MAX_NAME, DatasetUpload
from rl_lab.core.errors import InvalidInput

router = APIRouter(prefix="/api/datasets/uploads", tags=["datasets"])

MAX_SIZE = 1 << 50
FILE: dict[str, Any] = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
Uploaded = Annotated[str, Path(pattern=ID, description="Id of the upload.")]


@router.post(
    "",
    operation_id="upload_dataset",
    status_code=201,
    openapi_extra={"requestBody": {"required": True, "content": FILE}},
)
async def upload_dataset(
    *,
    request: Request,
    datasets: DatasetsDep,
    name: Annotated[str, Query(max_length=MAX_NAME, description="Name of the file; of a new upload.")] = "",
    size: Annotated[
        int | None, Query(ge=1, le=MAX_SIZE, description="Bytes of the whole file; of a new upload.")
    ] = None,
    upload: Annotated[str | None, Query(pattern=ID, description="Id of the upload to continue.")] = None,
    offset: Annotated[int, Query(ge=0, description="First byte of this piece in the file.")] = 0,
) -> DatasetUpload:
    """Sends a file, or the next piece of one, as the body. What arrives before the connection breaks is kept;
    `received` says where to continue. Nothing is read or imported yet: start a job with the id."""
    if upload is not None:
        return await datasets.uploads.receive(upload, offset, request.stream())
    if size is None:
        raise InvalidInput.of_field("size", "is needed for a new upload: the bytes of the whole file")
    return await datasets.uploads.begin(name, size, request.stream())


@router.get("", operation_id="list_dataset_uploads")
async def list_dataset_uploads(datasets: DatasetsDep) -> list[DatasetUpload]:
    """Files that have arrived, whole or in part, and are not imported yet; the newest first."""
    return await datasets.uploads.list_all()


@router.get("/{upload_id}", operation_id="get_dataset_upload")
async def get_dataset_upload(upload_id: Uploaded, datasets: DatasetsDep) -> DatasetUpload:
    """How much of a file has arrived."""
    return datasets.uploads.get(upload_id)


@router.delete("/{upload_id}", operation_id="drop_dataset_upload", status_code=204)
async def drop_dataset_upload(upload_id: Uploaded, datasets: DatasetsDep) -> Response:
    """Forgets a file."""
    await datasets.uploads.drop(upload_id)
    return Response(status_code=204)
