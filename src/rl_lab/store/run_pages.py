"""Pages of runs: filtered, searched, sorted, with keyset pagination."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, func, or_, select

from rl_lab.core.run_query import RunQuery, parse_query
from rl_lab.core.runs import Run, RunStatus
from rl_lab.store.run_conditions import sql_part
from rl_lab.store.run_metrics import value_of
from rl_lab.store.run_parameters import number_of
from rl_lab.store.run_rows import to_runs
from rl_lab.store.sql.columns import clean_text
from rl_lab.store.sql.cursors import PageEnd, Sort, check_limit, decode_cursor, encode_cursor, parse_sort
from rl_lab.store.sql.keysets import Keyset, SortColumn, number_order, text_order, whole_order
from rl_lab.store.sql.tables import run_tags, runs


@dataclass(frozen=True)
class RunFilter:
    status: tuple[RunStatus, ...] = ()
    """Any of these; empty = all."""
    kind: str | None = "train"
    env_id: str | None = None
    algorithm: str | None = None
    runner: str | None = None
    parent_id: str | None = None
    study_id: str | None = None
    dataset: str | None = None
    """Content hash of the dataset's version that it learned from."""
    folded: bool = False
    """Of each study only the first run that meets the other conditions, so that a list shows a study as one row."""
    tag: str | None = None
    q: str | RunQuery | None = None
    """Search words, and conditions such as `lr<0.01 seed:3`."""
    archived: bool | None = False
    """None = both."""


@dataclass(frozen=True)
class RunListing:
    items: list[Run]
    next_cursor: str | None
    total: int
    """The number of runs on all pages."""


class RunTimes(NamedTuple):
    """When a run was created and last changed."""

    run_id: str
    created_at: datetime
    updated_at: datetime
    is_deleted: bool


def list_run_times(conn: Connection) -> list[RunTimes]:
    """Every run, deleted ones too, oldest first."""
    query = select(runs.c.id, runs.c.created_at, runs.c.updated_at, runs.c.deleted_at).order_by(
        runs.c.created_at
    )
    return [
        RunTimes(i, created, updated, deleted is not None)
        for i, created, updated, deleted in conn.execute(query)
    ]


_SORTS: dict[str, SortColumn] = {
    "created_at": whole_order(runs.c.created_at),
    "updated_at": whole_order(runs.c.updated_at),
    "started_at": whole_order(runs.c.started_at, nullable=True),
    "ended_at": whole_order(runs.c.ended_at, nullable=True),
    "name": text_order(runs.c.name),
    "status": text_order(runs.c.status),
    "env_id": text_order(runs.c.env_id, nullable=True),
    "algorithm": text_order(runs.c.algorithm, nullable=True),
    "best_mean_reward": number_order(runs.c.best_mean_reward),
    "best_reward": number_order(runs.c.best_reward),
    "last_reward": number_order(runs.c.last_reward),
    "mean_reward": number_order(runs.c.mean_reward),
    "timestep": whole_order(runs.c.timestep),
    "duration": number_order(runs.c.elapsed_s),
    "episodes": whole_order(runs.c.episodes, nullable=True),
    "seed": whole_order(runs.c.seed, nullable=True),
}
RUN_SORTS = tuple(_SORTS)
PARAMETER_SORT = re.compile(r"-?(params|metrics)\.([A-Za-z_][\w./@-]*)")
"""A list may also be sorted by a hyper-parameter or the last value of a metric: `params.learning_rate`."""


def find_page(
    conn: Connection,
    run_filter: RunFilter | None = None,
    sort: str = "-created_at",
    limit: int = 50,
    cursor: str | None = None,
) -> RunListing:
    order = _parse_order(sort)
    conditions = _conditions(run_filter or RunFilter())
    total = conn.execute(select(func.count()).select_from(runs).where(*conditions)).scalar_one()
    # Only ids and keys are sorted: an index answers most of it, and no whole row is read that is not on the page.
    keyset = Keyset(_column_of(order), runs.c.id, order.descending)
    query = select(runs.c.id, keyset.column.key.label("sort_key")).where(*conditions)
    if cursor is not None:
        query = query.where(keyset.after(decode_cursor(cursor, order, str)))
    found = conn.execute(keyset.ordered(query).limit(check_limit(limit) + 1)).all()
    page = found[:limit]
    more = encode_cursor(order, PageEnd(page[-1].sort_key, page[-1].id)) if len(found) > limit else None
    return RunListing(_read_rows(conn, [run_id for run_id, _ in page]), more, total)


def _read_rows(conn: Connection, run_ids: Sequence[str]) -> list[Run]:
    """These runs in this order."""
    rows = {row.id: row for row in conn.execute(select(runs).where(runs.c.id.in_(run_ids)))}
    return to_runs(conn, [rows[run_id] for run_id in run_ids])


def _parse_order(sort: str) -> Sort:
    if PARAMETER_SORT.fullmatch(sort):
        return Sort(sort.removeprefix("-"), sort.startswith("-"))
    return parse_sort(sort, RUN_SORTS)


def _column_of(order: Sort) -> SortColumn:
    parameter = PARAMETER_SORT.fullmatch(order.name)
    if parameter is None:
        return _SORTS[order.name]
    kind, name = parameter.groups()
    return number_order(value_of(name) if kind == "metrics" else number_of(name))


def _conditions(f: RunFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [runs.c.deleted_at.is_(None)]
    if f.status:
        conditions.append(runs.c.status.in_(sorted(f.status)))
    for name in ("kind", "env_id", "algorithm", "runner", "parent_id", "study_id", "dataset"):
        value = getattr(f, name)
        if value is not None:
            conditions.append(runs.c[name] == clean_text(value))
    if f.archived is not None:
        conditions.append(runs.c.archived.is_(f.archived))
    if f.tag is not None:
        tagged = select(run_tags.c.run_id).where(run_tags.c.tag == f.tag)
        conditions.append(runs.c.id.in_(tagged))
    query = parse_query(f.q) if isinstance(f.q, str) else f.q or RunQuery()
    conditions.extend(map(sql_part, query.parts))
    if f.folded:
        first = select(func.min(runs.c.id)).where(*conditions).group_by(runs.c.study_id)
        conditions.append(or_(runs.c.study_id.is_(None), runs.c.id.in_(first)))
    return conditions
