"""Sign-in sessions as they are stored: keyed hashes of their secrets, never the secrets."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from rl_lab.store.sql.tables import sessions


@dataclass(frozen=True)
class StoredSession:
    id: str
    token_mark: str
    """Which token the hashes were made with."""
    cookie_hash: str
    key_hash: str
    view_hash: str
    user_agent: str
    address: str
    created_at: datetime
    last_seen_at: datetime


def put(conn: Connection, session: StoredSession) -> None:
    conn.execute(insert(sessions).values(**asdict(session)))


def list_all(conn: Connection) -> list[StoredSession]:
    """The last used first."""
    rows = conn.execute(select(sessions).order_by(sessions.c.last_seen_at.desc(), sessions.c.id))
    return [StoredSession(**row._mapping) for row in rows]


def note_use(conn: Connection, seen: Mapping[str, datetime]) -> None:
    """When each of these sessions was last used."""
    for session_id, at in seen.items():
        conn.execute(update(sessions).where(sessions.c.id == session_id).values(last_seen_at=at))


def drop(conn: Connection, session_ids: Collection[str]) -> None:
    conn.execute(delete(sessions).where(sessions.c.id.in_(sorted(session_ids))))
