"""The queue: highest priority first, then longest waiting, as many at once as there are slots.

It is stored in lab.db only, so it survives restarts.
"""

from __future__ import annotations

import errno
import logging
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.errors import LabError
from rl_lab.core.runs import EndReason, Run, RunStatus
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.context import Context
from rl_lab.store import runs

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""How often the queue looks without being woken."""
PASSING = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.EIO}
)
"""Problems of the machine, not of the run: the queue waits until they are over."""
NEXT_STEP = "`rl-lab doctor` checks the installation; the lab's own output in the terminal has details."


class Queue:
    def __init__(
        self, context: Context, *, free_slots: Callable[[], int], start: Callable[[Run], Awaitable[None]]
    ) -> None:
        self._db = context.db
        self._changes = context.changes
        self._free_slots = free_slots
        self._start = start
        self._loop = BackgroundLoop("queue", self.start_what_fits)

    def open(self) -> None:
        self._loop.open()

    async def close(self) -> None:
        await self._loop.close()

    def wake(self) -> None:
        self._loop.wake()

    async def start_what_fits(self) -> float:
        """One round; a run that cannot be started fails with the reason and does not delay the others."""
        free = self._free_slots()
        queued = await self._db.read(lambda conn: runs.next_queued(conn, free)) if free > 0 else []
        for run in queued:
            try:
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
                message = f"The run could not be started: {type(error).__name__}: {error}."
                await self._refuse(run, "not-started", message, NEXT_STEP)
        return LOOK_S

    async def _refuse(self, run: Run, cause: str, message: str, next_step: str) -> None:
        reason = EndReason(cause=cause, message=message, next_step=next_step)
        changed = await self._db.write(
            lambda conn: runs.change_status(
                conn,
                run.id,
                expected=RunStatus.queued,
                to=RunStatus.failed,
                version=run.version,
                reason=reason,
                level="error",
            )
        )
        if changed is not None:
            self._changes.run_changed(changed)
