"""TelemetryDb writes a run's telemetry. A batch and the journal's position are stored in one transaction."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rl_lab.core.errors import Gone
from rl_lab.core.protocol.events import StepsEvent
from rl_lab.core.script_environments import FIRST_EVALUATION
from rl_lab.store.sql.columns import dump_json
from rl_lab.store.telemetry.batch import Applied, Batch, NewEpisode, Position, Rearrangement
from rl_lab.store.telemetry.live import read_live
from rl_lab.store.telemetry.schema import BUSY_TIMEOUT_MS, open_writer

RECORDING_BUDGET_BYTES = 64 << 20
STEPS_BUDGET_BYTES = 64 << 20
TICKS_KEPT = 100_000
"""Seven hours at four per second; a client that was away longer reads the series."""


class WalCheckpoint(NamedTuple):
    """What SQLite reports about a checkpoint of the write-ahead log."""

    busy: int
    """1: a reader was using the log, so it was not emptied."""
    log_frames: int
    checkpointed_frames: int


class TelemetryDb:
    def __init__(
        self,
        path: Path,
        recording_budget_bytes: int = RECORDING_BUDGET_BYTES,
        *,
        waits_for_disk: bool = True,
    ) -> None:
        """Without `waits_for_disk` a power loss may damage the file: for data that can be read again."""
        # They import numpy, which a lab without runs does not need.
        from rl_lab.store.telemetry.recording_writer import RecordingWriter
        from rl_lab.store.telemetry.series_writer import SeriesWriter

        self.path = path
        self._conn = open_writer(path)
        if not waits_for_disk:
            self._conn.execute("PRAGMA synchronous=OFF")
        self._inode = path.stat().st_ino
        self._series = SeriesWriter(self._conn)
        self._recordings = RecordingWriter(self._conn, recording_budget_bytes)
        self._context: int | None = None
        self._group_contexts: dict[int, int] = {}
        self._steps_bytes = 0
        self._forget()

    def position(self) -> Position:
        return Position(*(self._meta(f"position_{name}") or 0 for name in Position._fields))

    def metrics_jsonl_bytes(self) -> int:
        return int(self._meta("metrics_jsonl_bytes") or 0)

    def state(self) -> dict[str, Any] | None:
        """The state stored with the last batch; None for a new file."""
        text = self._meta("state")
        return None if text is None else orjson.loads(text)

    def apply(self, batch: Batch) -> Applied:
        """Store a batch completely, or not at all when this raises. A batch that was stored before is skipped."""
        self._check_file()
        with self._transaction():
            if batch.position <= self.position():
                return Applied(stored=False)
            return self._store(batch)

    def unfinished(self) -> list[StepsEvent]:
        """Episodes that are being played, each with its trace so far."""
        return [event for event, _ in read_live(self._conn)]

    def all_episodes(self) -> list[NewEpisode]:
        """Every stored episode in the order of arrival, training and evaluation."""
        query = f"SELECT {', '.join(NewEpisode._fields)} FROM episodes ORDER BY at, episode"  # noqa: S608 - our own names
        rows = self._conn.execute(query)
        return [_from_row(row) for row in rows]

    def rearrange(self, change: Rearrangement) -> None:
        """Store the same episodes under other numbers, with the series made from them; all or nothing."""
        self._check_file()
        with self._transaction():
            recorded = {e for (e,) in self._conn.execute("SELECT episode FROM episodes WHERE recorded=1")}
            self._conn.execute("DELETE FROM episodes")
            self._put_episodes(list(change.episodes.values()))
            kept = [(change.episodes[old].episode,) for old in recorded if old in change.episodes]
            self._conn.executemany("UPDATE episodes SET recorded=1 WHERE episode=?", kept)
            self._recordings.renumber({old: new.episode for old, new in change.episodes.items()})
            self._series.replace(change.points)
            self._put_meta("state", dump_json(change.state))

    def has_after(self, step: int) -> bool:
        """Whether anything was reported after this training step."""
        query = "SELECT 1 FROM episodes WHERE timestep > ?1 UNION ALL SELECT 1 FROM chunks WHERE step_max > ?1 LIMIT 1"
        return self._conn.execute(query, (step,)).fetchone() is not None

    def last_value(self, name: str) -> float | None:
        """The newest value of a series."""
        row = self._conn.execute("SELECT last_value FROM series WHERE name=?", (name,)).fetchone()
        return row[0] if row else None

    def rewind(self, step: int, facts: Batch, change: Callable[[], Mapping[str, Any]]) -> None:
        """Forget what was reported after a training step, and continue at `facts`; all or nothing.

        `change` is called in between and returns the new state. Ids of ticks continue, so that none is used twice.
        """
        self._check_file()
        with self._transaction():
            known = "SELECT coalesce(max(episode) + 1, 0) FROM episodes WHERE timestep <= ? AND episode < ?"
            (first,) = self._conn.execute(known, (step, FIRST_EVALUATION)).fetchone()
            query = "DELETE FROM episodes WHERE episode >= ? AND episode < ?"
            self._conn.execute(query, (first, FIRST_EVALUATION))
            self._conn.execute("DELETE FROM ticks WHERE json_extract(data, '$.timestep') > ?", (step,))
            self._recordings.cut(first)
            self._series.cut(step)
            facts.state = change()
            self._put_facts(facts)

    def checkpoint(self) -> WalCheckpoint:
        """Moves the WAL back into the file and empties it, unless a reader is busy; never waits for one."""
        self._conn.execute("PRAGMA busy_timeout=0")
        try:
            row = self._conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            self._conn.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        return WalCheckpoint(*row)

    def close(self) -> None:
        self._conn.close()

    def _store(self, batch: Batch) -> Applied:
        self._put_facts(batch)
        points, left_out = self._series.add(batch.points)
        recorded = self._recordings.add(batch.recordings, self._context_of)
        self._put_episodes(batch.episodes)
        self._conn.executemany("UPDATE episodes SET recorded=1 WHERE episode=?", [(e,) for e in recorded])
        thinned = self._recordings.finish_batch(batch.episodes, self._context_of)
        self._put_steps(batch.steps)
        own = {"recordings_thinned": thinned, "recordings": len(recorded), "points_left_out": left_out}
        self._count({**batch.counters, **own})
        first_tick = self._put_ticks(batch.ticks)
        return Applied(True, first_tick, thinned, self._recordings.kept_every, left_out, points)

    def _put_facts(self, batch: Batch) -> None:
        for name, value in batch.position._asdict().items():
            self._put_meta(f"position_{name}", value)
        if batch.metrics_jsonl_bytes is not None:
            self._put_meta("metrics_jsonl_bytes", batch.metrics_jsonl_bytes)
        if batch.state is not None:
            self._put_meta("state", dump_json(batch.state))
        if batch.context is not None:
            self._context = self._put_context("context", batch.context)
        for group, context in batch.group_contexts.items():
            self._group_contexts[group] = self._put_context(f"context_{group}", context)
        if batch.origins:
            self._put_origins({name: origin.model_dump() for name, origin in batch.origins.items()})

    def _put_origins(self, new: Mapping[str, Any]) -> None:
        stored = orjson.loads(self._meta("origins") or "{}")
        if stored | new != stored:
            self._put_meta("origins", dump_json(stored | new))

    def _put_context(self, key: str, context: Mapping[str, Any]) -> int:
        text = dump_json(context)
        self._conn.execute("INSERT OR IGNORE INTO contexts (data) VALUES (?)", (text,))
        number = int(self._conn.execute("SELECT id FROM contexts WHERE data=?", (text,)).fetchone()[0])
        self._put_meta(key, number)
        return number

    def _context_of(self, env_group: int | None) -> int | None:
        return self._context if env_group is None else self._group_contexts.get(env_group, self._context)

    def _put_episodes(self, episodes: Sequence[NewEpisode]) -> None:
        rows = [_to_row(episode) for episode in episodes]
        names = ", ".join(NewEpisode._fields)
        marks = ", ".join(f":{name}" for name in NewEpisode._fields)
        query = f"INSERT OR REPLACE INTO episodes (recorded, {names}) VALUES (0, {marks})"  # noqa: S608 - our own names
        self._conn.executemany(query, rows)

    def _put_ticks(self, ticks: Sequence[Mapping[str, Any]]) -> int:
        first = last = 0
        for tick in ticks:
            last = (
                self._conn.execute("INSERT INTO ticks (data) VALUES (?)", (dump_json(tick),)).lastrowid or 0
            )
            first = first or last
        if last:
            self._conn.execute("DELETE FROM ticks WHERE id <= ?", (last - TICKS_KEPT,))
        return first

    def _put_steps(self, steps: Sequence[Mapping[str, Any]]) -> None:
        if not steps:
            return
        lines = "\n".join(dump_json(step) for step in steps)
        payload = zlib.compress(lines.encode(), 6)
        self._conn.execute("INSERT INTO step_batches (count, payload) VALUES (?,?)", (len(steps), payload))
        self._steps_bytes += len(payload)
        while self._steps_bytes > STEPS_BUDGET_BYTES:
            self._drop_oldest_steps()

    def _drop_oldest_steps(self) -> None:
        query = "SELECT id, count, length(payload) FROM step_batches ORDER BY id LIMIT 1"
        number, count, size = self._conn.execute(query).fetchone()
        self._conn.execute("DELETE FROM step_batches WHERE id=?", (number,))
        self._steps_bytes -= size
        self._count({"steps_pruned": count})

    def _count(self, counters: Mapping[str, int]) -> None:
        self._conn.executemany(
            "INSERT INTO counters VALUES (?,?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value",
            [(name, value) for name, value in counters.items() if value],
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._conn.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._conn.execute("COMMIT")
        except BaseException:
            # On a full disk SQLite may have rolled back itself; what is in memory is ahead of the file in any case.
            if self._conn.in_transaction:
                self._conn.execute("ROLLBACK")
            self._forget()
            raise

    def _forget(self) -> None:
        self._series.forget()
        self._recordings.forget()
        self._context = self._meta("context")
        found = self._conn.execute("SELECT key, value FROM meta WHERE key LIKE 'context\\_%' ESCAPE '\\'")
        self._group_contexts = {int(key.removeprefix("context_")): number for key, number in found}
        query = "SELECT coalesce(sum(length(payload)), 0) FROM step_batches"
        self._steps_bytes = self._conn.execute(query).fetchone()[0]

    def _check_file(self) -> None:
        """SQLite would go on writing into a deleted file without an error."""
        try:
            same = self.path.stat().st_ino == self._inode
        except OSError:
            same = False
        if not same:
            raise Gone(
                f"{self.path} was deleted while the run was writing to it.",
                next_step="Stop the run; new measurements of it cannot be stored.",
            )

    def _meta(self, key: str) -> Any:
        row = self._conn.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return row[0] if row else None

    def _put_meta(self, key: str, value: Any) -> None:
        self._conn.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (key, value))


def _to_row(episode: NewEpisode) -> dict[str, Any]:
    return {
        **episode._asdict(),
        "seed": _small(episode.seed),
        "timestep": _small(episode.timestep),
        "extra": dump_json(episode.extra) if episode.extra else None,
    }


def _from_row(row: tuple[Any, ...]) -> NewEpisode:
    fields = dict(zip(NewEpisode._fields, row, strict=True))
    for name in ("terminated", "truncated", "success"):
        fields[name] = None if fields[name] is None else bool(fields[name])
    fields["extra"] = orjson.loads(fields["extra"]) if fields["extra"] else None
    return NewEpisode(**fields)


def _small(number: int | None) -> int | None:
    """SQLite integers have 64 bits; a larger number is stored as none."""
    return number if number is not None and -(2**63) <= number < 2**63 else None
