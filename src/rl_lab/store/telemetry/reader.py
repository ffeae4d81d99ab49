"""The TelemetryReader reads a run's telemetry while the ingest may be writing to it, on any thread.

Series and recordings need numpy; it is imported with the first of them, so that the server starts without it.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import orjson

from rl_lab.core.episodes import EpisodeRow
from rl_lab.core.errors import NotFound
from rl_lab.core.protocol.metrics import MetricOrigin
from rl_lab.core.protocol.ticks import Tick
from rl_lab.core.recordings import Recording
from rl_lab.core.script_environments import FIRST_EVALUATION, ScriptEnvironment
from rl_lab.store.sql.cursors import check_limit
from rl_lab.store.telemetry import episode_pages
from rl_lab.store.telemetry.batch import Position
from rl_lab.store.telemetry.episode_pages import EpisodeFilter, EpisodePage
from rl_lab.store.telemetry.schema import damaged, open_reader

if TYPE_CHECKING:
    from rl_lab.store.telemetry.series import Axis, StoredSeries
    from rl_lab.store.telemetry.thinned import ThinnedSeries

MAX_POINTS = 20_000


@dataclass(frozen=True)
class Latest:
    """The newest point of a series."""

    name: str
    count: int
    step: int
    time: float
    value: float | None


STEP_BITS = 20
"""A step's cursor is the number of its batch, then so many bits for its place in the batch."""


