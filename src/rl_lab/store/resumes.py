"""How the attempts of a run were resumed, as its event log describes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from rl_lab.core import event_log
from rl_lab.core.resuming import Resume
from rl_lab.store import attempts
from rl_lab.store.attempts import Attempt
from rl_lab.store.sql.tables import events

TYPES = (event_log.RESUME_EXACT.name, event_log.RESUME_NOT_EXACT.name)


def list_for_run(conn: Connection, run_id: str) -> list[Resume]:
    """In their order."""
    query = select(events.c.attempt, events.c.type, events.c.message).order_by(events.c.id)
    logged = conn.execute(query.where(events.c.run_id == run_id, events.c.type.in_(TYPES))).all()
    resumed = [one for one in attempts.list_for_run(conn, run_id) if one.resume_from is not None]
    return [_describe(attempt, logged) for attempt in resumed]


def _describe(attempt: Attempt, logged: Sequence[Row[Any, Any, Any]]) -> Resume:
    step = attempt.timestep0
    # Earlier versions did not store the attempt with a line of their own.
    own = [
        row
        for row in logged
        if row.attempt == attempt.number
        or (row.attempt is None and row.message.startswith(f"Resumed from step {step:,};"))
    ]
    if not own:
        return Resume(step, f"Resumed from step {step:,}.")
    found = next((row for row in own if row.type == event_log.RESUME_NOT_EXACT.name), own[0])
    return Resume(step, found.message, is_exact=found.type == event_log.RESUME_EXACT.name)
