"""The files each run made, as rows; the bytes lie in the run's folder."""

from __future__ import annotations

import hashlib
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy import delete as sql_delete
from sqlalchemy import update as sql_update

from rl_lab.core.artifacts import Artifact
from rl_lab.core.errors import NotFound
from rl_lab.store.columns import clean_text
from rl_lab.store.tables import artifacts
from rl_lab.store.upserts import insert_or_update

_KEPT = ("id", "run_id", "path", "pinned")
"""What a second report of the same file does not change."""
_UPDATED = tuple(c.name for c in artifacts.c if c.name not in _KEPT)


def artifact_id(run_id: str, path: str) -> str:
    """The id of a run's file: always the same, so that reporting it twice makes one row."""
    name = f"{run_id}/{path}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(name, digest_size=10).hexdigest()


def upsert(conn: Connection, artifact: Artifact) -> Artifact:
    """Insert, or renew the row of the same run and path (keeping its id and pin); the stored one is returned."""
    insert_or_update(conn, artifacts, artifact.model_dump(), unique=("run_id", "path"), update=_UPDATED)
    query = select(artifacts).where(
        artifacts.c.run_id == artifact.run_id, artifacts.c.path == clean_text(artifact.path)
    )
    return Artifact(**conn.execute(query).one()._mapping)


def get(conn: Connection, artifact_id: str) -> Artifact:
    row = conn.execute(select(artifacts).where(artifacts.c.id == clean_text(artifact_id))).one_or_none()
    if row is None:
        raise NotFound(
            f"There is no artifact “{artifact_id}”.", next_step="List a run's artifacts to see which it has."
        )
    return Artifact(**row._mapping)


def list_for_run(
    conn: Connection, run_id: str, *, kind: str | None = None, limit: int = 1000
) -> list[Artifact]:
    """Newest first."""
    query = select(artifacts).where(artifacts.c.run_id == run_id)
    if kind is not None:
        query = query.where(artifacts.c.kind == kind)
    query = query.order_by(artifacts.c.created_at.desc(), artifacts.c.path.desc()).limit(limit)
    return [Artifact(**row._mapping) for row in conn.execute(query)]


def find_checkpoint(conn: Connection, run_id: str, *, role: str | None = None) -> Artifact | None:
    """The checkpoint with most training behind it, of a role when one is given; None when there is none."""
    query = select(artifacts).where(artifacts.c.run_id == run_id, artifacts.c.kind == "checkpoint")
    if role is not None:
        query = query.where(artifacts.c.role == role)
    query = query.order_by(artifacts.c.timestep.desc().nulls_last(), artifacts.c.created_at.desc()).limit(1)
    row = conn.execute(query).one_or_none()
    return Artifact(**row._mapping) if row else None


def pin(conn: Connection, artifact_id: str, pinned: bool = True) -> Artifact:
    return _change(conn, artifact_id, pinned=pinned)


def rename(conn: Connection, artifact_id: str, title: str) -> Artifact:
    return _change(conn, artifact_id, title=title)


def delete(conn: Connection, artifact_id: str) -> bool:
    """Whether there was such a row."""
    return conn.execute(sql_delete(artifacts).where(artifacts.c.id == clean_text(artifact_id))).rowcount > 0


def _change(conn: Connection, artifact_id: str, **fields: Any) -> Artifact:
    conn.execute(sql_update(artifacts).where(artifacts.c.id == clean_text(artifact_id)).values(**fields))
    return get(conn, artifact_id)
