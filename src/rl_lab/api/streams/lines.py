"""Streams of single steps and episodes: read from the store page by page, woken by the run's ticks.

A page is read only after the one before it was sent, so a slow reader holds one page in memory and loses nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Literal, NamedTuple

from rl_lab.api.streams.feeds import Hub, encode, sse_frame
from rl_lab.api.streams.sse import HEARTBEAT, EventStream, Viewer
from rl_lab.core.runs import FINAL, Run
from rl_lab.orchestrator.bus import metrics_topic, status_topic
from rl_lab.orchestrator.runs.queries import RunQueries

STEPS_PER_READ = 500
LOOK_AGAIN_S = 0.5
"""Steps come without ticks, so a reader of a live run looks again after this time."""


class LinePage(NamedTuple):
    frames: list[bytes]
    cursor: int
    """Where the next page begins."""


Read = Callable[[RunQueries, str, int], Awaitable[LinePage]]


async def read_steps(queries: RunQueries, run_id: str, after: int) -> LinePage:
    found = await queries.steps_after(run_id, after, STEPS_PER_READ)
    frames = [sse_frame("step", encode(step), cursor) for cursor, step in found]
    return LinePage(frames, found[-1][0] if found else after)


async def read_episodes(queries: RunQueries, run_id: str, after: int) -> LinePage:
    found, position = await queries.episode_lines(run_id, after)
    return LinePage([sse_frame("episode", line, cursor) for cursor, line in found], position)


async def read_adopted_episodes(queries: RunQueries, run_id: str, after: int) -> LinePage:
    found = await queries.adopted_episode_lines(run_id, after)
    frames = [sse_frame("episode", line, cursor) for cursor, line in found]
    return LinePage(frames, found[-1][0] if found else after)


READERS: dict[Literal["steps", "episodes"], Read] = {"steps": read_steps, "episodes": read_episodes}


async def stream_lines(
    kind: Literal["steps", "episodes"], queries: RunQueries, hub: Hub, run_id: str, after: int
) -> EventStream:
    """The response; NotFound for an unknown run before it begins."""
    run = await queries.get_run(run_id)
    is_adopted = kind == "episodes" and run.source is not None
    read = read_adopted_episodes if is_adopted else READERS[kind]
    return EventStream(hub, partial(line_frames, read, queries, run, after))


async def line_frames(
    read: Read, queries: RunQueries, run: Run, cursor: int, viewer: Viewer
) -> AsyncIterator[bytes]:
    """Everything after `cursor`, then what comes; `end` once the run has ended and all is sent."""
    joined = [viewer.hub.join(topic(run.id), viewer.changed) for topic in (metrics_topic, status_topic)]
    try:
        while not viewer.gone:
            # Asked before the read: what a run wrote before its end is then read, too.
            run = await queries.get_run(run.id)
            page = await read(queries, run.id, cursor)
            is_moving, cursor = page.cursor > cursor, page.cursor
            if page.frames:
                yield b"".join(page.frames)
            elif not is_moving and _has_ended(run):
                yield sse_frame("end", encode({"status": run.status, "reason": run.reason}))
                return
            elif not is_moving and await _rest(viewer):
                yield HEARTBEAT
    finally:
        for feed in joined:
            viewer.hub.leave(feed, viewer.changed)


async def _rest(viewer: Viewer) -> bool:
    """Waits for news, or a moment; True when a heartbeat is due."""
    try:
        return not await asyncio.wait_for(viewer.wait(), LOOK_AGAIN_S)
    except TimeoutError:
        return False


def _has_ended(run: Run) -> bool:
    return run.status in FINAL or run.deleted_at is not None
