"""The rows of the files that runs made; the files themselves are stored in the run folders."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select
from sqlalchemy import delete as sql_delete
from sqlalchemy import update as sql_update

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.disk.retention import OWN_VIDEO, UNCOUNTED_ROLES
from rl_lab.core.errors import NotFound
from rl_lab.core.models.checkpoints import Score
from rl_lab.core.runs import LIVE, RunStatus
from rl_lab.store.sql import meta
from rl_lab.store.sql.columns import clean_text
from rl_lab.store.sql.tables import artifacts, runs
from rl_lab.store.sql.upserts import insert_or_update

_KEPT = ("id", "run_id", "path", "pinned", "tags", "note", "evaluation", "evaluation_mean")
"""Columns that a second report of the same file does not change."""
_UPDATED = tuple(c.name for c in artifacts.c if c.name not in _KEPT)
CHANGED = "artifacts-changed:"
"""Key prefix of runs whose manifest is out of date; the keys survive a crash."""


def artifact_id(run_id: str, path: str) -> str:
    """The id of a run's file; always the same, so that reporting a file twice creates one row."""
    name = f"{run_id}/{path}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(name, digest_size=10).hexdigest()


def upsert(conn: Connection, artifact: Artifact) -> Artifact:
    """Inserts or updates the row of this run and path (keeping its id and pin); returns the stored artifact."""
    same = and_(artifacts.c.run_id == artifact.run_id, artifacts.c.path == clean_text(artifact.path))
    earlier = conn.execute(select(artifacts.c.sha256).where(same)).scalar()
    insert_or_update(conn, artifacts, artifact.model_dump(), unique=("run_id", "path"), update=_UPDATED)
    note_change(conn, artifact.run_id)
    stored = Artifact(**conn.execute(select(artifacts).where(same)).one()._mapping)
    if artifact.kind == "checkpoint" and artifact.evaluation is None and stored.sha256 != earlier:
        return _describe_new_contents(conn, stored)
    return stored


def _describe_new_contents(conn: Connection, changed: Artifact) -> Artifact:
    """The best checkpoint is a link to another one, and is replaced: scores, tags and notes are about contents."""
    same = _same_checkpoint(changed.run_id, changed.sha256)
    query = select(artifacts.c.evaluation).where(same, artifacts.c.evaluation_mean.is_not(None)).limit(1)
    found = conn.execute(query.where(artifacts.c.id != changed.id)).scalar()
    score = Score.model_validate(found) if found and changed.sha256 else None
    fields = _evaluation_columns(score) if score or changed.evaluation else {}
    if changed.tags or changed.note:
        fields |= {"tags": [], "note": ""}
    return _change(conn, changed.id, **fields) if fields else changed


def add_evaluation(conn: Connection, run_id: str, sha256: str, score: Score) -> None:
    """Stores a measured return with the checkpoints that have these contents, unless theirs is better founded."""
    for row in conn.execute(select(artifacts).where(_same_checkpoint(run_id, sha256))) if sha256 else ():
        if score.is_as_well_founded_as(Artifact(**row._mapping).evaluation):
            _change(conn, row.id, **_evaluation_columns(score))


def _same_checkpoint(run_id: str, sha256: str) -> ColumnElement[bool]:
    return and_(
        artifacts.c.run_id == run_id,
        artifacts.c.kind == "checkpoint",
        artifacts.c.sha256 == clean_text(sha256),
    )


def _evaluation_columns(score: Score | None) -> dict[str, Any]:
    if score is None:
        return {"evaluation": None, "evaluation_mean": None}
    return {"evaluation": score.model_dump(mode="json"), "evaluation_mean": score.mean}


def get(conn: Connection, artifact_id: str) -> Artifact:
    row = conn.execute(select(artifacts).where(artifacts.c.id == clean_text(artifact_id))).one_or_none()
    if row is None:
        raise NotFound(
            f"There is no artifact “{artifact_id}”.",
            next_step="List the artifacts of the run to get their ids.",
        )
    return Artifact(**row._mapping)


def find(conn: Connection, artifact_id: str) -> Artifact | None:
    row = conn.execute(select(artifacts).where(artifacts.c.id == clean_text(artifact_id))).one_or_none()
    return Artifact(**row._mapping) if row else None


def exists(conn: Connection, artifact_id: str) -> bool:
    return conn.execute(select(artifacts.c.id).where(artifacts.c.id == artifact_id)).scalar() is not None


def list_for_run(
    conn: Connection, run_id: str, *, kind: str | None = None, limit: int = 1000
) -> list[Artifact]:
    """Newest first."""
    query = select(artifacts).where(artifacts.c.run_id == run_id)
    if kind is not None:
        query = query.where(artifacts.c.kind == kind)
    query = query.order_by(artifacts.c.created_at.desc(), artifacts.c.path.desc()).limit(limit)
    return [Artifact(**row._mapping) for row in conn.execute(query)]


def list_of_kinds(conn: Connection, run_id: str, kinds: Collection[str]) -> list[Artifact]:
    """All of these kinds, newest first."""
    query = select(artifacts).where(artifacts.c.run_id == run_id, artifacts.c.kind.in_(sorted(kinds)))
    query = query.order_by(artifacts.c.created_at.desc(), artifacts.c.path.desc())
    return [Artifact(**row._mapping) for row in conn.execute(query)]


def list_by_hash(conn: Connection, sha256: str, kinds: Collection[str]) -> list[Artifact]:
    """Files of these kinds with these contents, in whatever run, newest first."""
    same = (artifacts.c.sha256 == clean_text(sha256)) & artifacts.c.kind.in_(sorted(kinds))
    query = select(artifacts).where(same).order_by(artifacts.c.created_at.desc(), artifacts.c.id).limit(100)
    return [Artifact(**row._mapping) for row in conn.execute(query)]


