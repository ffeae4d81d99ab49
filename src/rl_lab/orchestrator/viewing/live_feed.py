"""The live feed of a run: drawn once, in one process, for all its viewers; the newest frame wins.

A feed starts its renderer when the first viewer comes and ends it after the last has left. It looks for the
newest recorded episode (also one still being played) a few times a second and hands it to the renderer.
Where an environment does not repeat itself there is no renderer: its worker draws (worker_frames.py).
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import msgspec

from rl_lab.core.episodes import Recording
from rl_lab.core.errors import LabError
from rl_lab.orchestrator.viewing.renderers import Renderer, Renderers
from rl_lab.orchestrator.viewing.worker_drawn_feed import WorkerFrames

LOOK_S = 0.12
CLIP_FRAMES = 200
"""Frames a feed remembers for RECORD."""

NewestRecording = Callable[[str], Awaitable[Recording | None]]


class FrameFeed:
    """One run's slot for the newest frame."""

    def __init__(self) -> None:
        self.viewers = 0
        self.seq = 0
        self.frame: bytes | None = None
        self.problem: LabError | None = None
        self.recent: deque[tuple[float, bytes]] = deque(maxlen=CLIP_FRAMES)
        self._waiting: set[asyncio.Event] = set()

    def put(self, frame: bytes) -> None:
        self.frame, self.seq = frame, self.seq + 1
        self.recent.append((time.monotonic(), frame))
        self._wake()

    def fail(self, problem: LabError) -> None:
        self.problem = problem
        self._wake()

    @contextlib.contextmanager
    def waking(self, event: asyncio.Event) -> Iterator[None]:
        """Sets the event whenever there is a newer frame, or a problem."""
        self._waiting.add(event)
        try:
            yield
        finally:
            self._waiting.discard(event)

    def _wake(self) -> None:
        for event in self._waiting:
            event.set()


class FrameFeeds:
    """All live feeds somebody looks at."""

    def __init__(self, renderers: Renderers, newest: NewestRecording, worker_frames: WorkerFrames) -> None:
        self._renderers = renderers
        self._newest = newest
        self._worker_frames = worker_frames
        self._feeds: dict[str, FrameFeed] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @contextlib.asynccontextmanager
    async def watch(self, run_id: str, fps: float) -> AsyncIterator[FrameFeed]:
        feed = self._feeds.get(run_id)
        if feed is None or feed.problem is not None:
            feed = self._feeds[run_id] = FrameFeed()
            self._tasks[run_id] = asyncio.create_task(self._draw(run_id, feed, fps), name=f"frames-{run_id}")
        feed.viewers += 1
        try:
            yield feed
        finally:
            feed.viewers -= 1
            if feed.viewers == 0 and self._feeds.get(run_id) is feed:
                del self._feeds[run_id]
                await _end(self._tasks.pop(run_id))

    def recent(self, run_id: str, seconds: float) -> list[bytes]:
        """Frames of the last seconds, oldest first; none when nobody watches."""
        feed = self._feeds.get(run_id)
        since = time.monotonic() - seconds
        return [frame for at, frame in feed.recent if at >= since] if feed else []

    async def close(self) -> None:
        for task in list(self._tasks.values()):  # viewers leave meanwhile, and take their tasks with them
            await _end(task)

    async def _draw(self, run_id: str, feed: FrameFeed, fps: float) -> None:
        try:
            if await self._worker_frames.find_slot(run_id) is not None:
                await self._worker_frames.show(run_id, feed, fps)
            else:
                await self._render(run_id, feed, fps)
        except LabError as problem:
            feed.fail(problem)

    async def _render(self, run_id: str, feed: FrameFeed, fps: float) -> None:
        renderer = await self._renderers.start({"mode": "live", "fps": fps})
        try:
            feeder = asyncio.create_task(self._hand_over(run_id, renderer), name=f"episodes-{run_id}")
            try:
                async for message in renderer.messages():
                    feed.put(message)
            finally:
                await _end(feeder)
        finally:
            await renderer.close()

    async def _hand_over(self, run_id: str, renderer: Renderer) -> None:
        """Gives the renderer whatever is newest, when it is newer than what it has."""
        had: tuple[Any, ...] = ()
        while True:
            with contextlib.suppress(LabError):  # a folder deleted under our feet: the last frame stays
                recording = await self._newest(run_id)
                if recording is not None and (has := _identity(recording)) != had:
                    had = has
                    plain = msgspec.to_builtins(recording, builtin_types=(bytes,))
                    await renderer.send({"op": "episode", "recording": plain})
            await asyncio.sleep(LOOK_S)


def _identity(recording: Recording) -> tuple[Any, ...]:
    return recording.beginning, recording.count, recording.complete


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
