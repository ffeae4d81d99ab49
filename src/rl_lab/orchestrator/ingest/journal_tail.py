"""A Tail follows one attempt's journal: read, fold, commit. Only the ingest's thread works on it.

A stretch that was folded is kept until it is committed, so a full disk delays it and loses nothing; all steps of
a commit may be repeated.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from rl_lab.core.protocol.events import FinishedEvent
from rl_lab.core.protocol.ticks import Tick
from rl_lab.core.runs import Progress, Summary
from rl_lab.orchestrator.ingest.fold import Fold
from rl_lab.orchestrator.ingest.fold_result import Folded, LogLine
from rl_lab.orchestrator.ingest.growing_file import GrowingFile
from rl_lab.orchestrator.ingest.journal_reader import CHUNK_BYTES, Journal, first_place, parse_lines
from rl_lab.orchestrator.ingest.journal_reader import Position as Place
from rl_lab.orchestrator.ingest.lab_db_writes import Effects
from rl_lab.orchestrator.ingest.run_state import Standing
from rl_lab.store.files.attempt_folder import AttemptFolder
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.telemetry import Applied, Batch, Position, TelemetryDb

PIECES = 8
REPORT_S = 0.25
"""Progress is told at most this often."""
TOO_MANY_SEQ = -2
"""Number of the log line about too many series: said once per attempt, whatever happens."""


class Seen(NamedTuple):
    """What the committed part of the journal says: the supervisor's evidence."""

    said_hello: bool = False
    is_paused: bool = False
    finished: FinishedEvent | None = None
    grew_at: float = 0.0
    """When lines last came, by the monotonic clock."""


class Report(NamedTuple):
    progress: Progress
    summary: Summary


class Waiting(NamedTuple):
    """Folded and not committed yet."""

    folded: Folded
    place: Place


