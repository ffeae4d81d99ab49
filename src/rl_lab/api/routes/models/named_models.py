"""Named models and their versions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from rl_lab.api.deps import ModelsDep
from rl_lab.core.models.checkpoints import CheckpointItem
from rl_lab.core.models.models import Model, ModelPatch, NewModel, NewVersion, VersionPatch

router = APIRouter(prefix="/api/models", tags=["models"])

Name = Annotated[str, Path(max_length=64, description="Name of the model.", examples=["lander"])]
Version = Annotated[int, Path(ge=1, le=2**31 - 1, description="Number of the version.", examples=[3])]


class ModelList(BaseModel):
    items: list[Model]


@router.get("", operation_id="list_models")
async def list_models(models: ModelsDep) -> ModelList:
    """All named models, the one changed last first."""
    return ModelList(items=await models.named.list_all())


@router.post(
    "",
    operation_id="create_model",
    status_code=201,
    responses={409: {"description": "The name is taken: add a version to it"}},
)
async def create_model(new: NewModel, models: ModelsDep) -> Model:
    """Gives a checkpoint a name; the lab keeps a copy of its file."""
    return await models.named.create(new)


@router.get("/{name}", operation_id="get_model")
async def get_model(name: Name, models: ModelsDep) -> Model:
    """A model with its versions, newest first."""
    return await models.named.get(name)


@router.patch("/{name}", operation_id="patch_model")
async def patch_model(name: Name, patch: ModelPatch, models: ModelsDep) -> Model:
    """Renames a model, or changes its note."""
    return await models.named.change(name, patch)


@router.delete("/{name}", operation_id="delete_model")
async def delete_model(name: Name, models: ModelsDep) -> Model:
    """Removes the name and the copies of its versions; checkpoints of runs stay. Returns what was removed."""
    return await models.named.remove(name)


@router.post("/{name}/versions", operation_id="add_model_version", status_code=201)
async def add_model_version(name: Name, new: NewVersion, models: ModelsDep) -> Model:
    """Makes a checkpoint the next version; labels that it is given are taken from other versions."""
    return await models.named.add_version(name, new)


@router.patch("/{name}/versions/{version}", operation_id="patch_model_version")
async def patch_model_version(name: Name, version: Version, patch: VersionPatch, models: ModelsDep) -> Model:
    """Changes labels or note of a version; labels that it is given are taken from other versions."""
    return await models.named.change_version(name, version, patch)


@router.delete("/{name}/versions/{version}", operation_id="delete_model_version")
async def delete_model_version(name: Name, version: Version, models: ModelsDep) -> Model:
    """Removes a version and its copy; the checkpoint stays with its run, if it is still there."""
    return await models.named.remove_version(name, version)


@router.post("/{name}/versions/{version}/checkpoint", operation_id="restore_model_checkpoint")
async def restore_model_checkpoint(name: Name, version: Version, models: ModelsDep) -> CheckpointItem:
    """The version as a checkpoint of its run, for jobs; copied there again if it was pruned or replaced."""
    return await models.named.bring_back(name, version)
