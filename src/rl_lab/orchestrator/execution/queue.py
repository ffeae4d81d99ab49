"""The queue: which waiting runs start when. Its rules are in `core/queue/`.

Everything is stored in lab.db, so it survives restarts.
"""

from __future__ import annotations

import errno
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core import event_log
from rl_lab.core.errors import InvalidInput, LabError, NotReady
from rl_lab.core.queue.decisions import (
    PAUSED,
    Situation,
    StartDecision,
    WaitingRun,
    decide_starts,
    describe_new,
)
from rl_lab.core.queue.lanes import Lane, kinds_of, lane_of
from rl_lab.core.queue.order import QueuePlace, move_block
from rl_lab.core.queue.resources import Capacity, free_of
from rl_lab.core.queue.state import (
    PriorityChange,
    QueueMove,
    QueueState,
    RunningEntry,
    SlotsChange,
    WaitingEntry,
)
from rl_lab.core.runs import EndReason, Run, RunStatus
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.bus import QUEUE_TOPIC
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.dataset_contents import StillComparing
from rl_lab.orchestrator.execution.machine_room import count_gpus, read_memory, usable_cores
from rl_lab.orchestrator.execution.queue_pause import QueuePause
from rl_lab.orchestrator.execution.run_needs import RunNeeds
from rl_lab.orchestrator.execution.slot_limits import SlotLimits
from rl_lab.store import events, queue, runs
from rl_lab.store.queue import QueuedRow

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""How often the queue looks without being woken."""
LOOKED_AT = 500
"""Waiting runs that one look considers for a start: those behind them wait for those in front."""
YOUNG_S = 15.0
"""A run that started this recently may not have taken its memory yet, so all of it counts as taken."""
PASSING = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.EIO}
)
"""Problems of the machine, not of the run: the queue waits until they are over."""
NEXT_STEP = "`rl-lab doctor` checks the installation; the lab's own output in the terminal has details."
RESUME_IT = "`rl-lab queue resume`, or the button on the page Queue, resumes it."


class Queue:
    def __init__(
        self,
        context: Context,
        *,
        taken_slots: Callable[[], Counter[Lane]],
        start: Callable[[Run], Awaitable[None]],
    ) -> None:
        self._limits = SlotLimits(context)
        self._pause = QueuePause(context)
        self._needs = RunNeeds()
        self._db = context.db
        self._bus = context.bus
        self._changes = context.changes
        self._runs_per_gpu = context.settings.runs_per_gpu
        self._taken_slots = taken_slots
        self._start = start
        self._launched: dict[str, float] = {}
        """When this process started a run, by the monotonic clock."""
        self._loop = BackgroundLoop("queue", self.start_what_fits)

    async def open(self) -> None:
        await self._limits.open()
        await self._pause.open()
        self._loop.open()

    async def close(self) -> None:
        await self._loop.close()

    def wake(self) -> None:
        self._loop.wake()

    def note_end(self) -> None:
        """A run has ended: its slot is free, and what it used is known."""
        self._needs.forget()
        self.wake()

    def note_change(self) -> None:
        """The order or the limits have changed: one small message for all clients, which fetch the queue again."""
        self._bus.publish(QUEUE_TOPIC, time.time_ns() // 1000, {"changed": True})
        self.wake()

    async def change_slots(self, change: SlotsChange) -> QueueState:
        """Applies at once: more runs start; with fewer slots, those that run continue and the next ones wait."""
        await self._limits.change(change)
        self.note_change()
        return await self.state()

    async def change_pause(self, is_on: bool) -> QueueState:
        """While it is on, no run starts; those that run continue. Kept across restarts."""
        await self._pause.change(is_on)
        self.note_change()
        return await self.state()

    async def move(self, move: QueueMove) -> QueueState:
        """In one transaction, from the order as it is then."""
        await self._db.write(lambda conn: _move(conn, move))
        self.note_change()
        return await self.state()

    async def change_priority(self, change: PriorityChange) -> QueueState:
        await self._db.write(lambda conn: _change_priority(conn, change))
        self.note_change()
        return await self.state()

    @property
    def training_slots(self) -> int:
        return self._limits.value[Lane.training]

    async def state(self) -> QueueState:
        return await self._db.read(self._read_state)

    def describe_wait(self, conn: Connection, run: Run) -> str:
        """What this run will wait for when it enters the queue now, as a sentence."""
        lane = lane_of(run.kind)
        if self._pause.is_on and lane is not Lane.play:
            return f"{PAUSED} {RESUME_IT}"
        place = queue.find_end_place(conn, run.kind, run.priority, run.study_id)
        ahead = queue.count_ahead(conn, lane, run.priority, place)
        running = queue.list_running(conn)
        now = self._situation(conn, running, Counter(lane_of(row.kind) for row in running))
        row = queue.row_of(run, place)
        return describe_new(self._with_needs(conn, row), now, ahead)

    def _read_state(self, conn: Connection) -> QueueState:
        running = queue.list_running(conn)
        now = self._situation(conn, running, Counter(lane_of(row.kind) for row in running))
        slots, default = self._limits.value, self._limits.default
        decided = decide_starts(self._list_waiting(conn, Lane), now)
        return QueueState(
            paused=self._pause.is_on,
            default_training_slots=default[Lane.training],
            default_job_slots=default[Lane.job],
            training_slots=slots[Lane.training],
            job_slots=slots[Lane.job],
            running=[
                RunningEntry(
                    run_id=row.run_id,
                    name=row.name,
                    kind=row.kind,
                    priority=row.priority,
                    study_id=row.study_id,
                )
                for row in running
            ],
            waiting=[_entry(one) for one in decided],
        )

    def _situation(self, conn: Connection, running: Sequence[QueuedRow], taken: Counter[Lane]) -> Situation:
        memory = read_memory()
        # Who asks for more trainings at once than there are cores gets them: slots are the user's word.
        cores = max(usable_cores(), self._limits.value[Lane.training])
        total = Capacity(cores, memory.total, count_gpus() * self._runs_per_gpu)
        needs = {row.run_id: self._needs.of(conn, row) for row in running}
        free_memory = memory.available - sum(
            n.memory for run_id, n in needs.items() if self._is_young(run_id)
        )
        return Situation(
            slots=self._limits.value,
            taken=taken,
            total=total,
            free=free_of(total, free_memory, needs.values()),
            live=max(len(running), taken.total()),
            paused=self._pause.is_on,
            held=queue.list_paused_studies(conn),
        )

    def _is_young(self, run_id: str) -> bool:
        return time.monotonic() - self._launched.get(run_id, -YOUNG_S) < YOUNG_S

    def _list_waiting(
        self, conn: Connection, lanes: Iterable[Lane], limit: int | None = None
    ) -> list[WaitingRun]:
        """Trainings before jobs, each in the order of start."""
        rows = [row for lane in lanes for row in queue.list_waiting(conn, kinds_of(lane), limit)]
        return [self._with_needs(conn, row) for row in rows]

    def _with_needs(self, conn: Connection, row: QueuedRow) -> WaitingRun:
        return WaitingRun(*row[:6], needs=self._needs.of(conn, row))

    async def start_what_fits(self) -> float:
        """One round; a run that cannot be started fails with the reason and does not delay the others."""
        for run, warning in await self._db.read(self._find_startable):
            try:
                await self._start_one(run, warning)
            except StillComparing:
                continue  # the end of the comparison wakes the queue
            except LabError as error:
                cause = error.cause if isinstance(error, NotReady) else "not-ready"
                await self._refuse(run, cause, error.detail, error.next_step or "")
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

    def _find_startable(self, conn: Connection) -> list[tuple[Run, str | None]]:
        taken = self._taken_slots()
        lanes = [lane for lane, slots in self._limits.value.items() if taken[lane] < slots]
        if self._pause.is_on:
            lanes = [lane for lane in lanes if lane is Lane.play]
        if not lanes:
            return []
        waiting = self._list_waiting(conn, lanes, LOOKED_AT)
        if not waiting:
            return []
        now = self._situation(conn, queue.list_running(conn), Counter(taken))
        chosen = {one.run.run_id: one for one in decide_starts(waiting, now) if one.starts}
        return [(run, chosen[run.id].warning) for run in runs.get_all(conn, list(chosen))]

    async def _start_one(self, run: Run, warning: str | None) -> None:
        if warning is not None and run.id not in self._launched:
            message = (
                f"{warning} Nothing else runs, so it starts anyway; it may be slow or run out of memory."
            )
            await self._db.write(
                lambda conn: events.append(conn, run.id, event_log.MACHINE_TOO_SMALL, message)
            )
        self._launched = {run_id: at for run_id, at in self._launched.items() if self._is_young(run_id)}
        self._launched[run.id] = time.monotonic()
        await self._start(run)

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


def _entry(one: StartDecision) -> WaitingEntry:
    run = one.run
    return WaitingEntry(
        run_id=run.run_id,
        name=run.name,
        kind=run.kind,
        priority=run.priority,
        study_id=run.study_id,
        place=one.place,
        reason=one.reason,
    )


def _move(conn: Connection, move: QueueMove) -> None:
    moved = _targets(conn, move.run_id, move.study_id)
    lane = lane_of(queue.require_waiting(conn, moved[0]))
    waiting = queue.list_places(conn, lane)
    queue.put_places(conn, move_block(waiting, set(moved), _number_before(conn, move, waiting, moved)))


def _number_before(
    conn: Connection, move: QueueMove, waiting: Sequence[QueuePlace], moved: Sequence[str]
) -> int:
    """How many of the runs that are not moved start before those that are."""
    rest = [row.run_id for row in waiting if row.run_id not in set(moved)]
    if move.before is None:
        assert move.to is not None
        if move.to > len(rest) + 1:
            places = f"1 to {len(rest) + 1:,}"
            raise InvalidInput.of_field("to", f"there is no place {move.to:,}; {places} are possible")
        return move.to - 1
    if move.before in moved:
        raise InvalidInput.of_field("before", "a run cannot be moved before itself")
    queue.require_waiting(conn, move.before)
    if move.before not in rest:
        raise InvalidInput.of_field(
            "before", "trainings and jobs wait for different slots, so they have no common order"
        )
    return rest.index(move.before)


def _change_priority(conn: Connection, change: PriorityChange) -> None:
    queue.put_priority(conn, _targets(conn, change.run_id, change.study_id), change.priority)
    if change.study_id is not None:
        queue.put_study_priority(conn, change.study_id, change.priority)


def _targets(conn: Connection, run_id: str | None, study_id: str | None) -> list[str]:
    if study_id is not None:
        return queue.list_waiting_of_study(conn, study_id)
    assert run_id is not None
    queue.require_waiting(conn, run_id)
    return [run_id]
