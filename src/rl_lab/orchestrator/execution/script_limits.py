"""Limits of scripts that only the lab can enforce: the size of the run folder and the free space on the disk."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.runs import EndReason, RunStatus
from rl_lab.core.wording import bytes_text
from rl_lab.orchestrator.change_feed import ChangeFeed
from rl_lab.orchestrator.execution.live_attempt import LiveAttempt
from rl_lab.settings import Settings
from rl_lab.store import events
from rl_lab.store.files.attempt_folder import Control
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.sql.database import Database

log = logging.getLogger(__name__)

LOOK_S = 1.0
MEASURE_S = 10.0
"""Between two measurings of one folder; a folder that takes long is measured less often."""
REST_FACTOR = 20
MAX_ENTRIES = 200_000
"""Files beyond these are not counted: a folder of a million must not keep a processor busy."""


class ScriptLimits:
    """Looks after the live runs that have an isolation, one folder at a time."""

    def __init__(
        self,
        settings: Settings,
        db: Database,
        feed: ChangeFeed,
        live: Mapping[str, LiveAttempt],
        control: Callable[[str, Control], None],
    ) -> None:
        self._settings = settings
        self._home: Path = settings.home_path
        self._db = db
        self._feed = feed
        self._live = live
        self._control = control
        self._measure_at: dict[str, float] = {}
        self._task: asyncio.Task[None] | None = None
        self.look_s, self.measure_s = LOOK_S, MEASURE_S

    def open(self) -> None:
        self._task = asyncio.create_task(self._serve(), name="limits")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _serve(self) -> None:
        while True:
            await asyncio.sleep(self.look_s)
            foreign = [live for live in self._live.values() if live.is_foreign]
            self._measure_at = {w.run_id: self._measure_at.get(w.run_id, 0.0) for w in foreign}
            try:
                await self._look(foreign)
            except (SQLAlchemyError, OSError) as error:
                log.warning("the limits of scripts cannot be looked at now: %s", error)

    async def _look(self, foreign: list[LiveAttempt]) -> None:
        for live in foreign:
            free = shutil.disk_usage(self._home).free
            if free < self._settings.min_free_bytes // 4:
                self._control(live.run_id, "kill")
            reason = self._disk_is_short(free) or await self._folder_is_large(live)
            if reason is not None and live.overrun is None and live.status is not RunStatus.stopping:
                await self._stop(live, reason)

    def _disk_is_short(self, free: int) -> EndReason | None:
        if free >= self._settings.min_free_bytes // 2:
            return None
        return EndReason(
            cause="disk-almost-full",
            message=f"Stopped by the lab: only {bytes_text(free)} of the disk were left.",
            next_step="Free some space, or let the script write less.",
        )

    async def _folder_is_large(self, live: LiveAttempt) -> EndReason | None:
        most, started = self._settings.script_folder_bytes, time.monotonic()
        if not most or started < self._measure_at[live.run_id]:
            return None
        size = await asyncio.to_thread(measure, RunFolder(self._home, live.run_id).path, most)
        took_s = time.monotonic() - started
        self._measure_at[live.run_id] = time.monotonic() + max(self.measure_s, REST_FACTOR * took_s)
        if size <= most:
            return None
        return EndReason(
            cause="folder-too-large",
            message=f"Stopped by the lab: its folder grew beyond {bytes_text(most)}.",
            next_step="Let the script write less, or allow more with RL_LAB_SCRIPT_FOLDER_BYTES.",
        )

    async def _stop(self, live: LiveAttempt, reason: EndReason) -> None:
        live.overrun = reason
        self._control(live.run_id, "stop")
        await self._db.write(
            lambda conn: events.append(conn, live.run_id, "error", reason.cause, reason.message)
        )
        self._feed.events_written()


def measure(folder: Path, enough: int) -> int:
    """What a folder takes on disk; stops counting beyond `enough` bytes or very many files. Follows no link."""
    total, entries, waiting = 0, 0, [str(folder)]
    while waiting and total <= enough and entries < MAX_ENTRIES:
        try:
            with os.scandir(waiting.pop()) as found:
                for entry in found:
                    entries += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
        except OSError:
            continue  # deleted while we looked
    return total
