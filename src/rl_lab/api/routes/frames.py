"""The live feed of a run, or the best episode of an ended one in a loop; clips of what was shown."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import APIRouter, Query, WebSocket
from pydantic import BaseModel, ConfigDict, Field

from rl_lab.api.deps import ID, ClientDep, EpisodesDep, QueriesDep, RunId, SettingsDep, ViewingDep
from rl_lab.api.streams.sockets import FrameSocket, frame_socket
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import NotReady
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import FINAL, Run
from rl_lab.orchestrator.viewing.live_feed import FrameFeed
from rl_lab.settings import Settings

router = APIRouter(prefix="/api/runs/{run_id}", tags=["frames"])


class NewClip(BaseModel):
    model_config = ConfigDict(extra="forbid")

    seconds: float = Field(default=10.0, gt=0, le=120)


@router.post("/clips", operation_id="create_clip", status_code=201)
async def create_clip(run_id: RunId, new: NewClip, viewing: ViewingDep, client: ClientDep) -> Artifact:
    """The last seconds of what viewers of this run were shown, as an MP4 of at most 200 frames."""
    return await client.waits_for(viewing.create_clip(run_id, new.seconds))


@router.websocket("/frames")
async def frames(
    *,
    socket: WebSocket,
    run_id: str,
    queries: QueriesDep,
    episodes: EpisodesDep,
    viewing: ViewingDep,
    settings: SettingsDep,
    fps: Annotated[int | None, Query(ge=1, le=60)] = None,
) -> None:
    """Binary messages: uint32 length of the header, JSON header, JPEG. Answer each with the text `ack`.

    A run that works shows its newest episode (`source` is `live`), an ended one loops its best (`best`); the command
    {"op":"restart"} begins the loop again.
    """
    feeds: list[FrameFeed] = []

    async def on_command(command: dict[str, Any]) -> None:
        for feed in feeds:
            if command.get("op") == "restart":
                await feed.restart()

    async with frame_socket(socket, on_command) as viewer:
        run = await queries.get_run(run_id if _is_id(run_id) else "-")
        require_pictures(run)
        if run.status in FINAL:
            await episodes.best(run.id)  # raises when none was recorded
        async with viewing.watch(run.id, frame_rate(settings, run, fps)) as feed:
            feeds.append(feed)
            await _send_newest(viewer, feed)


def frame_rate(settings: Settings, run: Run, asked: int | None) -> float:
    usual = settings.frames_per_second if run.kind == "train" else settings.evaluation_frames_per_second
    if usual == 0:
        raise NotReady(
            "The live feed is turned off.",
            next_step="Set RL_LAB_FRAMES_PER_SECOND to 15 and start the lab again.",
        )
    if isinstance(run.config, TrainConfig) and not run.config.feed and run.status not in FINAL:
        raise NotReady(
            "This run was started without a live feed.",
            next_step="Its episodes can be replayed, and its best one is shown here when it has ended.",
        )
    return float(asked or usual)


def require_pictures(run: Run) -> None:
    """NotReady for a run that was only read from a folder."""
    if run.source is not None:
        raise NotReady(
            "An adopted run consists of numbers; there are no pictures of it.",
            next_step="Its curves are on its page and in GET /api/runs/{run_id}/metrics.",
        )


async def _send_newest(viewer: FrameSocket, feed: FrameFeed) -> None:
    """A new viewer gets the last frame at once. One event per viewer keeps fifty viewers cheap."""
    seq = feed.seq - 1 if feed.frame is not None else feed.seq
    with feed.waking(viewer.wake):
        while not viewer.gone.is_set():
            if feed.problem is not None:
                raise feed.problem
            if feed.frame is not None and feed.seq > seq and viewer.credits > 0:
                seq = feed.seq
                viewer.credits -= 1
                await viewer.send(feed.frame)
            else:
                viewer.wake.clear()
                await viewer.wake.wait()


def _is_id(text: str) -> bool:
    return re.fullmatch(ID, text) is not None
