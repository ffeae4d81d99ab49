"""Saved views of the table of runs."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, delete, func, insert, select

from rl_lab.core.saved_views import SavedView, ViewContents, view_of
from rl_lab.store.sql.columns import clean_text
from rl_lab.store.sql.tables import views


def list_all(conn: Connection) -> list[SavedView]:
    """By name."""
    return [
        view_of(row) for row in conn.execute(select(views).order_by(func.lower(views.c.name), views.c.name))
    ]


def put(conn: Connection, name: str, contents: ViewContents) -> None:
    """Saves a view; one of the same name is replaced."""
    remove(conn, name)
    row = {"name": name, "view": contents.model_dump(mode="json"), "updated_at": datetime.now(UTC)}
    conn.execute(insert(views), row)


def remove(conn: Connection, name: str) -> bool:
    """Whether there was one."""
    return conn.execute(delete(views).where(views.c.name == clean_text(name))).rowcount > 0
