"""The queue: highest priority first, then longest waiting, as many at once as there are slots.

It lives in lab.db alone, so it survives restarts.
"""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.errors import LabError
from rl_lab.core.runs import EndReason, Run, RunStatus
from rl_lab.orchestrator.change_feed import ChangeFeed
from rl_lab.orchestrator.execution.preflight import Preflight
from rl_lab.store import runs
from rl_lab.store.sql.database import Database

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""How often the queue looks without being woken."""
PASSING = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.EIO}
)
"""Troubles of the machine, not of the run: the queue waits until they are over."""
NEXT_STEP = "`rl-lab doctor` checks the installation; the lab's own output in the terminal says more."


class Queue:
    def __init__(
        self,
        db: Database,
        feed: ChangeFeed,
        preflight: Preflight,
        *,
        free_slots: Callable[[], int],
        start: Callable[[Run], Awaitable[None]],
    ) -> None:
        self._db = db
        self._feed = feed
        self._preflight = preflight
        self._free_slots = free_slots
        self._start = start
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._serve(), name="queue")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        self._woken.set()

    async def _serve(self) -> None:
        while True:
            self._woken.clear()
            try:
                await self._start_what_fits()
            except (SQLAlchemyError, OSError) as error:
                log.warning("the queue waits: %s", error)
            try:
                await asyncio.wait_for(self._woken.wait(), LOOK_S)
            except TimeoutError:
                continue

    async def _start_what_fits(self) -> None:
        free = self._free_slots()
        if free <= 0:
            return
        for run in await self._db.read(lambda conn: runs.next_queued(conn, free)):
            try:
                await self._preflight.check(run)
                await self._start(run)
            except LabError as error:
                await self._refuse(run, "not-ready", error.detail, error.next_step or "")
            except SQLAlchemyError:
                raise
            except Exception as error:
                if isinstance(error, OSError) and error.errno in PASSING:
                    raise
                # The edge: one run that cannot be started must not keep the others waiting.
                log.exception("run %s cannot be started", run.id)
                words = f"The run could not be started: {type(error).__name__}: {error}."
                await self._refuse(run, "not-started", words, NEXT_STEP)

    async def _refuse(self, run: Run, cause: str, words: str, next_step: str) -> None:
        reason = EndReason(cause=cause, message=words, next_step=next_step)
        changed = await self._db.write(
            lambda conn: runs.change_status(
                conn, run.id, expected=RunStatus.queued, to=RunStatus.failed, version=run.version,
                reason=reason, level="error",
            )
        )  # fmt: skip
        if changed is not None:
            self._feed.run_changed(changed)
