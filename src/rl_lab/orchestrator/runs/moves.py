"""Moves: what a user asks of a run (start, stop, pause, resume), checked against the table in `core/runs.py`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.errors import MoveRefused
from rl_lab.core.resuming import ResumeChoice
from rl_lab.core.runs import (
    LIVE,
    Move,
    Run,
    RunStatus,
    refuse_ended_play,
    refuse_imported,
    require_adopted_move,
    require_move,
)
from rl_lab.orchestrator.context import Context
from rl_lab.store import events, resume_choices, runs
from rl_lab.store.files.attempt_folder import Control

Check = Callable[[Run], Awaitable[object]]
CheckResume = Callable[[Run, ResumeChoice], Awaitable[object]]
NEWEST = ResumeChoice()


class Controls(Protocol):
    """What moves need of the supervisor."""

    def control(self, run_id: str, control: Control) -> None: ...

    def note_status(self, run: Run) -> None: ...


class WaitingRoom(Protocol):
    """What moves need of the queue."""

    def wake(self) -> None: ...

    def describe_wait(self, conn: Connection, run: Run) -> str: ...


class Moves:
    def __init__(
        self,
        context: Context,
        supervisor: Controls,
        *,
        check: Check,
        require_resumable: CheckResume,
        queue: WaitingRoom,
        stop_following: Callable[[Run], Awaitable[Run]],
    ) -> None:
        self._db = context.db
        self._changes = context.changes
        self._supervisor = supervisor
        self._check = check
        self._require_resumable = require_resumable
        self._queue = queue
        self._stop_following = stop_following

    async def move(
        self, run_id: str, move: Move, *, force: bool = False, choice: ResumeChoice = NEWEST
    ) -> Run:
        """MoveRefused with the allowed moves when the state of the run forbids it.

        A stop with `force` kills the worker at once, also one that is stopping already; no checkpoint is saved.
        `choice` is for the resume of an ended run.
        """
        run = await self._get(run_id)
        if run.source is not None:
            return await self._move_adopted(run, move)
        refuse_imported(move, run)
        refuse_ended_play(move, run)
        if move == "stop" and force:
            return await self._stop_now(run)
        require_move(move, run.status, is_foreign=run.is_program)
        if move == "start" or (move == "resume" and run.status is not RunStatus.paused):
            await self._check(run)
            return await self.enqueue(run, move, choice)
        if move == "stop":
            return await self.stop(run)
        if choice.checkpoint is not None:
            raise MoveRefused(
                "A paused run continues where it is; only one that has ended can be resumed from a checkpoint.",
                next_step="Stop it first.",
                allowed=run.allowed,
            )
        return await self._pause_or_continue(run, move)

    async def enqueue(self, run: Run, move: Move = "start", choice: ResumeChoice = NEWEST) -> Run:
        """For a run that passed the pre-flight check."""
        if move == "resume":
            await self._require_resumable(run, choice)
        resumed = "Resumed, and no longer archived." if run.archived else "Resumed."
        message = resumed if move == "resume" else ""
        changed = await self._change(run, RunStatus.queued, message, move, choice)
        self._queue.wake()
        return changed

    async def stop(self, run: Run) -> Run:
        target = require_move("stop", run.status, is_foreign=run.is_program)
        message = "Taken out of the queue." if target is RunStatus.stopped else "Asked to stop."
        changed = await self._change(run, target, message, "stop")
        self._supervisor.note_status(changed)
        self._supervisor.control(run.id, "stop")
        return changed

    async def _move_adopted(self, run: Run, move: Move) -> Run:
        """An adopted run has no process of ours: the only move is to stop following its folder."""
        require_adopted_move(move, run)
        return await self._stop_following(run)

    async def _stop_now(self, run: Run) -> Run:
        if run.status is not RunStatus.stopping:
            try:
                run = await self.stop(run)
            except MoveRefused:
                run = await self._get(run.id)
                # Another stop may have come first; then it is stopping, and can be killed.
                if run.status is not RunStatus.stopping:
                    raise
        if run.status not in LIVE:
            return run
        message = "Killed on request."
        await self._db.write(lambda conn: events.append(conn, run.id, event_log.RUN_KILLED, message))
        self._changes.events_written()
        self._supervisor.control(run.id, "kill")
        return run

    async def _pause_or_continue(self, run: Run, move: Move) -> Run:
        """The state changes when the worker reports it; until then only the request is shown."""
        wanted = move == "pause"
        changed = await self._db.write(lambda conn: runs.patch(conn, run.id, paused_wanted=wanted))
        self._supervisor.control(run.id, "pause" if wanted else "resume")
        self._changes.run_changed(changed)
        return changed

    async def _change(
        self, run: Run, to: RunStatus, message: str, move: Move, choice: ResumeChoice = NEWEST
    ) -> Run:
        """One compare-and-set; a second request for the same run is checked again from its new state."""

        def work(conn: Connection) -> Run | None:
            waits = self._queue.describe_wait(conn, run) if to is RunStatus.queued else ""
            text = f"{message} {waits}".strip()
            changed = runs.change_status(conn, run.id, expected=run.status, to=to, message=text)
            if changed is not None and move == "resume":
                resume_choices.put(conn, run.id, choice)
                # A list without archived runs has those that run.
                return runs.patch(conn, run.id, archived=False) if changed.archived else changed
            return changed

        changed = await self._db.write(work)
        if changed is None:
            return await self.move(run.id, move, choice=choice)
        self._changes.run_changed(changed)
        return changed

    async def _get(self, run_id: str) -> Run:
        return await self._db.read(lambda conn: runs.get(conn, run_id))
