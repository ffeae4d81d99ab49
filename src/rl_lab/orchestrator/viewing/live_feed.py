"""The live feed of a run: drawn once, in one process, for all its viewers; only the newest frame is kept.

A feed starts its renderer with the first viewer and ends it after the last one. The renderer loads the environment
while the worker of a new run still starts. The feed sends the renderer the newest
recorded episode (also one that is still running) when the ingest reports on the bus that more of it was stored. Once
the run has ended, it sends the best one instead, which the renderer plays in a loop.
For a non-deterministic environment there is no renderer: its worker draws (worker_drawn_feed.py).
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from rl_lab.core.errors import LabError
from rl_lab.core.recordings import Recording
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.bus import Bus, recordings_topic, status_topic
from rl_lab.orchestrator.viewing.renderers import Renderer, Renderers
from rl_lab.orchestrator.viewing.worker_drawn_feed import WorkerFrames

READ_GAP_S = 0.1
"""Least time between two reads of the telemetry: a fast learner stores parts more often than a viewer can see."""
SAFETY_S = 2.0
"""Read again after this time without a message, in case one was missed."""
CLIP_FRAMES = 200
"""Frames a feed keeps for a clip."""


class ShownEpisode(NamedTuple):
    recording: Recording
    loops: bool
    """The run has ended: the episode is its best, and is played again and again."""


FindShown = Callable[[str], Awaitable[ShownEpisode | None]]
"""The episode that the feed of a run shows now; None while there is none."""

FindEnvironment = Callable[[str], Awaitable[dict[str, Any]]]
"""`env_id` and `env_kwargs` of the environment that a run will show, as far as they are known."""

FindRights = Callable[[str], Awaitable[Confinement | None]]
"""What the renderer of a run may use; None for a run of the lab's own learners."""


class FrameFeed:
    """The newest frame of one run."""

    def __init__(self) -> None:
        self.viewers = 0
        self.seq = 0
        self.frame: bytes | None = None
        self.problem: LabError | None = None
        self.recent: deque[tuple[float, bytes]] = deque(maxlen=CLIP_FRAMES)
        self.renderer: Renderer | None = None
        self._waiting: set[asyncio.Event] = set()

    def put(self, frame: bytes) -> None:
        self.frame, self.seq = frame, self.seq + 1
        self.recent.append((time.monotonic(), frame))
        self._wake()

    def fail(self, problem: LabError) -> None:
        self.problem = problem
        self._wake()

    async def restart(self) -> None:
        """Begins a looped episode again, for all viewers; a run that is still working continues."""
        if self.renderer is not None:
            await self.renderer.send({"op": "restart"})

    @contextlib.contextmanager
    def waking(self, event: asyncio.Event) -> Iterator[None]:
        """Sets the event when there is a newer frame or a problem."""
        self._waiting.add(event)
        try:
            yield
        finally:
            self._waiting.discard(event)

    def _wake(self) -> None:
        for event in self._waiting:
            event.set()


class FrameFeeds:
    """All live feeds that have viewers."""

    def __init__(
        self,
        renderers: Renderers,
        find_shown: FindShown,
        find_environment: FindEnvironment,
        *,
        find_rights: FindRights,
        worker_frames: WorkerFrames,
        bus: Bus,
    ) -> None:
        self._renderers = renderers
        self._find_environment = find_environment
        self._bus = bus
        self._find_shown = find_shown
        self._find_rights = find_rights
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
        """Frames of the last seconds, oldest first; none without a viewer."""
        feed = self._feeds.get(run_id)
        since = time.monotonic() - seconds
        return [frame for at, frame in feed.recent if at >= since] if feed else []

    async def close(self) -> None:
        for task in list(self._tasks.values()):  # viewers disconnect meanwhile, which removes their tasks
            await _end(task)

    async def _draw(self, run_id: str, feed: FrameFeed, fps: float) -> None:
        try:
            if await self._worker_frames.find_slot(run_id) is not None:
                await self._worker_frames.show(run_id, feed, fps)
            await self._render(run_id, feed, fps)
        except LabError as problem:
            feed.fail(problem)

    async def _render(self, run_id: str, feed: FrameFeed, fps: float) -> None:
        environment = await self._find_environment(run_id)
        rights = await self._find_rights(run_id)
        first = {"mode": "live", "fps": fps, **environment}
        renderer = feed.renderer = await self._renderers.start(first, rights)
        try:
            feeder = asyncio.create_task(self._send_episodes(run_id, renderer), name=f"episodes-{run_id}")
            try:
                async for message in renderer.messages():
                    feed.put(message)
            finally:
                await _end(feeder)
        finally:
            feed.renderer = None
            await renderer.close()

    async def _send_episodes(self, run_id: str, renderer: Renderer) -> None:
        """Sends the renderer the shown episode, now and after each message that it may be another."""
        clock = asyncio.get_running_loop().time
        sent: tuple[Any, ...] = ()
        topics = [recordings_topic(run_id), status_topic(run_id)]
        with self._bus.subscribe(topics, capacity=1) as changed:
            while not changed.closed:
                read_at = clock()
                sent = await self._send_newer(run_id, renderer, sent)
                await changed.take(SAFETY_S)
                await asyncio.sleep(read_at + READ_GAP_S - clock())

    async def _send_newer(self, run_id: str, renderer: Renderer, sent: tuple[Any, ...]) -> tuple[Any, ...]:
        """Reads the shown episode and sends it unless it was sent already; returns what the renderer has."""
        with contextlib.suppress(LabError):  # the folder was deleted meanwhile: the last frame stays
            shown = await self._find_shown(run_id)
            if shown is not None and (has := _identity(shown)) != sent:
                plain = msgspec.to_builtins(shown.recording, builtin_types=(bytes,))
                await renderer.send({"op": "episode", "recording": plain, "loops": shown.loops})
                return has
        return sent


def _identity(shown: ShownEpisode) -> tuple[Any, ...]:
    recording = shown.recording
    return recording.beginning, recording.count, recording.complete, shown.loops


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
