"""The folders of runs. An archived run is one compressed file; it is unpacked before its folder is read."""

from __future__ import annotations

import asyncio
import errno
import threading
import time
from collections import defaultdict
from pathlib import Path

from rl_lab.core import event_log
from rl_lab.core.errors import StorageFull
from rl_lab.core.run_events import EventType, Level
from rl_lab.orchestrator.bus import FOLDERS_TOPIC, Bus
from rl_lab.orchestrator.change_feed import ChangeFeed
from rl_lab.store import events
from rl_lab.store.files import archive_files
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.sql.database import Database

DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


class RunFolders:
    def __init__(self, home: Path, db: Database, bus: Bus, changes: ChangeFeed) -> None:
        self._home = home
        self._db = db
        self._bus = bus
        self._changes = changes
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """Held while a folder is packed or unpacked."""
        self.used_at: dict[str, float] = {}
        """When each run was last opened, by the monotonic clock."""
        self.unpacked_to_read: set[str] = set()
        """Archived runs that are unpacked for a while, and packed again later."""
        self.packing: dict[str, threading.Event] = {}
        """Runs being packed, each with the event that interrupts it."""

    def find(self, run_id: str) -> RunFolder:
        """The folder as it is now, packed or not."""
        return RunFolder(self._home, run_id)

    async def open(self, run_id: str) -> RunFolder:
        """The folder, ready to be read; Gone when its archive is damaged.

        For a run that is not packed this costs one look at the disk.
        """
        self.used_at[run_id] = time.monotonic()
        folder = self.find(run_id)
        packing = self.packing.get(run_id)
        if packing is not None:
            packing.set()
        elif not folder.is_packed:
            return folder
        async with self.locks[run_id]:
            if folder.is_packed:
                await self.unpack(folder)
                self.unpacked_to_read.add(run_id)
                await self.log_event(run_id, event_log.ARCHIVE_OPENED, "Unpacked to be read.", {})
        return folder

    async def unpack(self, folder: RunFolder) -> None:
        """The caller holds the lock."""
        try:
            await asyncio.to_thread(archive_files.unpack, folder)
        except OSError as error:
            if error.errno not in DISK_FULL:
                raise
            raise StorageFull(
                "The disk is too full to unpack this archived run.",
                next_step="Free some space and try again.",
            ) from None
        self.note_change(folder.run_id)

    def note_change(self, run_id: str) -> None:
        """The folder was packed or unpacked."""
        self._bus.publish(FOLDERS_TOPIC, 0, run_id)

    async def log_event(
        self, run_id: str, type: EventType, message: str, data: dict[str, int], *, level: Level | None = None
    ) -> None:
        await self._db.write(
            lambda conn: events.append(conn, run_id, type, message, data=dict(data), level=level)
        )
        self._changes.events_written()
