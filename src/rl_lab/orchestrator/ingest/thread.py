"""The Ingest: one thread that follows the journals of all live runs and stores their events exactly once.

It works in short steps, so that the event loop is not kept waiting.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core import event_log
from rl_lab.core.errors import Gone
from rl_lab.core.lengths.limits import RunLimits
from rl_lab.core.protocol.ticks import Tick
from rl_lab.orchestrator.bus import metrics_topic, points_topic, recordings_topic
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.ingest.fold_result import FoldResult
from rl_lab.orchestrator.ingest.journal_tail import Tail
from rl_lab.orchestrator.ingest.lab_db_writes import write_to_lab_db
from rl_lab.orchestrator.ingest.role_choices import Figures, RoleChoice, Roles, choose_in_file
from rl_lab.store import events
from rl_lab.store.files.attempt_folder import AttemptFolder
from rl_lab.store.files.folders import RunFolder

log = logging.getLogger(__name__)

POLL_S = 0.03
DAMAGED = frozenset({"SQLITE_CORRUPT", "SQLITE_NOTADB"})
BROKEN_RETRY_S = 5.0
RETRY_S = 0.5
"""Between two tries to store something on a full disk."""
POINTS_S = 0.25
"""Between two messages with new points of a run."""


class Ingest:
    def __init__(self, context: Context, on_files: Callable[[str], None]) -> None:
        """`on_files` is called on the event loop when a run has made files."""
        self._settings = context.settings
        self._db = context.db
        self._bus = context.bus
        self._feed = context.changes
        self._on_files = on_files
        self._lock = threading.Lock()
        self._tails: list[Tail] = []
        self._leaving: list[Tail] = []
        self._choices: list[RoleChoice] = []
        self._woken = threading.Event()
        self._is_closing = False
        self._thread = threading.Thread(target=self._serve, name="ingest", daemon=True)

    def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def close(self) -> None:
        """Finishes the current commit and reads nothing more; the rest is read at the next start."""
        self._is_closing = True
        self._woken.set()
        if self._thread.is_alive():
            await asyncio.to_thread(self._thread.join)

    def follow(
        self,
        folder: RunFolder,
        attempt: AttemptFolder,
        *,
        timestep0: int,
        total_timesteps: int,
        limits: RunLimits,
        learns: bool = False,
        keeps_unfinished: bool = False,
        on_evidence: Callable[[], None],
    ) -> Tail:
        """`on_evidence` is called on the event loop when the journal has an event that may change the run's state."""
        tail = Tail(
            folder,
            attempt,
            timestep0=timestep0,
            total_timesteps=total_timesteps,
            limits=limits,
            steps_per_second=self._settings.steps_per_second,
            recording_budget_bytes=self._settings.recording_budget_bytes,
            learns=learns,
            keeps_unfinished=keeps_unfinished,
            on_evidence=on_evidence,
        )
        with self._lock:
            self._tails.append(tail)
        self._woken.set()
        return tail

    def wake(self) -> None:
        """Read the journals now instead of at the next poll."""
        self._woken.set()

    def forget(self, tail: Tail) -> None:
        """The attempt is over and everything is stored."""
        with self._lock:
            if tail in self._tails:
                self._tails.remove(tail)
                self._leaving.append(tail)
        self._woken.set()

    async def choose_roles(self, folder: RunFolder, roles: Roles) -> Figures:
        """A user changed the role of environments of a captured script; returns the run's figures that follow."""
        choice = RoleChoice(folder, roles, self._loop.create_future())
        with self._lock:
            self._choices.append(choice)
        self._woken.set()
        return await choice.figures

    def _serve(self) -> None:
        try:
            while not self._is_closing:
                if not self._go_round():
                    self._woken.wait(POLL_S)
                    self._woken.clear()
        finally:
            with self._lock:
                self._leaving += self._tails
                self._tails = []
            self._close_leaving()

    def _go_round(self) -> bool:
        with self._lock:
            tails = list(self._tails)
            choices, self._choices = self._choices, []
        self._close_leaving()
        for choice in choices:
            self._apply_choice(choice, tails)
        is_busy = False
        for tail in tails:
            is_busy = self._advance(tail) or is_busy
        return is_busy

    def _advance(self, tail: Tail) -> bool:
        """The next part of one journal; a fault in one run does not affect the others."""
        if tail.folder_gone or time.monotonic() < tail.retry_at:
            return False
        before = tail.evidence
        try:
            has_read = tail.advance(self._write_to_lab_db)
            if time.monotonic() >= tail.points_due_at:
                self._publish_points(tail)
        except Gone:
            tail.folder_gone = True
            return False
        except (sqlite3.Error, SQLAlchemyError, OSError) as error:
            self._delay(tail, error)
            return False
        except Exception:
            # The edge: a fault in one run does not affect the others.
            log.exception("run %s cannot be read", tail.run_id)
            tail.retry_at = time.monotonic() + BROKEN_RETRY_S
            return False
        if tail.is_blocked:
            self._unblock(tail)
        if tail.was_sorted:
            self._log_sorting(tail)
        if has_read:
            self._publish(tail)
        if tail.evidence != before:
            self._call(tail.on_evidence)
        return has_read

    def _log_sorting(self, tail: Tail) -> None:
        """After the commit, so that a client that reacts to this line reads the new curves."""
        tail.was_sorted = False
        message = "The role of an environment changed: curves, figures and episodes were computed again."
        with suppress(SQLAlchemyError):  # a line that does not fit on a full disk
            self._db.write_from_thread(
                lambda conn: events.append(conn, tail.run_id, event_log.ENVIRONMENT_ROLE, message)
            )
        self._call(self._feed.events_written)

    def _apply_choice(self, choice: RoleChoice, tails: list[Tail]) -> None:
        try:
            tail = next((one for one in tails if one.run_id == choice.folder.run_id), None)
            figures = tail.choose_roles(choice.roles) if tail else choose_in_file(choice.folder, choice.roles)
        except Exception as error:  # the edge: the caller gets it
            self._call(choice.fail, error)
        else:
            self._call(choice.answer, figures)

    def _write_to_lab_db(self, tail: Tail, result: FoldResult) -> None:
        run_id, attempt = tail.run_id, tail.attempt.number
        changed = self._db.write_from_thread(lambda conn: write_to_lab_db(conn, run_id, attempt, result))
        if changed is not None:
            RunFolder(self._settings.home_path, changed.id).write_config(changed.config)
            self._call(self._feed.run_changed, changed)
        self._call(self._feed.events_written)
        if result.files:
            self._call(self._on_files, run_id)

    def _publish(self, tail: Tail) -> None:
        ticks, tail.committed_ticks = tail.committed_ticks, []
        if ticks:
            self._call(self._publish_ticks, metrics_topic(tail.run_id), ticks)
        grew, tail.has_new_recordings = tail.has_new_recordings, False
        topic = recordings_topic(tail.run_id)
        if grew and self._bus.has_readers(topic):
            self._call(self._bus.publish, topic, 0, None)

    def _publish_ticks(self, topic: str, ticks: list[Tick]) -> None:
        for tick in ticks:
            self._bus.publish(topic, tick.id, tick)

    def _publish_points(self, tail: Tail) -> None:
        """Points that were committed since the last message; nothing is kept while nobody reads."""
        if not tail.new_points:
            return
        topic = points_topic(tail.run_id)
        if self._bus.has_readers(topic):
            tail.points_due_at = time.monotonic() + POINTS_S
            self._call(self._bus.publish, topic, 0, tail.new_points.take())
        else:
            tail.new_points.clear()

    def _delay(self, tail: Tail, error: Exception) -> None:
        """Nothing is lost: the journal and the folded part are kept and tried again."""
        if not tail.folder.path.is_dir():
            tail.folder_gone = True
            return
        tail.retry_at = time.monotonic() + RETRY_S
        if getattr(error, "sqlite_errorname", "") in DAMAGED:
            log.error("run %s: telemetry.db is damaged and was put aside: %s", tail.run_id, error)
            tail.begin_again()
        if not tail.is_blocked:
            tail.is_blocked = True
            log.warning("run %s: storing is delayed: %s", tail.run_id, error)

    def _unblock(self, tail: Tail) -> None:
        message = "Events of this run could not be stored for a while (is the disk full?); nothing was lost."
        try:
            self._db.write_from_thread(
                lambda conn: events.append(conn, tail.run_id, event_log.STORING_DELAYED, message)
            )
        except SQLAlchemyError:
            return  # the log line does not fit either; it is written when there is room
        tail.is_blocked = False
        self._call(self._feed.events_written)

    def _close_leaving(self) -> None:
        with self._lock:
            leaving, self._leaving = self._leaving, []
        for tail in leaving:
            try:
                self._publish_points(tail)
                tail.close()
            except (sqlite3.Error, OSError) as error:
                log.warning("run %s: %s", tail.run_id, error)

    def _call(self, function: Callable[..., object], *args: object) -> None:
        with suppress(RuntimeError):  # the event loop is closed
            self._loop.call_soon_threadsafe(function, *args)
