"""A Tail follows one attempt's journal: read, fold, commit. Only the ingest thread works on it.

A folded part is kept until it is committed, so a full disk delays it and loses nothing; every step of a commit may
be repeated.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from rl_lab.core import event_log
from rl_lab.core.lengths.limits import NO_LIMITS, RunLimits
from rl_lab.core.protocol.events import FinishedEvent
from rl_lab.core.protocol.ticks import Tick
from rl_lab.core.runs import Progress, Summary
from rl_lab.orchestrator.ingest.episode_rows import cut_off_episode
from rl_lab.orchestrator.ingest.fold import Fold
from rl_lab.orchestrator.ingest.fold_result import FoldResult, LogLine
from rl_lab.orchestrator.ingest.growing_file import GrowingFile
from rl_lab.orchestrator.ingest.journal_reader import CHUNK_BYTES, JournalReader, first_position, parse_lines
from rl_lab.orchestrator.ingest.rewinding import rewind
from rl_lab.orchestrator.ingest.role_changes import rearrange
from rl_lab.orchestrator.ingest.role_choices import Figures, Roles, choose_roles
from rl_lab.orchestrator.ingest.run_state import RunState
from rl_lab.store.files.attempt_folder import AttemptFolder
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.snapshot_files import write_snapshot
from rl_lab.store.telemetry import TelemetryDb
from rl_lab.store.telemetry.new_points import NewPoints

log = logging.getLogger(__name__)

CHUNKS_PER_COMMIT = 8
WAL_IDLE_S = 5.0
TOO_MANY_SEQ = -2
"""Number of the log line about too many series: written once per attempt."""


class JournalProgress(NamedTuple):
    """What the committed part of a journal reports; replaced as a whole, so any thread may read it."""

    said_hello: bool = False
    is_paused: bool = False
    finished: FinishedEvent | None = None
    grew_at: float = 0.0
    """When lines last came, by the monotonic clock."""
    progress: Progress | None = None
    """None before the journal is opened."""
    summary: Summary | None = None


class Tail:
    def __init__(
        self,
        folder: RunFolder,
        attempt: AttemptFolder,
        *,
        timestep0: int,
        total_timesteps: int,
        limits: RunLimits = NO_LIMITS,
        steps_per_second: int,
        recording_budget_bytes: int,
        learns: bool = False,
        keeps_unfinished: bool = False,
        on_evidence: Callable[[], None] = lambda: None,
    ) -> None:
        self.run_id = folder.run_id
        self.folder = folder
        self.attempt = attempt
        self.on_evidence = on_evidence
        """The ingest calls it on the event loop when `evidence` has changed."""
        self.progress = JournalProgress(grew_at=time.monotonic())
        self.is_drained = False
        self.folder_gone = False
        self.retry_at = 0.0
        self.is_blocked = False
        """Storing failed (a full disk); reported once, when it works again."""
        self._timestep0 = timestep0
        self._total_timesteps = total_timesteps
        self._limits = limits
        self._steps_per_second = steps_per_second
        self._budget = recording_budget_bytes
        self._learns = learns
        """The program makes its own environment: what it reports about it belongs in the run's config."""
        self._keeps_unfinished = keeps_unfinished
        """An episode that was being played when the worker was killed is kept, as truncated."""
        self._is_ending = False
        self._is_open = False
        self._folded: FoldResult | None = None
        """Folded and not committed yet."""
        self.committed_ticks: list[Tick] = []
        self.has_new_recordings = False
        """More of an episode was committed; reset by the ingest once it is published."""
        self.new_points = NewPoints()
        """Committed and not published yet."""
        self.points_due_at = 0.0
        """When they may be published, by the monotonic clock."""
        self.was_sorted = False
        """Episodes were sorted again after a change of roles; reset by the ingest once it is logged."""
        self.was_rewound = False
        """What came after the checkpoint was dropped; reset by the ingest once it is published."""
        self._reported_too_many = False
        self._checkpoint_at = float("inf")
        """When the write-ahead log is emptied unless more is written, by the monotonic clock."""

    def expect_end(self) -> None:
        """Nothing more will be written: the next time there is nothing to read, the journal is drained."""
        self._is_ending = True

    @property
    def evidence(self) -> tuple[bool, bool, bool]:
        """What the supervisor waits for; it is called when this changes."""
        return self.progress.said_hello, self.progress.is_paused, self.is_drained

    def advance(self, write_to_lab_db: Callable[[Tail, FoldResult], None]) -> bool:
        """Read, fold and commit the next part of the journal; False when there was nothing to do."""
        if not self._is_open:
            self._open()
        # Looked at before the read, so that nothing can have been written in between.
        is_ending = self._is_ending
        if self._folded is None:
            self._read_on()
        if self._folded is None and is_ending and self._keeps_unfinished:
            self._fold_unfinished()
        if self._folded is None:
            self.is_drained = self.is_drained or is_ending
            self._checkpoint_if_idle()
            return False
        self._commit(self._folded, write_to_lab_db)
        self._folded = None
        self._sort_if_roles_changed()
        return True

    def choose_roles(self, roles: Roles) -> Figures:
        """A user changed the role of environments of this script; returns the figures that follow."""
        if not self._is_open:
            self._open()
        figures = choose_roles(self._db, self._fold.state, roles)
        self._report_progress()
        return figures

    def _sort_if_roles_changed(self) -> None:
        state = self._fold.state
        if state.roles_changed:
            self._db.rearrange(rearrange(self._db.all_episodes(), state))
            self._report_progress()
            self.was_sorted = True

    def begin_again(self) -> None:
        """The telemetry is damaged: put it aside and read the journal again, as far as it still exists."""
        self._folded = None
        self.new_points.clear()
        self.close()
        # The text file is written again too; the old one is kept, since it may hold more.
        for name in ("telemetry.db", "telemetry.db-wal", "telemetry.db-shm", self.folder.metrics_jsonl.name):
            path = self.folder.path / name
            if path.exists():
                path.replace(self.folder.path / f"damaged-{int(time.time())}-{path.name}")

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._journal.close()
            for file in (self._jsonl, self._broken, self._unknown):
                file.close()
            self._db.close()

    def _read_on(self) -> None:
        """Up to a mebibyte in chunks; other threads may run between two."""
        for chunk in range(CHUNKS_PER_COMMIT):
            data = self._journal.read()
            if data:
                self._fold.add(parse_lines(data))
            elif chunk == 0:
                return
            if len(data) < CHUNK_BYTES // 2:
                break
        self._folded = self._fold.take()
        self._folded.position = self._journal.position

    def _fold_unfinished(self) -> None:
        """As the end of the journal would have reported it; once, because it is no longer being played after that."""
        unfinished = self._db.unfinished()
        if unfinished:
            self._fold.add([cut_off_episode(event) for event in unfinished])
            self._folded = self._fold.take()
            # A batch is stored when its position is new; nothing follows this one.
            end = self._journal.position
            self._folded.position = end._replace(offset=end.offset + 1)

    def _open(self) -> None:
        self._db = TelemetryDb(self.folder.telemetry, recording_budget_bytes=self._budget)
        stored = self._db.state()
        state = msgspec.convert(stored, RunState) if stored else RunState()
        position = self._db.position()
        if state.attempt != self.attempt.number:
            is_first = state.attempt == 0
            state.begin_attempt(self.attempt.number, self._timestep0)
            state.total_timesteps = 0  # a run that was lengthened may end by time now
            position = first_position(self.attempt.journal, self.attempt.number)
            if not is_first and self._db.has_after(self._timestep0):
                rewind(self._db, state, self._timestep0, position, self.folder.metrics_jsonl)
                self.was_rewound = True
        state.total_timesteps = self._total_timesteps or state.total_timesteps
        state.max_seconds, state.max_episodes = self._limits
        folders = dict.fromkeys([str(self.folder.path), os.path.realpath(self.folder.path)])
        self._fold = Fold(state, self._steps_per_second, tuple(folders))
        self._journal = JournalReader(self.attempt.journal, position)
        self._jsonl = GrowingFile(self.folder.metrics_jsonl, self._db.metrics_jsonl_bytes())
        self._broken = GrowingFile(self.attempt.path / "broken.txt", state.broken_bytes)
        self._unknown = GrowingFile(self.attempt.path / "unknown.jsonl", state.unknown_bytes)
        self._is_open = True
        self._sort_if_roles_changed()
        self._report_progress()

    def _commit(self, folded: FoldResult, write_to_lab_db: Callable[[Tail, FoldResult], None]) -> None:
        """Text files and lab.db first, both repeatable; then everything else with the position, in one transaction."""
        state = self._fold.state
        if not self._learns:
            folded.script_config = {}
        if folded.logs or folded.files or folded.evaluations or folded.script_config or folded.played:
            write_to_lab_db(self, folded)
        if folded.snapshot is not None:
            write_snapshot(self.folder, folded.snapshot)
        folded.metrics_jsonl_bytes = self._jsonl.append([line + b"\n" for line in folded.jsonl])
        state.broken_bytes = self._broken.append(folded.broken)
        state.unknown_bytes = self._unknown.append(folded.unknown)
        folded.state = msgspec.to_builtins(state)
        applied = self._db.apply(folded)
        self._jsonl.committed = folded.metrics_jsonl_bytes
        self._broken.committed = state.broken_bytes
        self._unknown.committed = state.unknown_bytes
        first = applied.first_tick_id
        self.committed_ticks = [Tick(id=first + i, **tick) for i, tick in enumerate(folded.ticks)]
        self.new_points.add(applied.points)
        self.has_new_recordings = self.has_new_recordings or bool(folded.recordings)
        if applied.points_left_out and not self._reported_too_many:
            write_to_lab_db(self, FoldResult(logs=[_too_many_series()]))
            self._reported_too_many = True
        self._journal.drop_read_segments()
        self._checkpoint_at = time.monotonic() + WAL_IDLE_S
        self._report_progress()

    def _checkpoint_if_idle(self) -> None:
        """Empties the write-ahead log once nothing was written for a while; a busy reader delays it."""
        if time.monotonic() < self._checkpoint_at:
            return
        done = self._db.checkpoint()
        self._checkpoint_at = time.monotonic() + WAL_IDLE_S if done.busy else float("inf")
        log.info(
            "run %s: wal_checkpoint(TRUNCATE) busy=%d log=%d checkpointed=%d",
            self.run_id,
            *done,
        )

    def _report_progress(self) -> None:
        state = self._fold.state
        self.progress = JournalProgress(
            state.said_hello,
            state.is_paused,
            state.finished,
            time.monotonic(),
            state.progress(),
            state.summary(),
        )


def _too_many_series() -> LogLine:
    message = (
        "The run reports more metrics than are kept; points of further metrics are counted and left out."
    )
    return LogLine(TOO_MANY_SEQ, time.time(), event_log.TOO_MANY_METRICS, message, {})