class TelemetryReader:
    """Opened for one request or kept by one reader; each call reads one consistent snapshot of the file."""

    def __init__(self, path: Path, run_id: str = "") -> None:
        self._path = path
        self._run_id = run_id
        self._conn = open_reader(path)

    def __enter__(self) -> TelemetryReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._conn.close()

    def series_names(self) -> list[str]:
        return [latest.name for latest in self.latest()]

    def latest(self) -> list[Latest]:
        """Every series with its newest point, by name."""
        rows = self._conn.execute(
            "SELECT name, count, last_step, last_ms / 1000.0, last_value FROM series ORDER BY name"
        )
        return [Latest(*row) for row in rows]

    def last_values(self) -> dict[str, float | None]:
        """The newest value of every series, by name."""
        return {latest.name: latest.value for latest in self.latest()}

    def origins(self) -> dict[str, MetricOrigin]:
        """Where metrics come from that the lab did not measure itself, by their names."""
        row = self._conn.execute("SELECT value FROM meta WHERE key='origins'").fetchone()
        stored = orjson.loads(row[0]) if row else {}
        return {name: MetricOrigin.model_validate(origin) for name, origin in stored.items()}

    def overview(
        self,
        name: str,
        points: int = 2000,
        *,
        x: Axis = "step",
        start: float | None = None,
        stop: float | None = None,
    ) -> StoredSeries:
        """At most `points` points between `start` and `stop` that keep every peak; empty for an unknown name."""
        from rl_lab.store.telemetry import series

        with self._snapshot() as conn:
            return series.overview(conn, name, max(3, min(points, MAX_POINTS)), x, start=start, stop=stop)

    def overviews(
        self,
        names: Iterable[str],
        points: int = 2000,
        *,
        x: Axis = "step",
        start: float | None = None,
        stop: float | None = None,
    ) -> dict[str, StoredSeries]:
        """Overviews of several series, all from the same snapshot."""
        from rl_lab.store.telemetry import series

        most = max(3, min(points, MAX_POINTS))
        with self._snapshot() as conn:
            return {name: series.overview(conn, name, most, x, start=start, stop=stop) for name in names}

    def tail(self, name: str, count: int) -> StoredSeries:
        from rl_lab.store.telemetry import series

        with self._snapshot() as conn:
            return series.tail(conn, name, max(1, min(count, MAX_POINTS)))

    def tails(self, names: Iterable[str], count: int) -> dict[str, StoredSeries]:
        """The newest points of several series, all from the same snapshot; as many as are asked for."""
        from rl_lab.store.telemetry import series

        with self._snapshot() as conn:
            return {name: series.tail(conn, name, max(1, count)) for name in names}

    def thinned(self, names: Iterable[str]) -> dict[str, ThinnedSeries]:
        """All of several series, long ones in bins, from the same snapshot."""
        from rl_lab.store.telemetry.thinned import read_thinned

        with self._snapshot() as conn:
            return {name: read_thinned(conn, name) for name in names}

    def after(self, name: str, index: int, limit: int = 1000) -> StoredSeries:
        """Points that came after number `index`."""
        from rl_lab.store.telemetry import series

        with self._snapshot() as conn:
            return series.after(conn, name, index, max(1, min(limit, MAX_POINTS)))

    def episodes(
        self,
        episode_filter: EpisodeFilter | None = None,
        sort: str = "-episode",
        limit: int = 50,
        cursor: str | None = None,
        *,
        around: int | None = None,
    ) -> EpisodePage:
        wanted = episode_filter or EpisodeFilter()
        with self._snapshot() as conn:
            return episode_pages.find_page(conn, wanted, sort, limit, cursor, around=around)

    def returns(self, episode_filter: EpisodeFilter) -> list[float | None]:
        """The returns of these episodes, in no particular order."""
        return episode_pages.find_returns(self._conn, episode_filter)

    def has_episodes(self) -> bool:
        return self._conn.execute("SELECT 1 FROM episodes LIMIT 1").fetchone() is not None

    def episodes_until(self, step: int) -> int:
        """How many training episodes had ended after this many training steps."""
        query = "SELECT coalesce(max(episode) + 1, 0) FROM episodes WHERE timestep <= ? AND episode < ?"
        return int(self._conn.execute(query, (step, FIRST_EVALUATION)).fetchone()[0])

    def steps_without_reward(self) -> list[int]:
        """The steps of the first thousand episodes whose reward was not a finite number, or was not reported."""
        query = "SELECT timestep FROM episodes WHERE reward IS NULL ORDER BY episode LIMIT 1000"
        return [step or 0 for (step,) in self._conn.execute(query)]

    def episode(self, episode: int) -> EpisodeRow:
        found = episode_pages.find_episode(self._conn, episode) if abs(episode) < 2**63 else None
        if found is None:
            raise NotFound(f"This run has no episode {episode}.", next_step="List its episodes.")
        return found

    def episodes_from(self, first: int, limit: int) -> list[EpisodeRow]:
        """Episodes from this number on, in their order."""
        with self._snapshot() as conn:
            return episode_pages.find_from(conn, first, limit)

    def episode_rows(self, after: int, limit: int) -> list[EpisodeRow]:
        """Episodes of every role after this number, in their order."""
        with self._snapshot() as conn:
            return episode_pages.find_after(conn, after, limit)

    def recording(self, episode: int) -> Recording | None:
        """The recording of an episode; None when it was not recorded, or removed to save space."""
        from rl_lab.store.telemetry import recordings

        with self._snapshot() as conn:
            return recordings.find(conn, self._run_id, episode)

    def recorded_numbers(self) -> list[int]:
        """Of all recorded episodes, of every role, in their order."""
        return episode_pages.find_recorded(self._conn)

    def rows_of(self, numbers: Sequence[int]) -> list[EpisodeRow]:
        """These episodes, in their order."""
        return episode_pages.find_rows(self._conn, numbers)

    def figures(self, wanted: EpisodeFilter) -> list[tuple[int, float | None, int, float]]:
        """Number, return, length and time of the episodes, in their order."""
        with self._snapshot() as conn:
            return episode_pages.find_figures(conn, wanted)

    def recordings(self, numbers: Sequence[int]) -> Iterator[Recording]:
        """The recordings of these episodes, about in their order; one is in memory at a time."""
        from rl_lab.store.telemetry import recordings

        with self._snapshot() as conn:
            yield from recordings.find_many(conn, self._run_id, numbers)

    def live(self, env: int = 0) -> Recording | None:
        """The episode being played right now, as far as it is stored; `complete` is False."""
        from rl_lab.store.telemetry import recordings

        with self._snapshot() as conn:
            return recordings.find_live(conn, self._run_id, env)

    def latest_recording(self) -> Recording | None:
        """The newest finished episode that was recorded."""
        from rl_lab.store.telemetry import recordings

        with self._snapshot() as conn:
            query = "SELECT max(episode) FROM episodes WHERE recorded=1 AND episode < ?"
            (episode,) = conn.execute(query, (FIRST_EVALUATION,)).fetchone()
            return None if episode is None else recordings.find(conn, self._run_id, episode)

    def ticks_after(self, tick_id: int, limit: int = 1000) -> list[Tick]:
        query = "SELECT id, data FROM ticks WHERE id > ? ORDER BY id LIMIT ?"
        rows = self._conn.execute(query, (tick_id, check_limit(limit)))
        return [Tick(id=i, **orjson.loads(data)) for i, data in rows]

    def ticks_tail(self, count: int) -> list[Tick]:
        """The newest ticks, oldest of them first."""
        query = "SELECT id, data FROM ticks ORDER BY id DESC LIMIT ?"
        rows = self._conn.execute(query, (check_limit(count),)).fetchall()
        return [Tick(id=i, **orjson.loads(data)) for i, data in reversed(rows)]

    def steps_tail(self, count: int) -> list[dict[str, Any]]:
        """The newest sampled single steps, oldest of them first."""
        found: list[dict[str, Any]] = []
        for (payload,) in self._conn.execute("SELECT payload FROM step_batches ORDER BY id DESC"):
            lines = zlib.decompress(payload).split(b"\n")
            found = [orjson.loads(line) for line in lines] + found
            if len(found) >= count:
                break
        return found[max(0, len(found) - count) :]

    def steps_after(self, cursor: int, limit: int) -> list[tuple[int, dict[str, Any]]]:
        """Sampled single steps after a cursor, each with its own; batches that hold about `limit` of them."""
        found: list[tuple[int, dict[str, Any]]] = []
        query = "SELECT id, payload FROM step_batches WHERE id >= ? ORDER BY id"
        for batch, payload in self._conn.execute(query, (cursor >> STEP_BITS,)):
            for number, line in enumerate(zlib.decompress(payload).split(b"\n"), 1):
                place = (batch << STEP_BITS) + number
                if place > cursor:
                    found.append((place, orjson.loads(line)))
            if len(found) >= limit:
                break
        return found

    def environments(self) -> list[ScriptEnvironment]:
        """The environments of a captured script; none for every other run."""
        row = self._conn.execute("SELECT value FROM meta WHERE key='state'").fetchone()
        stored = orjson.loads(row[0]).get("environments", []) if row else []
        return [ScriptEnvironment(**fields) for fields in stored]

    def counters(self) -> dict[str, int]:
        return dict(self._conn.execute("SELECT name, value FROM counters ORDER BY name").fetchall())

    def position(self) -> Position:
        rows = dict(self._conn.execute("SELECT key, value FROM meta WHERE key LIKE 'position%'").fetchall())
        return Position(*(rows.get(f"position_{name}", 0) for name in Position._fields))

    @contextmanager
    def _snapshot(self) -> Iterator[sqlite3.Connection]:
        try:
            self._conn.execute("BEGIN")
            yield self._conn
        except sqlite3.DatabaseError as error:
            raise damaged(self._path, error) from error
        finally:
            if self._conn.in_transaction:
                self._conn.execute("ROLLBACK")
