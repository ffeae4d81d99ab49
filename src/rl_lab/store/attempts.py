"""The attempts of runs: one row per process that worked on a run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from rl_lab.store.sql.tables import attempts
from rl_lab.store.sql.upserts import insert_or_update


@dataclass(frozen=True)
class Attempt:
    run_id: str
    number: int
    started_at: datetime
    ended_at: datetime | None = None
    guardian_pid: int | None = None
    """For display, and for signals while the lock is held; the system may reuse the pid later."""
    boot_id: str | None = None
    resume_from: str | None = None
    """The checkpoint that the attempt started from, relative to the run folder."""
    timestep0: int = 0
    episode0: int = 0
    exit: dict[str, Any] | None = None
    """The guardian's exit record."""


_UNIQUE = ("run_id", "number")


def put(conn: Connection, attempt: Attempt) -> None:
    """Inserts the attempt, or overwrites the one with the same number."""
    rest = [name for name in vars(attempt) if name not in _UNIQUE]
    insert_or_update(conn, attempts, vars(attempt), unique=_UNIQUE, update=rest)


def finish(conn: Connection, run_id: str, number: int, ended_at: datetime, exit: dict[str, Any]) -> None:
    where = (attempts.c.run_id == run_id) & (attempts.c.number == number)
    conn.execute(update(attempts).where(where).values(ended_at=ended_at, exit=exit))


def find(conn: Connection, run_id: str, number: int) -> Attempt | None:
    query = select(attempts).where(attempts.c.run_id == run_id, attempts.c.number == number)
    row = conn.execute(query).one_or_none()
    return Attempt(**row._mapping) if row else None


def list_for_run(conn: Connection, run_id: str) -> list[Attempt]:
    query = select(attempts).where(attempts.c.run_id == run_id).order_by(attempts.c.number)
    return [Attempt(**row._mapping) for row in conn.execute(query)]
