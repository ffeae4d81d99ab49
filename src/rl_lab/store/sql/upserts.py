"""INSERT … ON CONFLICT for both databases; SQLAlchemy has one version per dialect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Column, Connection, Table


def insert_or_ignore(
    conn: Connection, table: Table, row: Mapping[str, Any], *, returning: Column[Any]
) -> Any | None:
    """The `returning` column of the new row; None if the row already exists."""
    statement = _insert(conn, table).values(**row).on_conflict_do_nothing().returning(returning)
    return conn.execute(statement).scalar()


def insert_or_update(
    conn: Connection, table: Table, row: Mapping[str, Any], *, unique: Sequence[str], update: Sequence[str]
) -> None:
    """Inserts `row`; if a row with the same `unique` columns exists, overwrites its `update` columns."""
    statement = _insert(conn, table).values(**row)
    conn.execute(
        statement.on_conflict_do_update(
            index_elements=list(unique), set_={name: statement.excluded[name] for name in update}
        )
    )


def _insert(conn: Connection, table: Table) -> Any:
    # Imported only if used: importing PostgreSQL's dialect takes a tenth of a second.
    if conn.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)
