"""Whether the files of a dataset still hold what was written: compared on a thread before something learns from them.

The checksums of a large version take seconds. So they are compared once, and sizes, times and inodes of the files are
kept with the version: as long as these stay the same, the next start waits for nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.datasets.manifest import MANIFEST_FILE
from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.errors import LabError
from rl_lab.core.words.amounts import bytes_text
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.dataset_files import DatasetFiles, FoundDataset
from rl_lab.store import events
from rl_lab.store.datasets.versions import FileStamps, find_stamps, note_compared
from rl_lab.worker.datasets.job_files import read_manifest

BLOCK = 8 << 20
LARGE_BYTES = 1 << 30
"""A comparison of so much is a line in the event log of the run that waits for it."""


class StillComparing(Exception):
    """The dataset is being compared; the run starts when that is done."""


class DatasetContents:
    def __init__(self, context: Context, files: DatasetFiles, *, wake: Callable[[], None]) -> None:
        """`wake` is called when a comparison has ended."""
        self._db, self._changes = context.db, context.changes
        self._files = files
        self._wake = wake
        self._running: dict[str, asyncio.Task[None]] = {}
        """By version; several runs may wait for one."""
        self._reported: set[str] = set()
        self._is_closing = threading.Event()

    async def close(self) -> None:
        self._is_closing.set()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def find_folder(self, run_id: str, choice: DatasetChoice | None) -> Path | None:
        """The folder that a run learns from, with the contents of its version; None when it learns from none.

        StillComparing when that is not known yet; NotReady when it is damaged.
        """
        found = await self._files.find(choice)
        if found is None:
            return None
        stamps = await asyncio.to_thread(_take_stamps, found)
        if await self._db.read(lambda conn: find_stamps(conn, found.version)) == stamps:
            return found.folder
        if str(found) not in self._running:
            self._running[str(found)] = asyncio.create_task(self._compare(found, stamps))
        await self._report(run_id, found)
        raise StillComparing

    async def _compare(self, found: FoundDataset, stamps: FileStamps) -> None:
        try:
            wrong = await asyncio.to_thread(self._find_wrong, found)
            if not self._is_closing.is_set():
                await self._db.write(lambda conn: note_compared(conn, found.version, stamps, wrong))
        finally:
            del self._running[str(found)]
            self._wake()

    def _find_wrong(self, found: FoundDataset) -> str:
        """What is not as it was written; empty when everything is."""
        try:
            if read_manifest(found.folder).sha256 != found.version.sha256:
                return f"{MANIFEST_FILE} describes other contents than when the version was made."
            for column in found.manifest.columns:
                name = f"{column.name}.npy"
                if self._checksum(found.folder / name) not in (column.sha256, None):
                    return f"{name} does not have its checksum: it was changed or damaged."
        except LabError as error:
            return error.detail
        except OSError as error:
            return f"{Path(str(error.filename)).name} cannot be read: {error.strerror}."
        return ""

    def _checksum(self, path: Path) -> str | None:
        """None when the lab closes meanwhile."""
        digest = hashlib.sha256()
        with path.open("rb", buffering=0) as file:
            while block := file.read(BLOCK):
                if self._is_closing.is_set():
                    return None
                digest.update(block)
        return digest.hexdigest()

    async def _report(self, run_id: str, found: FoundDataset) -> None:
        if found.manifest.size < LARGE_BYTES or run_id in self._reported:
            return
        self._reported.add(run_id)
        size = bytes_text(found.manifest.size)
        message = f"Before the start, the {size} of {found} are compared with their checksums."

        def write(conn: Connection) -> None:
            events.append(conn, run_id, event_log.DATASET_COMPARED, message)

        await self._db.write(write)
        self._changes.events_written()


def _take_stamps(found: FoundDataset) -> FileStamps:
    names = [MANIFEST_FILE, *(f"{column.name}.npy" for column in found.manifest.columns)]
    stats = [(name, (found.folder / name).stat()) for name in names]
    return [[name, s.st_size, s.st_mtime_ns, s.st_ino, s.st_ctime_ns] for name, s in stats]
