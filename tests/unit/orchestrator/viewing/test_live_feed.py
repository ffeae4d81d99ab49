"""Live feeds come and go with their viewers, also while the lab closes."""

from __future__ import annotations

import asyncio
from typing import Any

from rl_lab.orchestrator.viewing.live_feed import FrameFeeds


class SlowToLeave:
    """Draws for ever and takes a moment to put its pencils away."""

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
    feeds: Any = FrameFeeds(None, None, SlowToLeave())  # type: ignore[arg-type]
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
