"""Frames that a worker draws itself, because its environment is not deterministic; only while there is a viewer.

Whether that is so is read from job.json of the newest attempt, not from the run: it is checked anew before each
attempt, and the worker draws only if its own job.json says so.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rl_lab.orchestrator.bus import Bus, status_topic
from rl_lab.orchestrator.viewing.attempts import find_frame_file
from rl_lab.portable.frame_protocol import MAX_MESSAGE_BYTES
from rl_lab.portable.regular_files import open_regular
from rl_lab.store.files.attempt_folder import Control, newest_attempt
from rl_lab.store.files.folders import RunFolder

if TYPE_CHECKING:
    from rl_lab.orchestrator.viewing.live_feed import FrameFeed

RENEW_S = 3.0
"""Sent well before the worker's lease ends; the lease expires by itself if this process is killed."""
SAFETY_S = 1.0
"""Look again after this time without a message, in case one was missed."""


class WorkerFrames:
    def __init__(
        self,
        home: Path,
        control: Callable[[str, Control], None],
        has_ended: Callable[[str], Awaitable[bool]],
        bus: Bus,
    ) -> None:
        self._home = home
        self._bus = bus
        self._control = control
        self._has_ended = has_ended

    async def find_slot(self, run_id: str) -> Path | None:
        """The file with the newest frame of the run's worker; None when its episodes can be re-simulated.

        Waits for the run to begin: that is not known before.
        """
        folder = RunFolder(self._home, run_id).path
        with self._bus.subscribe([status_topic(run_id)], capacity=1) as changed:
            while (attempt := await asyncio.to_thread(newest_attempt, folder)) is None:
                await changed.take(SAFETY_S)
        return await asyncio.to_thread(find_frame_file, attempt)

    async def show(self, run_id: str, feed: FrameFeed, fps: float) -> None:
        """Fills the feed until the run has ended."""
        slot, seen, sent_at = await self.find_slot(run_id), 0, -RENEW_S
        try:
            while True:
                if time.monotonic() - sent_at > RENEW_S:
                    if await self._has_ended(run_id):
                        return
                    sent_at = time.monotonic()
                    self._control(run_id, "watch")
                    slot = await self.find_slot(run_id)  # a resumed run has a new attempt
                found = await asyncio.to_thread(_read_newer, slot, seen) if slot else None
                if found is not None:
                    seen, frame = found
                    feed.put(frame)
                await asyncio.sleep(1.0 / fps)
        finally:
            self._control(run_id, "unwatch")


def _read_newer(slot: Path, seen: int) -> tuple[int, bytes] | None:
    """The frame and its time, when it is newer than `seen`. The file may be written by code of the user."""
    try:
        with open_regular(slot) as file:
            about = os.fstat(file.fileno())
            if about.st_mtime_ns <= seen or about.st_size > MAX_MESSAGE_BYTES:
                return None
            return about.st_mtime_ns, file.read(MAX_MESSAGE_BYTES)
    except OSError:
        return None
