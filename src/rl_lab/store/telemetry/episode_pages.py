"""Pages of a run's episodes: filtered, sorted, cut by a keyset cursor."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from rl_lab.core.episodes import EpisodeRow
from rl_lab.core.errors import InvalidInput
from rl_lab.store.sql.cursors import PageEnd, Sort, check_limit, decode_cursor, encode_cursor, parse_sort

EPISODE_SORTS = ("episode", "reward", "length", "timestep", "at")
_NULLABLE = frozenset({"reward", "timestep"})
_COLUMNS = "episode, env, seed, reward, length, terminated, truncated, success, timestep, at, recorded"


@dataclass(frozen=True)
class EpisodeFilter:
    min_reward: float | None = None
    max_reward: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_timestep: int | None = None
    max_timestep: int | None = None
    ending: Literal["terminated", "truncated"] | None = None
    success: bool | None = None
    recorded: bool | None = None
    env: int | None = None


@dataclass(frozen=True)
class EpisodePage:
    items: list[EpisodeRow]
    next_cursor: str | None
    total: int


def find_page(
    conn: sqlite3.Connection, episode_filter: EpisodeFilter, sort: str, limit: int, cursor: str | None
) -> EpisodePage:
    order = parse_sort(sort, EPISODE_SORTS)
    where, values = _conditions(episode_filter)
    total = conn.execute(f"SELECT count(*) FROM episodes WHERE {where}", values).fetchone()[0]  # noqa: S608
    if cursor is not None:
        after, more = _after(order, _checked(decode_cursor(cursor, order, int)))
        where, values = f"{where} AND ({after})", [*values, *more]
    query = f"SELECT {_COLUMNS}, {order.name} FROM episodes WHERE {where} ORDER BY {_order(order)} LIMIT ?"  # noqa: S608
    rows = conn.execute(query, [*values, check_limit(limit) + 1]).fetchall()
    page = rows[:limit]
    further = encode_cursor(order, PageEnd(page[-1][-1], page[-1][0])) if len(rows) > limit else None
    return EpisodePage([to_episode(row[:-1]) for row in page], further, total)


def find_episode(conn: sqlite3.Connection, episode: int) -> EpisodeRow | None:
    row = conn.execute(f"SELECT {_COLUMNS} FROM episodes WHERE episode=?", (episode,)).fetchone()  # noqa: S608
    return to_episode(row) if row else None


def to_episode(row: tuple[Any, ...]) -> EpisodeRow:
    names = _COLUMNS.split(", ")
    fields = dict(zip(names, row, strict=True))
    fields["at"] = datetime.fromtimestamp(fields["at"], UTC)
    return EpisodeRow(**fields)


def _conditions(f: EpisodeFilter) -> tuple[str, list[Any]]:
    tests: list[tuple[str, Any]] = []
    for name in ("reward", "length", "timestep"):
        tests.append((f"{name} >= ?", getattr(f, f"min_{name}")))
        tests.append((f"{name} <= ?", getattr(f, f"max_{name}")))
    tests += [("success = ?", f.success), ("recorded = ?", f.recorded), ("env = ?", f.env)]
    if f.ending is not None:
        tests.append((f"{f.ending} = ?", True))
    used = [(test, value) for test, value in tests if value is not None]
    return " AND ".join(["1", *(test for test, _ in used)]), [value for _, value in used]


def _order(order: Sort) -> str:
    direction = "DESC" if order.descending else "ASC"
    last = " NULLS LAST" if order.name in _NULLABLE else ""
    return f"{order.name} {direction}{last}, episode {direction}"


def _after(order: Sort, place: PageEnd) -> tuple[str, list[Any]]:
    sign, name = "<" if order.descending else ">", order.name
    if place.key is None:
        return f"{name} IS NULL AND episode {sign} ?", [place.id]
    test = f"{name} {sign} ? OR ({name} = ? AND episode {sign} ?)"
    if name in _NULLABLE:
        test += f" OR {name} IS NULL"
    return test, [place.key, place.key, place.id]


def _checked(place: PageEnd) -> PageEnd:
    good = place.key is None or (isinstance(place.key, int | float) and abs(place.key) < 2**63)
    if not good or not isinstance(place.id, int) or abs(place.id) >= 2**63:
        raise InvalidInput.of_field("cursor", "this cursor is not one this lab made; begin again without one")
    return place