def newest_of_kind(conn: Connection, run_ids: Collection[str], kind: str) -> dict[str, Artifact]:
    """The newest artifact of this kind by run, with one query; runs without one are left out."""
    query = select(artifacts).where(artifacts.c.run_id.in_(sorted(run_ids)), artifacts.c.kind == kind)
    rows = conn.execute(query.order_by(artifacts.c.created_at, artifacts.c.path))
    return {row.run_id: Artifact(**row._mapping) for row in rows}


def idle_of_kind(conn: Connection, kind: str) -> list[list[Artifact]]:
    """The artifacts of one kind, grouped by run, of idle runs: not live, not archived, not deleted, not elsewhere.

    Videos are listed with their training, not with the evaluation that made them.
    """
    query = select(artifacts).join(runs, runs.c.id == artifacts.c.run_id)
    query = query.where(
        artifacts.c.kind == kind,
        runs.c.status.not_in(sorted([*LIVE, RunStatus.queued])),
        ~runs.c.archived,
        runs.c.deleted_at.is_(None),
        runs.c.parent_id.is_(None),
    )
    by_run: dict[str, list[Artifact]] = {}
    for row in conn.execute(query.order_by(artifacts.c.run_id)):
        artifact = Artifact(**row._mapping)
        if not artifact.is_elsewhere:
            by_run.setdefault(artifact.run_id, []).append(artifact)
    return list(by_run.values())


def runs_beyond(conn: Connection, limits: Mapping[str, int]) -> list[str]:
    """Runs with more artifacts of a kind than its limit."""
    over = or_(*(and_(artifacts.c.kind == kind, func.count() > limit) for kind, limit in limits.items()))
    query = select(artifacts.c.run_id).where(artifacts.c.kind.in_(sorted(limits)), _is_counted())
    query = query.group_by(artifacts.c.run_id, artifacts.c.kind).having(over)
    return list(dict.fromkeys(conn.execute(query).scalars()))


def kinds_of_runs(conn: Connection, run_ids: Collection[str]) -> dict[str, dict[str, int]]:
    """How many artifacts of each kind each run has, without those that retention does not count."""
    query = select(artifacts.c.run_id, artifacts.c.kind, func.count())
    query = query.where(artifacts.c.run_id.in_(sorted(run_ids)), _is_counted())
    found: dict[str, dict[str, int]] = {}
    for run_id, kind, count in conn.execute(query.group_by(artifacts.c.run_id, artifacts.c.kind)):
        found.setdefault(run_id, {})[kind] = count
    return found


def find_checkpoint(conn: Connection, run_id: str, *, role: str | None = None) -> Artifact | None:
    """The checkpoint with the most training steps, optionally with this role; None if there is none."""
    query = select(artifacts).where(artifacts.c.run_id == run_id, artifacts.c.kind == "checkpoint")
    if role is not None:
        query = query.where(artifacts.c.role == role)
    query = query.order_by(artifacts.c.timestep.desc().nulls_last(), artifacts.c.created_at.desc()).limit(1)
    row = conn.execute(query).one_or_none()
    return Artifact(**row._mapping) if row else None


def pin(conn: Connection, artifact_id: str, pinned: bool = True) -> Artifact:
    return _change(conn, artifact_id, pinned=pinned)


def label(conn: Connection, artifact_id: str, **labels: Any) -> Artifact:
    """Changes title, tags or note."""
    return _change(conn, artifact_id, **labels)


def lasting_checkpoint(conn: Connection, artifact: Artifact) -> Artifact:
    """Of the best checkpoint, whose file is replaced, the one with the same contents that is not; else itself."""
    if artifact.role != "best" or not artifact.sha256:
        return artifact
    query = select(artifacts).where(_same_checkpoint(artifact.run_id, artifact.sha256))
    row = conn.execute(query.where(artifacts.c.role != "best").limit(1)).one_or_none()
    return Artifact(**row._mapping) if row else artifact


def delete(conn: Connection, artifact_id: str) -> bool:
    """Deletes a row; returns whether it existed."""
    same = artifacts.c.id == clean_text(artifact_id)
    run_id = conn.execute(select(artifacts.c.run_id).where(same)).scalar()
    if run_id is not None:
        conn.execute(sql_delete(artifacts).where(same))
        note_change(conn, run_id)
    return run_id is not None


def set_contents(conn: Connection, artifact_id: str, *, size: int, sha256: str) -> Artifact:
    """Stores size and hash of a complete file."""
    return _change(conn, artifact_id, size=size, sha256=sha256)


def _is_counted() -> ColumnElement[bool]:
    """`retention.is_counted` as SQL."""
    is_plain = artifacts.c.role.is_(None) | artifacts.c.role.not_in(UNCOUNTED_ROLES)
    return and_(is_plain, artifacts.c.path != OWN_VIDEO)


def _change(conn: Connection, artifact_id: str, **fields: Any) -> Artifact:
    conn.execute(sql_update(artifacts).where(artifacts.c.id == clean_text(artifact_id)).values(**fields))
    changed = get(conn, artifact_id)
    note_change(conn, changed.run_id)
    return changed


def note_change(conn: Connection, run_id: str) -> None:
    """Marks the run's artifacts as changed; the Database calls `on_artifacts` after the commit."""
    noted: set[str] = conn.info.setdefault(CHANGED, set())
    if run_id not in noted:
        noted.add(run_id)
        meta.put(conn, f"{CHANGED}{run_id}", True)
