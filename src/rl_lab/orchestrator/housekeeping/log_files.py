"""LogFiles: cuts the logs of ended runs to the knob's limit, oldest text first. A live log is cut by its guardian."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

from rl_lab.core import event_log
from rl_lab.core.runs import FINAL
from rl_lab.core.words.amounts import bytes_text
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.housekeeping.pruning import Knobs
from rl_lab.store import run_ages, runs
from rl_lab.store.files.folders import RunFolder

NAMES = ("log.txt", "log.1.txt")
"""Of one attempt, newest first."""


class LogFiles:
    def __init__(self, context: Context, knobs: Knobs) -> None:
        self._home = context.home
        self._db = context.db
        self._folders = context.folders
        self._knobs = knobs
        self.is_due = False
        """All ended runs are to be checked, because the knob was changed."""

    async def tend(self) -> None:
        if not self.is_due:
            return
        self.is_due = False
        for run_id in await self._db.read(run_ages.list_ended):
            await self.cut(run_id)

    async def cut(self, run_id: str) -> None:
        """Cuts the logs of one run; a run that is not over is left alone."""
        run = await self._db.read(lambda conn: runs.get(conn, run_id, include_deleted=True))
        if run.status not in FINAL:
            return
        limit = self._knobs.value.log_bytes
        before = await asyncio.to_thread(cut_logs, RunFolder(self._home, run_id), limit)
        if before > limit:
            message = f"Log cut to its last {bytes_text(limit)}."
            data = {"bytes_before": before, "bytes_after": limit}
            await self._folders.log_event(run_id, event_log.LOG_CUT, message, data)


def cut_logs(folder: RunFolder, limit: int) -> int:
    """Keeps the last `limit` bytes of all attempts together; returns how many there were before."""
    files = _newest_first(folder.attempts)
    sizes = {path: path.stat().st_size for path in files}
    before = sum(sizes.values())
    if before <= limit:
        return before
    left = limit
    for path in files:
        _keep_end(path, sizes[path], left)
        left = max(0, left - sizes[path])
    return before


def _newest_first(attempts: Path) -> list[Path]:
    numbers = sorted((int(p.name) for p in attempts.glob("[0-9]*") if p.name.isdigit()), reverse=True)
    found = [attempts / str(number) / name for number in numbers for name in NAMES]
    return [path for path in found if path.is_file() and not path.is_symlink()]


def _keep_end(path: Path, size: int, most: int) -> None:
    if size <= most:
        return
    if most == 0:
        path.unlink(missing_ok=True)
        return
    aside = path.with_name(f".{path.name}.part")
    with path.open("rb") as file:
        file.seek(size - most)
        text = file.read()
    with suppress(OSError):  # a full disk costs the cut, not the log
        aside.write_bytes(text[text.find(b"\n") + 1 :])  # begins with a whole line
        aside.replace(path)
