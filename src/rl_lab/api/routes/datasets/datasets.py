"""Datasets and their versions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from rl_lab.api.deps import Cursor, DatasetsDep, Limit
from rl_lab.core.datasets.datasets import (
    Dataset,
    DatasetForecast,
    DatasetPatch,
    DatasetVersion,
    DatasetVersionPatch,
)
from rl_lab.core.datasets.operations import DatasetOptions
from rl_lab.store.datasets.datasets import DatasetFilter

router = APIRouter(prefix="/api/datasets", tags=["datasets"])

DatasetPath = Annotated[str, Path(max_length=64, description="Name of the dataset.", examples=["lander"])]
VersionPath = Annotated[int, Path(ge=1, le=2**31 - 1, description="Number of the version.", examples=[3])]


class DatasetPage(BaseModel):
    items: list[Dataset]
    next_cursor: str | None
    total: int


@router.get("", operation_id="list_datasets")
async def list_datasets(
    *,
    datasets: DatasetsDep,
    env_id: Annotated[str | None, Query(max_length=200)] = None,
    q: Annotated[
        str | None,
        Query(max_length=200, description="Words in the name, note, environment, source or licence."),
    ] = None,
    sort: Annotated[
        str,
        Query(
            max_length=40,
            description="updated_at, created_at, name, episodes, transitions, size or env_id; - reverses it.",
        ),
    ] = "-updated_at",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> DatasetPage:
    """A page of datasets, the one changed last first unless told otherwise."""
    page = await datasets.list_page(DatasetFilter(env_id=env_id, q=q), sort, limit, cursor)
    return DatasetPage(items=page.items, next_cursor=page.next_cursor, total=page.total)


@router.post("/forecast", operation_id="forecast_dataset")
async def forecast_dataset(options: DatasetOptions, datasets: DatasetsDep) -> DatasetForecast:
    """What a job would need: episodes, bytes, time, and why it could not start. Nothing is started."""
    return await datasets.forecast(options.operation)


@router.get("/{name}", operation_id="get_dataset")
async def get_dataset(name: DatasetPath, datasets: DatasetsDep) -> Dataset:
    """A dataset with its versions, newest first."""
    return await datasets.get(name)


@router.patch("/{name}", operation_id="patch_dataset")
async def patch_dataset(name: DatasetPath, patch: DatasetPatch, datasets: DatasetsDep) -> Dataset:
    """Renames a dataset, changes its note, or how many of its versions are kept."""
    return await datasets.change(name, patch)


@router.delete("/{name}", operation_id="delete_dataset")
async def delete_dataset(name: DatasetPath, datasets: DatasetsDep) -> Dataset:
    """Removes a dataset with all its files. Returns what it was, and how many trainings learned from it."""
    return await datasets.remove(name)


@router.get("/{name}/versions/{version}", operation_id="get_dataset_version")
async def get_dataset_version(
    name: DatasetPath, version: VersionPath, datasets: DatasetsDep
) -> DatasetVersion:
    """One version: spaces, statistics, integrity, verification."""
    return await datasets.get_version(name, version)


@router.patch("/{name}/versions/{version}", operation_id="patch_dataset_version")
async def patch_dataset_version(
    name: DatasetPath, version: VersionPath, patch: DatasetVersionPatch, datasets: DatasetsDep
) -> DatasetVersion:
    """Pins a version, or changes its licence or source."""
    return await datasets.change_version(name, version, patch)


@router.delete("/{name}/versions/{version}", operation_id="delete_dataset_version")
async def delete_dataset_version(
    name: DatasetPath, version: VersionPath, datasets: DatasetsDep
) -> DatasetVersion:
    """Removes a version and its files. Returns what was removed, and how many trainings learned from it."""
    return await datasets.remove_version(name, version)
