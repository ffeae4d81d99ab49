"""Runs that are archived by themselves: those that ended long ago, and the oldest of an algorithm."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, select

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.runs import FINAL
from rl_lab.store.sql.tables import artifacts, runs

LISTED = and_(~runs.c.archived, runs.c.deleted_at.is_(None))


def ended_before(conn: Connection, moment: datetime) -> list[str]:
    """Ids of listed runs that ended before, oldest first; not those with a pinned file."""
    query = select(runs.c.id).where(_may_be_archived(), runs.c.ended_at < moment)
    return list(conn.execute(query.order_by(runs.c.ended_at, runs.c.id)).scalars())


def beyond_limit(conn: Connection, limit: int) -> list[tuple[str, str]]:
    """Ids and algorithms of the oldest ended trainings of each algorithm that has more than `limit` listed ones."""
    is_training = and_(LISTED, runs.c.kind == RunKind.train)
    counts = select(runs.c.algorithm, func.count()).where(is_training).group_by(runs.c.algorithm)
    found: list[tuple[str, str]] = []
    for algorithm, count in conn.execute(counts.having(func.count() > limit)).all():
        query = select(runs.c.id).where(is_training, runs.c.algorithm == algorithm, _may_be_archived())
        oldest = query.order_by(runs.c.created_at, runs.c.id).limit(count - limit)
        found += [(run_id, algorithm) for run_id in conn.execute(oldest).scalars()]
    return found


def list_ended(conn: Connection) -> list[str]:
    """Ids of ended runs whose folder is not packed."""
    query = select(runs.c.id).where(LISTED, runs.c.status.in_(sorted(FINAL)))
    return list(conn.execute(query).scalars())


def _may_be_archived() -> ColumnElement[bool]:
    pinned = select(artifacts.c.run_id).where(artifacts.c.pinned)
    return and_(LISTED, runs.c.status.in_(sorted(FINAL)), runs.c.id.not_in(pinned))
