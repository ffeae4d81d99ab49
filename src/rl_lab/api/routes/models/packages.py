"""Packages: a checkpoint as one zip with model, card, configuration, licence and an example."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from rl_lab.api.deps import ARTIFACT_ID, ClientDep, ModelsDep
from rl_lab.api.http.files import FileBytes, disposition
from rl_lab.api.routes.models.named_models import Name, Version
from rl_lab.core.errors import NotReady
from rl_lab.core.models.packages import PackageChoices, PackagePreview

router = APIRouter(prefix="/api", tags=["models"])

ZIP: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}
}
CheckpointId = Annotated[str, Path(pattern=ARTIFACT_ID, description="Artifact id of the checkpoint.")]
Choices = Annotated[PackageChoices, Query()]


@router.get(
    "/checkpoints/{checkpoint_id}/package", operation_id="get_package", response_class=Response, responses=ZIP
)
async def get_package(
    checkpoint_id: CheckpointId, choices: Choices, models: ModelsDep, client: ClientDep, request: Request
) -> Response:
    """The model with everything that is needed to use it without RL Lab; the same bytes each time."""
    name, file = await client.waits_for(models.packages.make(checkpoint_id, choices))
    headers = {"Content-Type": "application/zip", "Content-Disposition": disposition(name)}
    return FileBytes(file, request=request, wanted=None, headers=headers)


@router.get("/checkpoints/{checkpoint_id}/card", operation_id="get_card")
async def get_card(
    checkpoint_id: CheckpointId, choices: Choices, models: ModelsDep, client: ClientDep
) -> PackagePreview:
    """The card of a checkpoint and the files of its package."""
    return await client.waits_for(models.packages.preview(checkpoint_id, choices))


@router.get(
    "/models/{name}/versions/{version}/package",
    operation_id="get_version_package",
    response_class=Response,
    responses=ZIP,
)
async def get_version_package(
    *,
    name: Name,
    version: Version,
    choices: Choices,
    models: ModelsDep,
    client: ClientDep,
    request: Request,
) -> Response:
    """A version of a named model as a package."""
    found, _ = await models.named.find_file(name, version)
    if found.checkpoint is None:
        raise NotReady(
            f"The checkpoint of {name} v{version} is not with its run any more.",
            next_step=f"Bring it back: `rl-lab download '{name}@v{version}'` does, or POST …/checkpoint.",
        )
    return await get_package(found.checkpoint.id, choices, models, client, request)
