"""Archives: packs the folders of archived runs into one compressed file each, and unpacks them for good.

Unpacking a run so that it can be read is `orchestrator/run_folders.py`.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time

from rl_lab.core import event_log
from rl_lab.core.errors import LabError
from rl_lab.core.run_events import Level
from rl_lab.core.words.amounts import bytes_text
from rl_lab.orchestrator.context import Context
from rl_lab.store import runs
from rl_lab.store.files import archive_files
from rl_lab.store.files.archive_files import Interrupted, Packed
from rl_lab.store.files.folders import RunFolder

log = logging.getLogger(__name__)

QUIET_S = 2.0
"""A run is packed when it has not been read for this long."""
IDLE_S = 600.0
"""A run that was unpacked to be read is packed again after this long."""
RETRY_S = 600.0


class Archives:
    def __init__(self, context: Context) -> None:
        self._home = context.home
        self._db = context.db
        self._folders = context.folders
        self.idle_s = IDLE_S
        self._not_before: dict[str, float] = {}
        self._is_closing = False

    async def catch_up(self) -> None:
        """Finishes or removes what a killed lab left half done."""
        for run_id in await asyncio.to_thread(archive_files.list_leftovers, self._home):
            try:
                await asyncio.to_thread(archive_files.clean_up, RunFolder(self._home, run_id))
            except (LabError, OSError) as error:
                log.warning("archive/.%s cannot be cleaned up: %s", run_id, error)

    def close(self) -> None:
        """A folder that is being packed stays a folder."""
        self._is_closing = True
        for interrupt in self._folders.packing.values():
            interrupt.set()

    def decided(self, run_id: str) -> None:
        """A person archived the run, or undid it: it is no longer merely unpacked for a while, and tried at once."""
        self._folders.unpacked_to_read.discard(run_id)
        self._not_before.pop(run_id, None)

    async def tend(self) -> float | None:
        """Packs and unpacks what is due; returns the seconds until the next run is due."""
        archived = set(await self._db.read(runs.list_archived))
        await self._restore_unarchived(archived)
        waits: list[float] = []
        for run_id in await asyncio.to_thread(self._unpacked, archived):
            if self._is_closing:
                return None
            wait = self._due_in(run_id)
            if wait <= 0:
                await self._pack(run_id)
                if not self._folders.find(run_id).path.exists():
                    continue
            waits.append(self._due_in(run_id))
        return min(waits, default=None)

    def _unpacked(self, archived: set[str]) -> list[str]:
        return [run_id for run_id in sorted(archived) if RunFolder(self._home, run_id).path.is_dir()]

    def _due_in(self, run_id: str) -> float:
        idle = self.idle_s if run_id in self._folders.unpacked_to_read else QUIET_S
        quiet_at = self._folders.used_at.get(run_id, float("-inf")) + idle
        return max(quiet_at, self._not_before.get(run_id, 0.0)) - time.monotonic()

    async def _pack(self, run_id: str) -> None:
        folder = self._folders.find(run_id)
        async with self._folders.locks[run_id]:
            interrupt, began = threading.Event(), time.monotonic()
            self._folders.packing[run_id] = interrupt
            try:
                packed = await asyncio.to_thread(archive_files.write_archive, folder, interrupt)
                if self._folders.used_at.get(run_id, 0.0) > began or not await self._is_wanted(run_id):
                    raise Interrupted
                # From here on anyone who opens the run waits for the lock and finds the archive.
                await asyncio.to_thread(archive_files.swap_in, folder)
                await asyncio.to_thread(archive_files.clean_up, folder)
                # While the lock is held: a reader who opens the run next marks it again.
                was_open = run_id in self._folders.unpacked_to_read
                self._folders.unpacked_to_read.discard(run_id)
            except Interrupted:
                await asyncio.to_thread(archive_files.drop_written, folder)
                self._not_before[run_id] = time.monotonic() + QUIET_S
                return
            except OSError as error:
                await self._note_failure(run_id, error)
                return
            finally:
                del self._folders.packing[run_id]
        await self._note_packed(run_id, packed, was_open=was_open)

    async def _is_wanted(self, run_id: str) -> bool:
        return run_id in await self._db.read(runs.list_archived)

    async def _restore_unarchived(self, archived: set[str]) -> None:
        """Archives of runs that are no longer archived are unpacked for good."""
        found = set(await asyncio.to_thread(archive_files.list_archives, self._home)) - archived
        for run in await self._db.read(lambda conn: runs.list_by_ids(conn, found)) if found else []:
            if run.archived or run.deleted_at is not None:
                continue
            folder = self._folders.find(run.id)
            try:
                async with self._folders.locks[run.id]:
                    if folder.is_packed:
                        await self._folders.unpack(folder)
                        await self._folders.log_event(run.id, event_log.RESTORED, "Unpacked for good.", {})
                    else:
                        await asyncio.to_thread(folder.archive.unlink, missing_ok=True)
            except LabError as error:
                log.warning("run %s stays packed: %s", run.id, error)

    async def _note_packed(self, run_id: str, packed: Packed, *, was_open: bool) -> None:
        before, after = packed
        message = f"Packed: {bytes_text(before)} became {bytes_text(after)}."
        data = {"bytes_before": before, "bytes_after": after, "bytes_saved": before - after}
        # Packing a run again after it was read is not worth a line for people.
        level: Level | None = "debug" if was_open else None
        await self._folders.log_event(run_id, event_log.ARCHIVED, message, data, level=level)
        self._folders.note_change(run_id)

    async def _note_failure(self, run_id: str, error: OSError) -> None:
        log.warning("run %s cannot be packed: %s", run_id, error)
        self._not_before[run_id] = time.monotonic() + RETRY_S
        message = f"The run could not be packed, so its folder stays: {error.strerror or error}."
        await self._folders.log_event(run_id, event_log.ARCHIVE_FAILED, message, {})
