"""The queue: highest priority first, then longest waiting, as many at once as there are slots.

Trainings and jobs have slots of their own (`core/queue.py`). It is stored in lab.db only, so it survives restarts.
"""

from __future__ import annotations

import errno
import logging
from collections import Counter
from collections.abc import Awaitable, Callable

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.errors import LabError
from rl_lab.core.queue import (
    Lane,
    QueueState,
    SlotsChange,
    describe_queue,
    describe_wait,
    kinds_of,
    lane_of,
)
from rl_lab.core.runs import EndReason, Run, RunStatus
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.slot_limits import SlotLimits
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
        self,
        context: Context,
        *,
        taken_slots: Callable[[], Counter[Lane]],
        start: Callable[[Run], Awaitable[None]],
    ) -> None:
        self._limits = SlotLimits(context)
        self._db = context.db
        self._changes = context.changes
        self._taken_slots = taken_slots
        self._start = start
        self._loop = BackgroundLoop("queue", self.start_what_fits)

    async def open(self) -> None:
        await self._limits.open()
        self._loop.open()

    async def close(self) -> None:
        await self._loop.close()

    def wake(self) -> None:
        self._loop.wake()

    async def change_slots(self, change: SlotsChange) -> QueueState:
        """Applies at once: more runs start; with fewer slots, those that run continue and the next ones wait."""
        await self._limits.change(change)
        self.wake()
        return await self.state()

    @property
    def training_slots(self) -> int:
        return self._limits.value[Lane.training]

    async def state(self) -> QueueState:
        return await self._db.read(self._read_state)

    def describe_wait(self, conn: Connection, run: Run) -> str:
        """What this run will wait for when it enters the queue now, as a sentence."""
        lane = lane_of(run.kind)
        place = runs.count_queued_ahead(conn, kinds_of(lane), run.priority) + 1
        taken = sum(lane_of(other.kind) is lane for other in _list_running(conn))
        slots = self._limits.value[lane]
        return describe_wait(lane, slots, place, slots - taken)

    def _read_state(self, conn: Connection) -> QueueState:
        return describe_queue(
            self._limits.value, self._limits.default, _list_running(conn), runs.list_queued(conn)
        )

    async def start_what_fits(self) -> float:
        """One round; a run that cannot be started fails with the reason and does not delay the others."""
        for run in await self._db.read(self._find_startable):
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

    def _find_startable(self, conn: Connection) -> list[Run]:
        taken = self._taken_slots()
        free = {lane: slots - taken[lane] for lane, slots in self._limits.value.items()}
        return [
            run
            for lane in Lane
            if free[lane] > 0
            for run in runs.list_queued(conn, kinds_of(lane), free[lane])
        ]

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


def _list_running(conn: Connection) -> list[Run]:
    """Without runs adopted from another tool: they have no process of ours, so they take no slot."""
    return [run for run in runs.list_live(conn) if run.source is None]
