"""Limits of scripts that only the lab can enforce: the size of the run folder, the free space on the disk, and the
time or episodes after which the user wants them to end."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from rl_lab.core import event_log
from rl_lab.core.run_events import EventType
from rl_lab.core.runs import EndReason, Progress, RunStatus
from rl_lab.core.words.amounts import bytes_text
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.live_attempt import LiveAttempt
from rl_lab.store import events
from rl_lab.store.files.attempt_folder import Control
from rl_lab.store.files.folders import RunFolder

LOOK_S = 1.0
MEASURE_S = 10.0
"""Between two measurements of one folder; a folder that takes long is measured less often."""
REST_FACTOR = 20
MAX_ENTRIES = 200_000
"""Files beyond these are not counted: a folder of a million must not keep a processor busy."""


class ScriptLimits:
    """Checks the live runs of foreign code, one folder at a time."""

    def __init__(
        self, context: Context, live: Mapping[str, LiveAttempt], control: Callable[[str, Control], None]
    ) -> None:
        self._settings = context.settings
        self._home = context.home
        self._db = context.db
        self._changes = context.changes
        self._live = live
        self._control = control
        self._measure_at: dict[str, float] = {}
        self._looked_at = time.monotonic()
        self._loop = BackgroundLoop("limits of scripts", self._look_at_all)
        self.look_s, self.measure_s = LOOK_S, MEASURE_S

    def open(self) -> None:
        self._loop.open()

    async def close(self) -> None:
        await self._loop.close()

    async def _look_at_all(self) -> float:
        foreign = [live for live in self._live.values() if live.is_foreign]
        self._measure_at = {live.run_id: self._measure_at.get(live.run_id, 0.0) for live in foreign}
        now = time.monotonic()
        passed_s, self._looked_at = now - self._looked_at, now
        for live in foreign:
            await self._end_at_limit(live, passed_s)
        await self._look(foreign)
        return self.look_s

    async def _end_at_limit(self, live: LiveAttempt, passed_s: float) -> None:
        """Asks a run to end that has reached the user's limits, as politely as a stop does."""
        if live.status is not RunStatus.running or live.limit_reached or live.overrun:
            return
        live.trained_s += passed_s
        seen = live.tail.progress.progress or Progress()
        seconds = max(live.trained_s, seen.elapsed_s)
        if not live.limits.is_reached(seconds, seen.episodes):
            return
        live.limit_reached = live.limits.reason(seconds, seen.episodes, seen.timestep)
        self._control(live.run_id, "stop")
        await self._note(live, event_log.LIMIT_REACHED, live.limit_reached.message)

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
            cause=event_log.DISK_ALMOST_FULL.name,
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
            cause=event_log.FOLDER_TOO_LARGE.name,
            message=f"Stopped by the lab: its folder grew beyond {bytes_text(most)}.",
            next_step="Let the script write less, or allow more with RL_LAB_SCRIPT_FOLDER_BYTES.",
        )

    async def _stop(self, live: LiveAttempt, reason: EndReason) -> None:
        live.overrun = reason
        self._control(live.run_id, "stop")
        await self._note(live, event_log.EVENT_TYPES[reason.cause], reason.message)

    async def _note(self, live: LiveAttempt, type: EventType, message: str) -> None:
        await self._db.write(lambda conn: events.append(conn, live.run_id, type, message))
        self._changes.events_written()


def measure(folder: Path, enough: int) -> int:
    """The disk space of a folder; stops counting beyond `enough` bytes or very many files. Follows no link."""
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
            continue  # deleted meanwhile
    return total
