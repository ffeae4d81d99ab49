"""A recorded episode: played for a viewer, as a table, as a video."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, WebSocket
from pydantic import BaseModel

from rl_lab.api.deps import ClientDep, EpisodeNumber, JobsDep, QueriesDep, RunId, ViewingDep
from rl_lab.api.streams.replay_sockets import replay_on
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.orchestrator.viewing.renderers import Renderer

router = APIRouter(prefix="/api/runs/{run_id}/episodes/{episode}", tags=["replays"])

VideoFormat = Literal["mp4", "gif"]


class EpisodeSteps(BaseModel):
    """A recorded episode step by step, as it comes out when it is played again."""

    exact: bool | None
    """Whether it came out as it was recorded; null when nobody can say."""
    note: str
    steps: list[dict[str, Any]]
    """From step 0 on: observation, the action that led here, reward, return, info and what the policy thought; for a
    run with a reward of one's own also `own_reward`, `own_return` and `own_terms`."""
    own_name: str = ""
    """The user's reward that the run learned from; empty where that is the environment's."""
    own_note: str = ""
    """Why it could not be computed; else empty."""


@router.get("/steps", operation_id="list_episode_steps")
async def list_episode_steps(
    run_id: RunId, episode: EpisodeNumber, queries: QueriesDep, viewing: ViewingDep, client: ClientDep
) -> EpisodeSteps:
    """The whole episode as a table; it is played again for it, which takes a few seconds."""
    await queries.get_run(run_id)
    return EpisodeSteps.model_validate(await client.waits_for(viewing.steps(run_id, episode)))


@router.post("/video", operation_id="create_episode_video", status_code=201)
async def create_episode_video(
    *,
    run_id: RunId,
    episode: EpisodeNumber,
    queries: QueriesDep,
    jobs: JobsDep,
    client: ClientDep,
    format: Annotated[VideoFormat, Query(description="What is written.")] = "mp4",
) -> Artifact:
    """The whole episode as an MP4 or an animated GIF, kept with the run."""
    await queries.get_run(run_id)
    return await client.waits_for(jobs.film_episode(run_id, episode, format))


@router.websocket("/replay")
async def replay(
    *,
    socket: WebSocket,
    run_id: str,
    episode: int,
    queries: QueriesDep,
    viewing: ViewingDep,
    step: Annotated[int, Query(ge=0, le=2**53)] = 0,
) -> None:
    """Commands and frames are those of `api/streams/replay_sockets.py`."""

    @asynccontextmanager
    async def open_renderer() -> AsyncIterator[Renderer]:
        await queries.get_run(run_id)
        async with viewing.replay(run_id, episode, step) as renderer:
            yield renderer

    await replay_on(socket, open_renderer)
