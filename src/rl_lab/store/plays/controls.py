"""The keys that a user has chosen for an environment."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, delete, select

from rl_lab.core.plays.controls import PlayControls
from rl_lab.store.sql.tables import environment_controls
from rl_lab.store.sql.upserts import insert_or_update


def find(conn: Connection, env_id: str) -> PlayControls | None:
    query = select(environment_controls.c.controls).where(environment_controls.c.env_id == env_id)
    stored = conn.execute(query).scalar()
    return None if stored is None else PlayControls.model_validate(stored)


def put(conn: Connection, env_id: str, controls: PlayControls) -> None:
    row = {
        "env_id": env_id,
        "controls": controls.model_dump(mode="json"),
        "updated_at": datetime.now(UTC),
    }
    insert_or_update(conn, environment_controls, row, unique=("env_id",), update=("controls", "updated_at"))


def drop(conn: Connection, env_id: str) -> None:
    conn.execute(delete(environment_controls).where(environment_controls.c.env_id == env_id))
