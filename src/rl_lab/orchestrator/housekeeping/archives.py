"""Archives: an archived run's folder is one compressed file; whoever reads the run finds the folder again.

`open` is called before a folder is read. It costs one look at the disk for a run that is not packed.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path

from rl_lab.core.errors import LabError, StorageFull
from rl_lab.core.wording import bytes_text
from rl_lab.orchestrator.change_feed import ChangeFeed
from rl_lab.orchestrator.writing import FREE_SPACE
from rl_lab.store import events, runs
from rl_lab.store.files import archive_files
from rl_lab.store.files.archive_files import Interrupted, Packed
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.sql.database import Database

log = logging.getLogger(__name__)

OpenFolder = Callable[[str], Awaitable[None]]
"""`Archives.open`, for whoever reads folders of runs."""
QUIET_S = 2.0
"""A run is packed when nobody has read it for this long."""
IDLE_S = 600.0
"""And one that was opened again, for this long."""
RETRY_S = 600.0


class Archives:
    def __init__(self, home: Path, db: Database, feed: ChangeFeed) -> None:
        self._home = home
        self._db = db
        self._feed = feed
        self.on_change: Callable[[str], None] = lambda run_id: None
        """Called when a folder was packed or unpacked."""
        self.idle_s = IDLE_S
        self._used: dict[str, float] = {}
        self._opened: set[str] = set()
        """Runs that were unpacked to be read, and are to be packed again."""
        self._not_before: dict[str, float] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._packing: str | None = None
        self._stop = threading.Event()
        self._is_closing = False

    async def catch_up(self) -> None:
        """What a lab that was killed left half done."""
        for run_id in await asyncio.to_thread(archive_files.list_leftovers, self._home):
            try:
                await asyncio.to_thread(archive_files.clean_up, RunFolder(self._home, run_id))
            except (LabError, OSError) as error:
                log.warning("archive/.%s cannot be cleaned up: %s", run_id, error)

    def close(self) -> None:
        """Whatever is being packed stays a folder."""
        self._is_closing = True
        self._stop.set()

    async def open(self, run_id: str) -> None:
        """The run's folder is there when this returns; Gone when its archive is damaged."""
        self._used[run_id] = time.monotonic()
        folder = RunFolder(self._home, run_id)
        if self._packing == run_id:
            self._stop.set()
        elif not folder.is_packed:
            return
        async with self._locks[run_id]:
            if folder.is_packed:
                await self._unpack(folder)
                self._opened.add(run_id)
                await self._say(run_id, "debug", "archive_opened", "Unpacked to be read.", {})

    def decided(self, run_id: str) -> None:
        """A person archived the run, or took it back: it is no longer one that is merely open for a while."""
        self._opened.discard(run_id)

    async def tend(self) -> float | None:
        """Packs and unpacks what is due; seconds until the next is."""
        archived = set(await self._db.read(runs.list_archived))
        await self._restore_unarchived(archived)
        waits: list[float] = []
        for run_id in await asyncio.to_thread(self._unpacked, archived):
            if self._is_closing:
                return None
            wait = self._due_in(run_id)
            if wait <= 0:
                await self._pack(run_id)
                wait = self._due_in(run_id) if RunFolder(self._home, run_id).path.exists() else 0
            if wait > 0:
                waits.append(wait)
        return min(waits, default=None)

    def _unpacked(self, archived: set[str]) -> list[str]:
        return [run_id for run_id in sorted(archived) if RunFolder(self._home, run_id).path.is_dir()]

    def _due_in(self, run_id: str) -> float:
        idle = self.idle_s if run_id in self._opened else QUIET_S
        quiet_at = self._used.get(run_id, float("-inf")) + idle
        return max(quiet_at, self._not_before.get(run_id, 0.0)) - time.monotonic()

    async def _pack(self, run_id: str) -> None:
        folder = RunFolder(self._home, run_id)
        async with self._locks[run_id]:
            self._packing, began = run_id, time.monotonic()
            self._stop.clear()
            try:
                packed = await asyncio.to_thread(archive_files.write_archive, folder, self._stop)
                if self._used.get(run_id, 0.0) > began or not await self._is_wanted(run_id):
                    raise Interrupted
                # From here on whoever opens the run waits for the lock and finds the archive.
                await asyncio.to_thread(archive_files.swap_in, folder)
                await asyncio.to_thread(archive_files.clean_up, folder)
                # Under the lock: whoever opens it next marks it again.
                is_again = run_id in self._opened
                self._opened.discard(run_id)
            except Interrupted:
                await asyncio.to_thread(archive_files.drop_written, folder)
                self._not_before[run_id] = time.monotonic() + QUIET_S
                return
            except OSError as error:
                await self._fail(run_id, error)
                return
            finally:
                self._packing = None
        await self._tell_packed(run_id, packed, is_again)

    async def _is_wanted(self, run_id: str) -> bool:
        return run_id in await self._db.read(runs.list_archived)

    async def _restore_unarchived(self, archived: set[str]) -> None:
        """Archives of runs that are no longer archived are unpacked for good."""
        found = set(await asyncio.to_thread(archive_files.list_archives, self._home)) - archived
        for run in await self._db.read(lambda conn: runs.list_by_ids(conn, found)) if found else []:
            if run.archived or run.deleted_at is not None:
                continue
            folder = RunFolder(self._home, run.id)
            try:
                async with self._locks[run.id]:
                    if folder.is_packed:
                        await self._unpack(folder)
                        await self._say(run.id, "info", "restored", "Unpacked for good.", {})
                    else:
                        await asyncio.to_thread(folder.archive.unlink, missing_ok=True)
            except LabError as error:
                log.warning("run %s stays packed: %s", run.id, error)

    async def _unpack(self, folder: RunFolder) -> None:
        try:
            await asyncio.to_thread(archive_files.unpack, folder)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise StorageFull(
                "The disk is too full to unpack this archived run.", next_step=FREE_SPACE
            ) from None
        self.on_change(folder.run_id)

    async def _tell_packed(self, run_id: str, packed: Packed, is_again: bool) -> None:
        before, after = packed
        words = f"Packed: {bytes_text(before)} became {bytes_text(after)}."
        data = {"bytes_before": before, "bytes_after": after, "bytes_saved": before - after}
        # Packing again after a look is no news.
        await self._say(run_id, "debug" if is_again else "info", "archived", words, data)
        self.on_change(run_id)

    async def _fail(self, run_id: str, error: OSError) -> None:
        log.warning("run %s cannot be packed: %s", run_id, error)
        self._not_before[run_id] = time.monotonic() + RETRY_S
        words = f"It could not be packed and stays as it is: {error.strerror or error}."
        await self._say(run_id, "warning", "archive_failed", words, {})

    async def _say(
        self, run_id: str, level: events.Level, type: str, words: str, data: dict[str, int]
    ) -> None:
        await self._db.write(lambda conn: events.append(conn, run_id, level, type, words, dict(data)))
        self._feed.events_written()
