"""Pages of a run's episodes: filtered, sorted, cut by a keyset cursor."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

import orjson

from rl_lab.core.episodes import EpisodeRow
from rl_lab.core.errors import InvalidInput
from rl_lab.core.script_environments import FIRST_EVALUATION, EnvironmentRole
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
    role: Literal["training", "evaluation", "all"] | None = None
    """Of the environments of a captured script; every other run only has a training. None: the training, or the
    evaluations of a script that learns from a dataset and plays nothing else."""
    numbers: tuple[int, ...] | None = None
    """Only these episodes."""

    def among(self, numbers: Iterable[int] | None) -> EpisodeFilter:
        return self if numbers is None else replace(self, numbers=tuple(numbers))


@dataclass(frozen=True)
class EpisodePage:
    items: list[EpisodeRow]
    next_cursor: str | None
    total: int
    skipped: int = 0
    """How many rows of this order come before the page, where it was asked for `around` an episode."""


ROWS_BEFORE = 10
"""Of a page around an episode: so many rows come before that episode."""


def find_page(
    conn: sqlite3.Connection,
    episode_filter: EpisodeFilter,
    sort: str,
    limit: int,
    cursor: str | None,
    *,
    around: int | None = None,
) -> EpisodePage:
    order = parse_sort(sort, EPISODE_SORTS)
    where, values = _conditions(episode_filter)
    total = conn.execute(f"SELECT count(*) FROM episodes WHERE {where}", values).fetchone()[0]  # noqa: S608
    skipped = 0
    if cursor is None and around is not None:
        skipped = max(0, _rows_before(conn, order, where, values, around) - ROWS_BEFORE)
    if cursor is not None:
        after, more = _after(order, _checked(decode_cursor(cursor, order, int)))
        where, values = f"{where} AND ({after})", [*values, *more]
    query = f"SELECT {_COLUMNS}, {order.name} FROM episodes WHERE {where} ORDER BY {_order(order)} LIMIT ? OFFSET ?"  # noqa: S608
    rows = conn.execute(query, [*values, check_limit(limit) + 1, skipped]).fetchall()
    page = rows[:limit]
    further = encode_cursor(order, PageEnd(page[-1][-1], page[-1][0])) if len(rows) > limit else None
    return EpisodePage([to_episode(row[:-1]) for row in page], further, total, skipped)


def _rows_before(conn: sqlite3.Connection, order: Sort, where: str, values: list[Any], episode: int) -> int:
    """How many of the listed rows come before this episode; 0 when it is not among them."""
    query = f"SELECT {order.name} FROM episodes WHERE {where} AND episode=?"  # noqa: S608
    row = conn.execute(query, [*values, episode]).fetchone()
    if row is None:
        return 0
    after, more = _after(order, PageEnd(row[0], episode))
    query = f"SELECT count(*) FILTER (WHERE NOT ({after})) FROM episodes WHERE {where}"  # noqa: S608
    return int(conn.execute(query, [*more, *values]).fetchone()[0]) - 1


def find_returns(conn: sqlite3.Connection, episode_filter: EpisodeFilter) -> list[float | None]:
    where, values = _conditions(episode_filter)
    rows = conn.execute(f"SELECT reward FROM episodes WHERE {where}", values)  # noqa: S608
    return [reward for (reward,) in rows]


def find_figures(
    conn: sqlite3.Connection, episode_filter: EpisodeFilter
) -> list[tuple[int, float | None, int, float]]:
    """Number, return, length and time of all of them, in their order."""
    where, values = _conditions(episode_filter)
    query = f"SELECT episode, reward, length, at FROM episodes WHERE {where} ORDER BY episode"  # noqa: S608
    return conn.execute(query, values).fetchall()


def find_recorded(conn: sqlite3.Connection) -> list[int]:
    """Numbers of all recorded episodes, of every role, in their order."""
    query = "SELECT episode FROM episodes WHERE recorded=1 ORDER BY episode"
    return [number for (number,) in conn.execute(query)]


def find_rows(conn: sqlite3.Connection, numbers: Sequence[int]) -> list[EpisodeRow]:
    """These episodes, in their order."""
    where, values = _conditions(EpisodeFilter(role="all", numbers=tuple(numbers)))
    rows = conn.execute(f"SELECT {_COLUMNS} FROM episodes WHERE {where} ORDER BY episode", values)  # noqa: S608
    return [to_episode(row) for row in rows]


def find_episode(conn: sqlite3.Connection, episode: int) -> EpisodeRow | None:
    row = conn.execute(f"SELECT {_COLUMNS} FROM episodes WHERE episode=?", (episode,)).fetchone()  # noqa: S608
    return to_episode(row) if row else None


def find_from(conn: sqlite3.Connection, first: int, limit: int) -> list[EpisodeRow]:
    """Episodes from this number on, in their order."""
    before = encode_cursor(parse_sort("episode", EPISODE_SORTS), PageEnd(first - 1, first - 1))
    return find_page(conn, EpisodeFilter(role="training"), "episode", limit, before).items


def find_after(conn: sqlite3.Connection, episode: int, limit: int) -> list[EpisodeRow]:
    """Episodes of every role after this number, in their order."""
    query = f"SELECT {_COLUMNS} FROM episodes WHERE episode > ? ORDER BY episode LIMIT ?"  # noqa: S608
    return [to_episode(row) for row in conn.execute(query, (episode, limit))]


def to_episode(row: tuple[Any, ...]) -> EpisodeRow:
    names = _COLUMNS.split(", ")
    fields = dict(zip(names, row, strict=True))
    fields["length"] = fields["length"] or None
    fields["at"] = datetime.fromtimestamp(fields["at"], UTC)
    number = fields["episode"]
    is_training = number < FIRST_EVALUATION
    role: EnvironmentRole = "training" if is_training else "evaluation"
    return EpisodeRow(**fields, role=role, number=number if is_training else number - FIRST_EVALUATION)


_TRAINING = f"episode < {FIRST_EVALUATION}"
_ROLES = {
    "all": "1",
    "training": _TRAINING,
    "evaluation": f"episode >= {FIRST_EVALUATION}",
    None: f"({_TRAINING} OR NOT EXISTS (SELECT 1 FROM episodes WHERE {_TRAINING}))",  # noqa: S608
}


def _conditions(f: EpisodeFilter) -> tuple[str, list[Any]]:
    tests: list[tuple[str, Any]] = []
    for name in ("reward", "length", "timestep"):
        tests.append((f"{name} >= ?", getattr(f, f"min_{name}")))
        tests.append((f"{name} <= ?", getattr(f, f"max_{name}")))
    if f.max_length is not None:
        tests.append(("length > ?", 0))  # 0 is an unknown length
    tests += [("success = ?", f.success), ("recorded = ?", f.recorded), ("env = ?", f.env)]
    if f.ending is not None:
        tests.append((f"{f.ending} = ?", True))
    used = [(test, value) for test, value in tests if value is not None]
    if f.numbers is not None:
        used.append(("episode IN (SELECT value FROM json_each(?))", orjson.dumps(f.numbers).decode()))
    return " AND ".join([_ROLES[f.role], *(test for test, _ in used)]), [value for _, value in used]


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
