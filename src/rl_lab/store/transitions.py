"""The history of each run's states: from, to, when, why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select

from rl_lab.core.runs import EndReason, RunStatus
from rl_lab.store.sql.tables import transitions


@dataclass(frozen=True)
class Transition:
    run_id: str
    from_status: RunStatus | None
    """None for the creation of the run."""
    to_status: RunStatus
    attempt: int
    version: int
    at: datetime
    reason: EndReason | None = None


def append(conn: Connection, transition: Transition) -> None:
    append_all(conn, [transition])


def append_all(conn: Connection, new: Sequence[Transition]) -> None:
    rows = [{**vars(t), "reason": t.reason.model_dump() if t.reason else None} for t in new]
    conn.execute(insert(transitions), rows)


def list_for_run(conn: Connection, run_id: str) -> list[Transition]:
    query = select(transitions).where(transitions.c.run_id == run_id).order_by(transitions.c.id)
    return [_transition(dict(row._mapping)) for row in conn.execute(query)]


def entered_at(conn: Connection, run_id: str) -> datetime | None:
    """When the run entered its current state; deadlines count from this time."""
    query = select(transitions.c.at).where(transitions.c.run_id == run_id)
    return conn.execute(query.order_by(transitions.c.id.desc()).limit(1)).scalar()


def _transition(row: dict[str, Any]) -> Transition:
    row.pop("id")
    row["from_status"] = RunStatus(row["from_status"]) if row["from_status"] else None
    row["to_status"] = RunStatus(row["to_status"])
    row["reason"] = EndReason(**row["reason"]) if row["reason"] else None
    return Transition(**row)
