"""Key-value pairs about the lab itself: the boot id of its last run, when it was created, …"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, delete, select

from rl_lab.store.sql.tables import meta
from rl_lab.store.sql.upserts import insert_or_update


def find(conn: Connection, key: str) -> Any:
    """The value; None if the key does not exist."""
    return conn.execute(select(meta.c.value).where(meta.c.key == key)).scalar()


def put(conn: Connection, key: str, value: Any) -> None:
    insert_or_update(conn, meta, {"key": key, "value": value}, unique=("key",), update=("value",))


def drop(conn: Connection, key: str) -> None:
    conn.execute(delete(meta).where(meta.c.key == key))


def drop_all(conn: Connection, keys: Collection[str]) -> None:
    conn.execute(delete(meta).where(meta.c.key.in_(sorted(keys))))


def keys(conn: Connection, prefix: str) -> list[str]:
    """All keys with this prefix."""
    return list(
        conn.execute(select(meta.c.key).where(meta.c.key.startswith(prefix, autoescape=True))).scalars()
    )
