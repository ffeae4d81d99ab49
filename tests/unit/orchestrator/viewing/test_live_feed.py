"""Live feeds: they end with their viewers, and read the telemetry only when the bus reports that it grew."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from support.virtual_time import run_in_virtual_time

from rl_lab.core.recordings import Recording
from rl_lab.orchestrator.bus import Bus, recordings_topic, status_topic
from rl_lab.orchestrator.viewing.live_feed import READ_GAP_S, SAFETY_S, FrameFeeds, ShownEpisode


class SlowToLeave:
    """Draws until it is cancelled, and takes a moment to end."""

    async def find_slot(self, _: str) -> str:
        return "slot"

    async def show(self, *_: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.01)


def test_a_lab_closes_while_its_viewers_leave() -> None:
    asyncio.run(_close_while_viewers_leave())


async def _close_while_viewers_leave() -> None:
    feeds: Any = FrameFeeds(
        None,  # type: ignore[arg-type]
        None,  # type: ignore[arg-type]
        None,  # type: ignore[arg-type]
        find_rights=None,  # type: ignore[arg-type]
        worker_frames=SlowToLeave(),  # type: ignore[arg-type]
        bus=Bus(),
    )
    leaving, watching = asyncio.Event(), asyncio.Semaphore(0)

    async def view(run_id: str) -> None:
        async with feeds.watch(run_id, 1.0):
            watching.release()
            await leaving.wait()

    viewers = [asyncio.create_task(view(f"run{number}")) for number in range(3)]
    for _ in viewers:
        await watching.acquire()
    await asyncio.sleep(0)  # the feeds draw now
    leaving.set()
    await feeds.close()
    await asyncio.gather(*viewers)
    assert not feeds._tasks


class Telemetry:
    """The newest recording of every run, and how often it was read."""

    def __init__(self) -> None:
        self.reads = 0
        self.count = 1
        self.has_ended = False

    async def find_shown(self, _: str) -> ShownEpisode:
        self.reads += 1
        return ShownEpisode(self._recording(), loops=self.has_ended)

    def _recording(self) -> Recording:
        return Recording(
            run_id="run",
            episode=0,
            env_id="E",
            env_kwargs={},
            env_version="",
            wrappers=[],
            seed=1,
            count=self.count,
            action={"kind": "discrete"},
            actions=b"",
        )


class FakeRenderer:
    def __init__(self) -> None:
        self.sent: list[int] = []
        self.looped: list[bool] = []
        self.restarts = 0

    async def send(self, message: dict[str, Any]) -> None:
        if message["op"] == "restart":
            self.restarts += 1
            return
        self.sent.append(message["recording"]["count"])
        self.looped.append(message["loops"])

    async def messages(self) -> AsyncIterator[bytes]:
        await asyncio.Event().wait()
        yield b""

    async def close(self) -> None:
        pass


class Watched:
    """A feed with one viewer, a real bus and a renderer that only remembers."""

    def __init__(self) -> None:
        self.bus, self.telemetry, self.renderer = Bus(), Telemetry(), FakeRenderer()
        self.opening: dict[str, Any] = {}
        find_shown: Any = self.telemetry.find_shown
        parts: Any = self
        self.feeds = FrameFeeds(
            parts,
            find_shown,
            self.find_environment,
            find_rights=self.find_rights,
            worker_frames=parts,
            bus=self.bus,
        )

    async def find_rights(self, _: str) -> None:
        return None

    async def find_environment(self, _: str) -> dict[str, Any]:
        return {"env_id": "CartPole-v1", "env_kwargs": {}}

    async def start(self, opening: dict[str, Any], _: object) -> FakeRenderer:
        self.opening = opening
        return self.renderer

    async def find_slot(self, _: str) -> None:
        return None

    def grow(self) -> None:
        self.telemetry.count += 1
        self.bus.publish(recordings_topic("run"), 0, None)


def watch(story: Callable[[Watched], Awaitable[None]]) -> Watched:
    async def whole() -> Watched:
        watched = Watched()
        async with watched.feeds.watch("run", 15.0):
            await asyncio.sleep(0.01)
            await story(watched)
        await watched.feeds.close()
        return watched

    return run_in_virtual_time(whole())


def test_the_telemetry_is_not_read_while_nothing_is_published() -> None:
    async def story(watched: Watched) -> None:
        await asyncio.sleep(SAFETY_S * 0.9)
        assert watched.telemetry.reads == 1

    assert watch(story).renderer.sent == [1]
    assert SAFETY_S >= 1.0


def test_the_renderer_hears_of_the_environment_before_the_first_episode() -> None:
    async def story(_: Watched) -> None:
        pass

    assert watch(story).opening["env_id"] == "CartPole-v1"


def test_a_stored_part_reaches_the_renderer_without_waiting() -> None:
    async def story(watched: Watched) -> None:
        await asyncio.sleep(READ_GAP_S)
        watched.grow()
        await asyncio.sleep(0.001)
        assert watched.renderer.sent == [1, 2]

    watch(story)


def test_parts_that_follow_fast_are_read_together() -> None:
    async def story(watched: Watched) -> None:
        for _ in range(100):
            watched.grow()
            await asyncio.sleep(READ_GAP_S / 20)
        await asyncio.sleep(READ_GAP_S)
        assert watched.telemetry.reads <= 8
        assert watched.renderer.sent[-1] == 101

    watch(story)


def test_a_missed_message_costs_only_the_safety_tick() -> None:
    async def story(watched: Watched) -> None:
        watched.telemetry.count += 1  # stored, and not published
        await asyncio.sleep(SAFETY_S + READ_GAP_S)
        assert watched.renderer.sent == [1, 2]

    watch(story)


def test_the_end_of_a_run_puts_its_best_episode_on_the_feed_in_a_loop() -> None:
    async def story(watched: Watched) -> None:
        await asyncio.sleep(READ_GAP_S)
        watched.telemetry.has_ended = True
        watched.bus.publish(status_topic("run"), 1, None)
        await asyncio.sleep(READ_GAP_S)
        assert watched.renderer.looped == [False, True]

    watch(story)


def test_a_viewer_begins_the_loop_again() -> None:
    async def whole() -> FakeRenderer:
        watched = Watched()
        async with watched.feeds.watch("run", 15.0) as feed:
            await asyncio.sleep(0.01)
            await feed.restart()
        await feed.restart()  # the renderer is gone with the viewer
        return watched.renderer

    assert run_in_virtual_time(whole()).restarts == 1


def test_a_feed_without_viewers_leaves_no_reader_on_the_bus() -> None:
    async def story(watched: Watched) -> None:
        assert watched.bus.has_readers(recordings_topic("run"))

    assert not watch(story).bus.has_readers(recordings_topic("run"))


def test_a_bus_that_closes_ends_the_reading() -> None:
    async def story(watched: Watched) -> None:
        watched.bus.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), SAFETY_S * 5)
        assert watched.telemetry.reads == 1

    watch(story)
