"""The episodes of a version: listed, and watched."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, WebSocket
from pydantic import BaseModel

from rl_lab.api.deps import DatasetsDep, Limit, ViewingDep
from rl_lab.api.routes.datasets.datasets import DatasetPath, VersionPath
from rl_lab.api.streams.replay_sockets import replay_on
from rl_lab.core.datasets.datasets import DatasetEpisode
from rl_lab.orchestrator.datasets.version_episodes import EpisodeRange, EpisodeSort

router = APIRouter(prefix="/api/datasets/{name}/versions/{version}/episodes", tags=["datasets"])

Number = Annotated[float | None, Query(allow_inf_nan=False)]
Count = Annotated[int | None, Query(ge=1, le=2**53)]


class DatasetEpisodePage(BaseModel):
    items: list[DatasetEpisode]
    total: int
    """Episodes that fulfil the conditions, on all pages."""


@router.get("", operation_id="list_dataset_episodes")
async def list_dataset_episodes(
    *,
    name: DatasetPath,
    version: VersionPath,
    datasets: DatasetsDep,
    return_min: Number = None,
    return_max: Number = None,
    length_min: Count = None,
    length_max: Count = None,
    seeded: Annotated[
        bool | None, Query(description="Only episodes whose seed is known, or only others.")
    ] = None,
    sort: EpisodeSort = "episode",
    offset: Annotated[int, Query(ge=0, le=2**53, description="How many are skipped.")] = 0,
    limit: Limit = 50,
) -> DatasetEpisodePage:
    """A page of the version's episodes."""
    wanted = EpisodeRange(return_min, return_max, length_min, length_max, seeded)
    page = slice(offset, offset + limit)
    found = await datasets.list_episodes(name, version, wanted, sort, page)
    return DatasetEpisodePage(items=found.items, total=found.total)


@router.websocket("/{episode}/replay")
async def replay_dataset_episode(
    *,
    socket: WebSocket,
    name: str,
    version: int,
    episode: int,
    datasets: DatasetsDep,
    viewing: ViewingDep,
    step: Annotated[int, Query(ge=0, le=2**53)] = 0,
) -> None:
    """The same messages as the replay of a recorded episode; closes with the reason where that is not possible."""
    await replay_on(socket, lambda: datasets.replay(viewing, name, version, episode, step))
