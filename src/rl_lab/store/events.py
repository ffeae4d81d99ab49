"""The event log of each run. Ids increase over all runs and are never reused."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select

from rl_lab.core.run_events import EventType, Level, RunEvent
from rl_lab.store.sql.cursors import check_limit
from rl_lab.store.sql.tables import events
from rl_lab.store.sql.upserts import insert_or_ignore

_COLUMNS = [c for c in events.c if c.name not in ("attempt", "seq")]


def append(
    conn: Connection,
    run_id: str,
    type: EventType,
    message: str,
    *,
    level: Level | None = None,
    data: dict[str, Any] | None = None,
    attempt: int | None = None,
    seq: int | None = None,
    at: datetime | None = None,
) -> RunEvent:
    """Appends an event and returns it as stored; `level` is that of its type unless given.

    With `attempt` and `seq`, a repeated event is stored only once.
    """
    row = {
        "run_id": run_id,
        "at": at or datetime.now(UTC),
        "level": level or type.level,
        "type": type.name,
        "message": message,
        "data": data or {},
        "attempt": attempt,
        "seq": seq,
    }
    event_id = insert_or_ignore(conn, events, row, returning=events.c.id)
    query = select(*_COLUMNS).where(events.c.id == event_id)
    if event_id is None:
        query = select(*_COLUMNS).where(
            events.c.run_id == run_id, events.c.attempt == attempt, events.c.seq == seq
        )
    return RunEvent(**conn.execute(query).one()._mapping)


def copy_all(conn: Connection, run_id: str, copied: Sequence[RunEvent]) -> None:
    """Stores events of another lab in their order, with new ids."""
    rows = [{**event.model_dump(exclude={"id"}), "run_id": run_id} for event in copied]
    if rows:
        conn.execute(insert(events), rows)


def list_all(conn: Connection, run_id: str, limit: int) -> list[RunEvent]:
    """The first events of a run, more than a page."""
    query = select(*_COLUMNS).where(events.c.run_id == run_id).order_by(events.c.id).limit(limit)
    return [RunEvent(**row._mapping) for row in conn.execute(query)]


def list_page(
    conn: Connection,
    run_id: str | None,
    *,
    after_id: int | None = None,
    before_id: int | None = None,
    limit: int = 100,
    levels: Collection[str] | None = None,
) -> list[RunEvent]:
    """Events, oldest first. With `after_id`, those that follow it; otherwise the newest (before `before_id`)."""
    query = select(*_COLUMNS).limit(check_limit(limit))
    if run_id is not None:
        query = query.where(events.c.run_id == run_id)
    if levels is not None:
        query = query.where(events.c.level.in_(levels))
    if before_id is not None:
        query = query.where(events.c.id < before_id)
    if after_id is not None:
        rows = conn.execute(query.where(events.c.id > after_id).order_by(events.c.id)).all()
    else:
        rows = list(reversed(conn.execute(query.order_by(events.c.id.desc())).all()))
    return [RunEvent(**row._mapping) for row in rows]


def newest_id(conn: Connection, run_id: str | None = None) -> int:
    """Id of the newest event, of one run or of all runs; 0 if there is none."""
    query = select(func.max(events.c.id))
    if run_id is not None:
        query = query.where(events.c.run_id == run_id)
    return conn.execute(query).scalar() or 0