class Tail:
    def __init__(
        self,
        folder: RunFolder,
        attempt: AttemptFolder,
        *,
        timestep0: int,
        total_timesteps: int,
        steps_per_second: int,
        recording_budget_bytes: int,
        learns: bool = False,
        on_evidence: Callable[[], None] = lambda: None,
    ) -> None:
        self.run_id = folder.run_id
        self.folder = folder
        self.attempt = attempt
        self.on_evidence = on_evidence
        """The ingest calls it on the event loop when `evidence` has changed."""
        self.seen = Seen(grew_at=time.monotonic())
        self.report: Report | None = None
        """New since it was last taken."""
        self.is_drained = False
        self.folder_gone = False
        self.retry_at = 0.0
        self.is_blocked = False
        """The disk is full; said once, until it works again."""
        self._timestep0 = timestep0
        self._total_timesteps = total_timesteps
        self._steps_per_second = steps_per_second
        self._budget = recording_budget_bytes
        self._learns = learns
        """The worker makes its environment itself: what it says of it belongs into the run's config."""
        self._is_ending = False
        self._is_open = False
        self._waiting: Waiting | None = None
        self._reported_at = 0.0
        self._is_report_due = True
        self.committed_ticks: list[Tick] = []
        self.has_new_recordings = False
        """More of an episode was committed; reset by the ingest once it is published."""
        self._said_too_many = False

    def expect_end(self) -> None:
        """Nothing will be written any more: the next time nothing is left to read, it is drained."""
        self._is_ending = True

    @property
    def evidence(self) -> tuple[bool, bool, bool]:
        """What the supervisor waits for; it looks again when this changes."""
        return self.seen.said_hello, self.seen.is_paused, self.is_drained

    def advance(self, write_effects: Callable[[Effects], None]) -> bool:
        """One stretch of the journal from file to store; False when there was nothing to do."""
        if not self._is_open:
            self._open()
        is_ending = self._is_ending
        if self._waiting is None:
            self._read_on()
        if self._waiting is None:
            self._rest(is_ending)
            return False
        self._commit(self._waiting, write_effects)
        self._waiting = None
        return True

    def begin_again(self) -> None:
        """The telemetry is damaged: it is put aside, and the journal, as far as it is still there, read anew."""
        self._waiting = None
        self.close()
        # The text file goes with it: it is written anew too, and what it alone still holds must stay.
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
        """Up to a mebibyte in pieces; other threads get their turn between two."""
        for piece in range(PIECES):
            data = self._journal.read()
            if data:
                self._fold.add(parse_lines(data))
            elif piece == 0:
                return
            if len(data) < CHUNK_BYTES // 2:
                break
        self._waiting = Waiting(self._fold.take(), self._journal.position)

    def _open(self) -> None:
        self._db = TelemetryDb(self.folder.telemetry, recording_budget_bytes=self._budget)
        state = self._db.state()
        standing = msgspec.convert(state, Standing) if state else Standing()
        position = self._db.position()
        place = Place(max(1, position.segment), position.offset)
        if standing.attempt != self.attempt.number:
            standing.begin_attempt(self.attempt.number, self._timestep0)
            place = first_place(self.attempt.journal)
        standing.total_timesteps = self._total_timesteps or standing.total_timesteps
        self._fold = Fold(standing, self._steps_per_second)
        self._journal = Journal(self.attempt.journal, place)
        self._jsonl = GrowingFile(self.folder.metrics_jsonl, self._db.metrics_jsonl_bytes())
        self._broken = GrowingFile(self.attempt.path / "broken.txt", standing.broken_bytes)
        self._unknown = GrowingFile(self.attempt.path / "unknown.jsonl", standing.unknown_bytes)
        self._is_open = True
        self._tell()

    def _commit(self, waiting: Waiting, write_effects: Callable[[Effects], None]) -> None:
        """Text files and lab.db first, both repeatable; the position last, with everything else in one stroke."""
        folded, standing = waiting.folded, self._fold.standing
        learned = folded.learned if self._learns else {}
        if folded.logs or folded.files or learned:
            write_effects(Effects(self.run_id, self.attempt.number, folded.logs, folded.files, learned))
        jsonl_bytes = self._jsonl.append([line + b"\n" for line in folded.jsonl])
        standing.broken_bytes = self._broken.append(folded.broken)
        standing.unknown_bytes = self._unknown.append(folded.unknown)
        applied = self._db.apply(
            Batch(
                position=Position(self.attempt.number, waiting.place.segment, waiting.place.offset),
                points=folded.points,
                episodes=folded.episodes,
                recordings=folded.recordings,
                ticks=folded.ticks,
                steps=folded.steps,
                counters=folded.counters,
                context=folded.context,
                metrics_jsonl_bytes=jsonl_bytes,
                state=msgspec.to_builtins(standing),
            )
        )
        self._jsonl.committed = jsonl_bytes
        self._broken.committed = standing.broken_bytes
        self._unknown.committed = standing.unknown_bytes
        self._number_ticks(folded, applied)
        self.has_new_recordings = self.has_new_recordings or bool(folded.recordings)
        if applied.points_left_out and not self._said_too_many:
            write_effects(Effects(self.run_id, self.attempt.number, [_too_many_series()], []))
            self._said_too_many = True
        self._journal.drop_read_segments()
        self.seen = Seen(standing.said_hello, standing.is_paused, standing.finished, time.monotonic())
        self._is_report_due = True
        if time.monotonic() - self._reported_at >= REPORT_S:
            self._make_report()

    def _number_ticks(self, folded: Folded, applied: Applied) -> None:
        first = applied.first_tick_id
        self.committed_ticks = [Tick(id=first + i, **tick) for i, tick in enumerate(folded.ticks)]

    def _rest(self, is_ending: bool) -> None:
        """Nothing to read. `is_ending` was looked at before the read, so that nothing can have come between."""
        if self._is_report_due and (is_ending or time.monotonic() - self._reported_at >= REPORT_S):
            self._make_report()
        if is_ending:
            self.is_drained = True

    def _make_report(self) -> None:
        self._is_report_due = False
        self._reported_at = time.monotonic()
        standing = self._fold.standing
        self.report = Report(standing.progress(), standing.summary())

    def _tell(self) -> None:
        standing = self._fold.standing
        self.seen = Seen(standing.said_hello, standing.is_paused, standing.finished, time.monotonic())


def _too_many_series() -> LogLine:
    words = "The run names more metrics than are kept; points of further names are counted and left out."
    return LogLine(TOO_MANY_SEQ, time.time(), "warning", "too_many_metrics", words, {})
