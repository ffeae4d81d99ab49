"""Moves: what a user asks of a run (start, stop, pause, resume), held to the table in `core/runs.py`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from rl_lab.core.errors import MoveRefused
from rl_lab.core.runs import LIVE, Move, Run, RunStatus, require_adopted_move, require_move
from rl_lab.orchestrator.change_feed import ChangeFeed
from rl_lab.orchestrator.execution.supervisor import Supervisor
from rl_lab.orchestrator.writing import Writing
from rl_lab.store import events, runs

Check = Callable[[Run], Awaitable[None]]


class Moves:
    def __init__(
        self,
        writing: Writing,
        feed: ChangeFeed,
        supervisor: Supervisor,
        *,
        check: Check,
        require_resumable: Check,
        wake_queue: Callable[[], None],
        stop_following: Callable[[Run], Awaitable[Run]],
    ) -> None:
        self._db = writing.db
        self._write = writing.write
        self._feed = feed
        self._supervisor = supervisor
        self._check = check
        self._require_resumable = require_resumable
        self._wake_queue = wake_queue
        self._stop_following = stop_following

    async def move(self, run_id: str, move: Move, *, force: bool = False) -> Run:
        """What a user asks of a run; MoveRefused with the allowed moves when its state forbids it.

        A stop with `force` ends the worker at once, also one that is asked to stop already; no checkpoint is saved.
        """
        run = await self._get(run_id)
        if run.source is not None:
            return await self._move_adopted(run, move)
        if move == "stop" and force:
            return await self._stop_now(run)
        require_move(move, run.status, is_foreign=run.isolation is not None)
        if move == "start" or (move == "resume" and run.status is not RunStatus.paused):
            return await self._enqueue(run, move)
        if move == "stop":
            return await self.stop(run)
        return await self._pause_or_go_on(run, move)

    async def _move_adopted(self, run: Run, move: Move) -> Run:
        """No process of ours belongs to an adopted run: all one can ask is to follow it no longer."""
        require_adopted_move(move, run)
        return await self._stop_following(run)

    async def _enqueue(self, run: Run, move: Move) -> Run:
        await self._check(run)
        if move == "resume":
            await self._require_resumable(run)
        words = "Waiting for a free slot." if move == "start" else "Resumed; waiting for a free slot."
        changed = await self._change(run, RunStatus.queued, words, move)
        self._wake_queue()
        return changed

    async def stop(self, run: Run) -> Run:
        target = require_move("stop", run.status, is_foreign=run.isolation is not None)
        words = "Taken out of the queue." if target is RunStatus.stopped else "Asked to stop."
        changed = await self._change(run, target, words, "stop")
        self._supervisor.note_status(changed)
        self._supervisor.control(run.id, "stop")
        return changed

    async def _stop_now(self, run: Run) -> Run:
        if run.status is not RunStatus.stopping:
            try:
                run = await self.stop(run)
            except MoveRefused:
                run = await self._get(run.id)
                if (
                    run.status is not RunStatus.stopping
                ):  # else a polite stop came in between, which is no reason
                    raise
        if run.status not in LIVE:
            return run
        words = "Asked to end at once."
        await self._write(lambda conn: events.append(conn, run.id, "warning", "run_killed", words))
        self._feed.events_written()
        self._supervisor.control(run.id, "kill")
        return run

    async def _pause_or_go_on(self, run: Run, move: Move) -> Run:
        """The state follows when the worker says so; until then the wish is shown."""
        wanted = move == "pause"
        changed = await self._write(lambda conn: runs.patch(conn, run.id, paused_wanted=wanted))
        self._supervisor.control(run.id, "pause" if wanted else "resume")
        self._feed.run_changed(changed)
        return changed

    async def _change(self, run: Run, to: RunStatus, words: str, move: Move) -> Run:
        """One compare-and-set; whoever comes second is told by the table of moves."""
        changed = await self._write(
            lambda conn: runs.change_status(conn, run.id, expected=run.status, to=to, message=words)
        )
        if changed is None:
            return await self.move(run.id, move)
        self._feed.run_changed(changed)
        return changed

    async def _get(self, run_id: str) -> Run:
        return await self._db.read(lambda conn: runs.get(conn, run_id))
