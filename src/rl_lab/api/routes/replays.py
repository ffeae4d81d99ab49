"""A recorded episode: played for a viewer, as a table, as a video."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, WebSocket
from pydantic import BaseModel

from rl_lab.api.deps import ClientDep, EpisodeNumber, JobsDep, QueriesDep, RunId, ViewingDep
from rl_lab.api.streams.sockets import frame_socket, show_until_gone
from rl_lab.core.disk.artifacts import Artifact

router = APIRouter(prefix="/api/runs/{run_id}/episodes/{episode}", tags=["replays"])

VideoFormat = Literal["mp4", "gif"]
COMMANDS = frozenset({"play", "pause", "speed", "seek", "step"})


class EpisodeSteps(BaseModel):
    """A recorded episode step by step, as it comes out when it is played again."""

    exact: bool | None
    """Whether it came out as it was recorded; null when nobody can say."""
    note: str
    steps: list[dict[str, Any]]
    """From step 0 on: observation, the action that led here, reward, return, info and what the policy thought."""


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
    """Commands are JSON: {"op":"seek","step":n}, play (speed 0.25–16), pause, speed, step (by ±n).

    A command may carry a rising number `n`; frames and states return the last one carried out as `heard`.
    """
    commands: asyncio.Queue[dict[str, Any]] = asyncio.Queue(maxsize=256)

    async def on_command(command: dict[str, Any]) -> None:
        if command.get("op") in COMMANDS and not commands.full():
            commands.put_nowait(command)

    async with frame_socket(socket, on_command) as viewer:
        await queries.get_run(run_id)
        async with viewing.replay(run_id, episode, step) as renderer:
            forward = asyncio.create_task(_forward(commands, renderer.send))
            try:
                await show_until_gone(viewer, renderer)
            finally:
                forward.cancel()


async def _forward(commands: asyncio.Queue[dict[str, Any]], send: Any) -> None:
    """Of seeks that wait one after another only the last is worth drawing."""
    while True:
        command = await commands.get()
        while not commands.empty():
            later = commands.get_nowait()
            if (command["op"], later["op"]) != ("seek", "seek"):
                await send(_plain(command))
            command = later
        await send(_plain(command))


def _plain(command: dict[str, Any]) -> dict[str, Any]:
    """Only what a player reads, as numbers."""
    kept: dict[str, Any] = {"op": command["op"]}
    for name in ("step", "by", "speed", "n"):
        value = command.get(name)
        if isinstance(value, (int, float)) and abs(value) < 2**53:
            kept[name] = value
    if kept["op"] == "seek":
        kept.setdefault("step", 0)
    return kept
