"""The Supervisor starts guardians, sends them control messages, and changes the state of runs on evidence.

Evidence is a level, never an edge: the journal so far, the exit record, the lock. Each look compares it with the state
of the run, so that nothing is missed when the lab was closed for a while.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core import event_log
from rl_lab.core.commands import Isolation
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.lengths.limits import NO_LIMITS, limits_of
from rl_lab.core.run_events import EventType
from rl_lab.core.runners import RunnerSpec
from rl_lab.core.runs import DEADLINES_S, PAUSE_DEADLINE_S, Run, RunStatus
from rl_lab.core.words.start_messages import inexact_resume, started_message
from rl_lab.guardian.processes import kill_survivors
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.guardians import has_ended, spawn_guardian
from rl_lab.orchestrator.execution.live_attempt import LiveAttempt
from rl_lab.orchestrator.execution.resume_points import forget_later
from rl_lab.orchestrator.execution.script_limits import ScriptLimits
from rl_lab.orchestrator.foreign.isolation import note_isolation
from rl_lab.orchestrator.housekeeping.pruning import Pruning
from rl_lab.orchestrator.ingest.thread import Ingest
from rl_lab.runners.registry import makes_environment, spec_of
from rl_lab.store import attempts, events, resume_choices, runs
from rl_lab.store.attempts import Attempt
from rl_lab.store.files.attempt_folder import AttemptFolder, Control

log = logging.getLogger(__name__)

LOOK_S = 0.1
"""Between two looks when nothing wakes the supervisor earlier."""
LOCK_LOOK_S = 1.0
"""Between two looks at the lock of a guardian that an earlier lab started."""
MISSED_LOOKS = 3
"""A guardian that was just started may not have its lock yet."""
STALLED_S, OWN_CODE_STALLED_S = 300.0, 60.0
"""Silence after which a line is logged; sooner where the user's own code may be in an endless loop."""
KILL_WAIT_S = 10.0

OnEnd = Callable[[LiveAttempt], Awaitable[None]]


