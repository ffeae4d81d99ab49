"""Consents: what the user approved, identified by a SHA-256 over the file and what else the approval covers."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, select

from rl_lab.core.commands import Consent
from rl_lab.core.errors import NotFound
from rl_lab.store.sql import meta
from rl_lab.store.sql.tables import consents
from rl_lab.store.sql.upserts import insert_or_ignore


def put(conn: Connection, sha256: str, path: str) -> None:
    """Stores a consent; an existing one is kept."""
    row = {"sha256": sha256, "path": path, "at": datetime.now(UTC)}
    insert_or_ignore(conn, consents, row, returning=consents.c.sha256)


def exists(conn: Connection, sha256: str) -> bool:
    return conn.execute(select(consents.c.sha256).where(consents.c.sha256 == sha256)).first() is not None


def remember_parts(conn: Connection, path: str, parts: dict[str, Any]) -> None:
    """What was approved last for this path, to be able to say what has changed."""
    meta.put(conn, _parts_key(path), parts)


def find_parts(conn: Connection, path: str) -> dict[str, Any] | None:
    found: dict[str, Any] | None = meta.find(conn, _parts_key(path))
    return found


def _parts_key(path: str) -> str:
    return f"approved:{hashlib.sha256(path.encode('utf-8', 'surrogatepass')).hexdigest()}"


def list_all(conn: Connection) -> list[Consent]:
    """Newest first."""
    rows = conn.execute(select(consents).order_by(consents.c.at.desc(), consents.c.sha256))
    return [Consent(sha256=row.sha256, path=row.path, at=row.at) for row in rows]


def drop(conn: Connection, sha256: str) -> None:
    path = conn.execute(select(consents.c.path).where(consents.c.sha256 == sha256)).scalar()
    if path is not None:
        meta.drop(conn, _parts_key(path))
    if conn.execute(delete(consents).where(consents.c.sha256 == sha256)).rowcount == 0:
        raise NotFound(
            "No file with this hash has been approved.",
            next_step="GET /api/consents lists the approved files.",
        )
