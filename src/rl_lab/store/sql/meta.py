"""A few facts about the lab itself, by key: the boot it last ran in, when it was made, …"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, delete, select

from rl_lab.store.sql.tables import meta
from rl_lab.store.sql.upserts import insert_or_update


def find(conn: Connection, key: str) -> Any:
    """The value; None when it was never put."""
    return conn.execute(select(meta.c.value).where(meta.c.key == key)).scalar()


def put(conn: Connection, key: str, value: Any) -> None:
    insert_or_update(conn, meta, {"key": key, "value": value}, unique=("key",), update=("value",))


def drop(conn: Connection, key: str) -> None:
    conn.execute(delete(meta).where(meta.c.key == key))


def drop_all(conn: Connection, keys: Collection[str]) -> None:
    conn.execute(delete(meta).where(meta.c.key.in_(sorted(keys))))


def keys(conn: Connection, prefix: str) -> list[str]:
    """Every key that begins so."""
    return list(
        conn.execute(select(meta.c.key).where(meta.c.key.startswith(prefix, autoescape=True))).scalars()
    )