class Supervisor:
    on_end: OnEnd
    """Does everything that follows when an attempt is over; given to `open`."""

    def __init__(self, context: Context, ingest: Ingest, pruning: Pruning) -> None:
        self._db = context.db
        self._changes = context.changes
        self._folders = context.folders
        self._ingest = ingest
        self._pruning = pruning
        self._loop = BackgroundLoop("supervisor", self._look_at_all)
        self.live: dict[str, LiveAttempt] = {}
        """By run id."""
        self.limits = ScriptLimits(context, self.live, self.control)
        self._exiting: set[int] = set()
        """Guardians whose record was read; their processes are still to be reaped."""
        self._pidfds: set[int] = set()
        """Descriptors that become readable when a guardian of ours exits."""
        settings = context.settings
        self.start_deadline_s = DEADLINES_S[RunStatus.starting]
        self.pause_deadline_s = PAUSE_DEADLINE_S
        self.stalled_s, self.own_code_stalled_s = STALLED_S, OWN_CODE_STALLED_S
        self.stop_deadline_s = settings.stop_grace_s + settings.kill_grace_s + 10.0

    def open(self, on_end: OnEnd) -> None:
        self.on_end = on_end
        self._loop.open()
        self.limits.open()

    async def close(self) -> None:
        await self.limits.close()
        await self._loop.close()
        for fd in list(self._pidfds):
            self._guardian_exited(fd)

    async def launch(
        self,
        run: Run,
        attempt: AttemptFolder,
        row: Attempt,
        *,
        isolation: Isolation | None = None,
    ) -> Run | None:
        """Starts a prepared attempt; None when the run is no longer queued."""
        changed = await self._db.write(lambda conn: self._enter_starting(conn, run, row, isolation))
        if changed is None:
            return None
        live = self.follow(changed, attempt, row)
        await self.spawn(live)
        self._changes.run_changed(changed)
        return changed

    def follow(
        self, run: Run, attempt: AttemptFolder, row: Attempt, *, rebooted: bool = False
    ) -> LiveAttempt:
        """Supervises an attempt from now on: one just started, or one that an earlier lab started."""
        total = getattr(run.config, "total_timesteps", 0)
        folder = self._folders.find(run.id)
        tail = self._ingest.follow(
            folder,
            attempt,
            timestep0=row.timestep0,
            total_timesteps=total,
            limits=limits_of(run.config),
            learns=makes_environment(run.config),
            keeps_unfinished=run.kind is RunKind.play,
            on_evidence=self._loop.wake,
        )
        spec = spec_of(run.config)
        live = LiveAttempt(
            run.id,
            attempt,
            tail,
            run.status,
            kind=run.kind,
            rebooted=rebooted,
            who=spec.worker_word if spec else "worker",
            started_message=started_message(run.config, row.timestep0),
            can_resume=spec is None or spec.capabilities.resume,
            is_foreign=run.isolation is not None,
            is_own_code=run.executes_own_code,
            limits=limits_of(run.config) if run.is_program else NO_LIMITS,
            trained_s=run.progress.elapsed_s,
        )
        if run.paused_wanted:
            live.pause_asked_at = time.monotonic()
            live.controls.append("pause")
        if run.status is RunStatus.stopping:
            live.controls.append("stop")
        self.live[run.id] = live
        return live

    def control(self, run_id: str, control: Control) -> None:
        """Sends a control message to the run's guardian, now or as soon as it listens."""
        live = self.live.get(run_id)
        if live is not None:
            live.controls.append(control)
            if control == "pause":
                live.pause_asked_at = time.monotonic()
            self._deliver(live)

    def note_status(self, run: Run) -> None:
        """The state was changed elsewhere (a user's stop): deadlines count from here."""
        live = self.live.get(run.id)
        if live is not None:
            live.enter(run.status)

    async def spawn(self, live: LiveAttempt) -> None:
        """Starts the guardian of an attempt; also at the next start of the lab, if it was killed before this.

        Should two start, one finds the lock taken and exits.
        """
        live.is_spawning = True
        try:
            # Before the worker may save files under the names of those that are to be deleted.
            await self._pruning.delete_forgotten(live.run_id)
            live.guardian_pid = await asyncio.to_thread(spawn_guardian, live.attempt)
        finally:
            live.is_spawning = False
        self._wake_on_exit(live.guardian_pid)

    def _wake_on_exit(self, guardian_pid: int) -> None:
        """Wakes the supervisor when the guardian exits. Without pidfd the next look notices it."""
        try:
            fd = os.pidfd_open(guardian_pid)
        except (AttributeError, OSError):
            return
        self._pidfds.add(fd)
        asyncio.get_running_loop().add_reader(fd, self._guardian_exited, fd)

    def _guardian_exited(self, fd: int) -> None:
        asyncio.get_running_loop().remove_reader(fd)
        self._pidfds.discard(fd)
        os.close(fd)
        self._loop.wake()

    def _enter_starting(
        self, conn: Connection, run: Run, row: Attempt, isolation: Isolation | None = None
    ) -> Run | None:
        changed = runs.change_status(
            conn,
            run.id,
            expected=RunStatus.queued,
            to=RunStatus.starting,
            version=run.version,
            attempt=row.number,
            event_type=event_log.RUN_STARTING,
            message=_starting_message(row, spec_of(run.config)),
        )
        if changed is None:
            return None
        attempts.put(conn, row)
        # In this transaction, because telemetry.db is rewound from now on: no checkpoint may be ahead of it.
        forget_later(conn, row)
        resume_choices.drop(conn, run.id)
        difference = inexact_resume(spec_of(run.config), row.timestep0) if row.resume_from else None
        if difference is not None:
            events.append(conn, run.id, event_log.RESUME_NOT_EXACT, difference, attempt=row.number)
        if isolation is None:
            return changed
        noted = note_isolation(conn, run.id, isolation)
        if run.executes_own_code:
            events.append(conn, run.id, event_log.OWN_ENVIRONMENT, event_log.OWN_ENVIRONMENT.example)
        return noted

    async def _look_at_all(self) -> float:
        for live in list(self.live.values()):
            try:
                await self._look(live)
            except (SQLAlchemyError, OSError) as error:
                # For example a full disk: nothing was half done, and the next look tries again.
                log.warning("run %s: %s", live.run_id, error)
            except Exception:
                # The edge: an error with one run must not keep the others from being supervised.
                log.exception("run %s cannot be supervised", live.run_id)
        # A guardian writes its record before it exits, so its process is reaped a moment later.
        self._exiting = {pid for pid in self._exiting if not has_ended(pid)}
        return LOOK_S

    async def _look(self, live: LiveAttempt) -> None:
        self._deliver(live)
        await self._look_for_end(live)
        if live.exit is not None or live.is_gone or live.folder_gone:
            live.tail.expect_end()
            self._ingest.wake()
            if live.tail.is_drained or live.folder_gone:
                await self._follow_evidence(live)
                await self._end(live)
            return
        await self._follow_evidence(live)
        await self._hold_deadlines(live)
        await self._notice_stall(live)

    async def _look_for_end(self, live: LiveAttempt) -> None:
        if live.exit is not None or live.is_gone:
            return
        if not live.attempt.path.is_dir() or live.tail.folder_gone:
            live.folder_gone = True
            await self._kill_survivors(live)
            return
        # The lock before the record: the record is written while the lock is held.
        is_alive = self._is_alive(live)
        live.exit = live.attempt.find_exit()
        if live.exit is None and not is_alive:
            await self._kill_survivors(live)
            live.is_gone = True

    def _is_alive(self, live: LiveAttempt) -> bool:
        """Whether a guardian still owns the attempt, as far as is known now."""
        if live.is_spawning:
            return True
        if live.rebooted:
            return False
        if live.guardian_pid is not None:
            if not has_ended(live.guardian_pid):
                return True
            live.guardian_pid = None
            live.next_look_at = 0.0
        if time.monotonic() < live.next_look_at:
            return True
        live.next_look_at = time.monotonic() + LOCK_LOOK_S
        if live.attempt.is_locked():
            live.missed_looks = 0
            return True
        live.missed_looks += 1
        return live.status is RunStatus.starting and live.missed_looks < MISSED_LOOKS

    async def _kill_survivors(self, live: LiveAttempt) -> None:
        left = await asyncio.to_thread(kill_survivors, live.run_id, live.attempt.number)
        if left:
            log.error("run %s: processes %s could not be killed", live.run_id, left)

    async def _follow_evidence(self, live: LiveAttempt) -> None:
        seen = live.tail.progress
        if live.status is RunStatus.starting and seen.said_hello:
            await self._move(
                live,
                RunStatus.starting,
                RunStatus.running,
                event_log.TRAINING_STARTED if live.kind is RunKind.train else event_log.RUN_RUNNING,
                live.started_message,
            )
        if live.status is RunStatus.running and seen.is_paused:
            await self._move(
                live,
                RunStatus.running,
                RunStatus.paused,
                event_log.RUN_PAUSED,
                "Paused at an update boundary.",
            )
        elif live.status is RunStatus.paused and not seen.is_paused:
            await self._move(live, RunStatus.paused, RunStatus.running, event_log.RUN_RESUMED, "Continuing.")

    async def _move(
        self, live: LiveAttempt, expected: RunStatus, to: RunStatus, type: EventType, message: str
    ) -> None:
        changed = await self._db.write(
            lambda conn: runs.change_status(
                conn, live.run_id, expected=expected, to=to, event_type=type, message=message
            )
        )
        if changed is None:
            # The state was changed elsewhere first, for example by a user's stop: continue with the stored one.
            changed = await self._db.read(lambda conn: runs.get(conn, live.run_id, include_deleted=True))
        live.enter(changed.status)
        self._changes.run_changed(changed)

    async def _hold_deadlines(self, live: LiveAttempt) -> None:
        now = time.monotonic()
        if live.status is RunStatus.starting and live.in_state_s > self.start_deadline_s:
            if live.who == "program":
                # A program need not send an event within a minute; it may be loading something large.
                message = "The program is running; it has sent no event yet."
                await self._move(
                    live, RunStatus.starting, RunStatus.running, event_log.TRAINING_STARTED, message
                )
                return
            live.start_timed_out = True
            await self._end_by_force(live)
        elif live.status is RunStatus.stopping and live.in_state_s > self.stop_deadline_s:
            await self._end_by_force(live)
        elif live.pause_asked_at is not None and now - live.pause_asked_at > self.pause_deadline_s:
            await self._withdraw_pause(live)

    async def _end_by_force(self, live: LiveAttempt) -> None:
        """Asks the guardian to kill the worker; if it does not, kills all processes of the attempt."""
        if live.kill_sent_at is None:
            live.kill_sent_at = time.monotonic()
            live.controls.append("kill")
        elif time.monotonic() - live.kill_sent_at > KILL_WAIT_S:
            await self._kill_survivors(live)
            live.is_gone = True

    async def _withdraw_pause(self, live: LiveAttempt) -> None:
        message = f"The worker could not pause within {self.pause_deadline_s:.0f} s; it continues."
        live.pause_asked_at = None
        live.controls.append("resume")
        changed = await self._db.write(lambda conn: _withdraw(conn, live.run_id, message))
        self._changes.run_changed(changed)

    async def _notice_stall(self, live: LiveAttempt) -> None:
        """No event for minutes is worth a line in the log, never a kill: the worker may be computing."""
        silent_s = time.monotonic() - live.tail.progress.grew_at
        longest_s = self.own_code_stalled_s if live.is_own_code else self.stalled_s
        if live.status is not RunStatus.running or silent_s < longest_s:
            live.is_stalled = False
        elif not live.is_stalled:
            live.is_stalled = True
            message = self._stalled_message(live, silent_s)
            await self._db.write(lambda conn: events.append(conn, live.run_id, event_log.STALLED, message))
            self._changes.events_written()

    def _stalled_message(self, live: LiveAttempt, silent_s: float) -> str:
        if not live.is_own_code:
            return f"No event for {silent_s / 60:.0f} minutes; the worker is alive and keeps running."
        return (
            f"No event for {silent_s:.0f} s: a reset() or step() of your own code may be in an endless loop. The run "
            f"continues; Stop ends it within {self.stop_deadline_s:.0f} s."
        )

    async def _end(self, live: LiveAttempt) -> None:
        await self.on_end(live)
        # A user may have continued the run as soon as its end was written: then its next attempt is in this place.
        if self.live.get(live.run_id) is live:
            del self.live[live.run_id]
        if live.guardian_pid is not None:
            self._exiting.add(live.guardian_pid)

    def _deliver(self, live: LiveAttempt) -> None:
        while live.controls and live.attempt.send(live.controls[0]):
            live.controls.popleft()


def _withdraw(conn: Connection, run_id: str, message: str) -> Run:
    events.append(conn, run_id, event_log.PAUSE_WITHDRAWN, message)
    return runs.patch(conn, run_id, paused_wanted=False)


def _starting_message(row: Attempt, spec: RunnerSpec | None) -> str:
    if row.resume_from is None:
        return f"The {spec.worker_word if spec else 'worker'} is being started."
    return f"The worker is being started from the checkpoint at step {row.timestep0:,}."
