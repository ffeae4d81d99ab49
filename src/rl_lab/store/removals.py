"""What was taken out of runs: how much of it, and files whose rows are gone and which still have to follow.

A row goes first, its file after: a crash in between leaves a note here, never a row without its file.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.disk.retention import group_of
from rl_lab.store import artifacts
from rl_lab.store.sql import meta
from rl_lab.store.sql.tables import meta as meta_table

REMOVED = "removed:"
"""By run: how many of each group are gone."""
PENDING = "removing:"
"""By run: files that are to be deleted."""


class Doomed(NamedTuple):
    """A file whose row is gone."""

    run_id: str
    path: str
    kind: str


def remove(conn: Connection, run_id: str, leaving: Sequence[Artifact]) -> list[Doomed]:
    """Takes rows out, with the second names their files have in the jobs that made them; counts and notes them.

    Files that lie elsewhere stay where they are.
    """
    counts: dict[str, int] = dict(meta.find(conn, f"{REMOVED}{run_id}") or {})
    doomed = pending(conn, run_id)
    for artifact in leaving:
        artifacts.delete(conn, artifact.id)
        group = group_of(artifact)
        if group is not None:
            counts[group] = counts.get(group, 0) + 1
        if not artifact.is_elsewhere:
            doomed.append(Doomed(run_id, artifact.path, artifact.kind))
            doomed += _second_name(conn, artifact)
    meta.put(conn, f"{REMOVED}{run_id}", counts)
    if doomed:
        meta.put(conn, f"{PENDING}{run_id}", [list(d) for d in doomed])
    return doomed


def pending(conn: Connection, run_id: str) -> list[Doomed]:
    """Files still to be deleted; one that was made anew since then is none of them."""
    noted = [Doomed(*entry) for entry in meta.find(conn, f"{PENDING}{run_id}") or []]
    return [d for d in noted if not artifacts.exists(conn, artifacts.artifact_id(d.run_id, d.path))]


def runs_with_pending(conn: Connection) -> list[str]:
    return [key.removeprefix(PENDING) for key in meta.keys(conn, PENDING)]


def done(conn: Connection, run_id: str) -> None:
    meta.drop(conn, f"{PENDING}{run_id}")


def forget_run(conn: Connection, run_id: str) -> None:
    for prefix in (REMOVED, PENDING, artifacts.CHANGED):
        meta.drop(conn, f"{prefix}{run_id}")


def removed_of(conn: Connection, run_ids: Collection[str]) -> dict[str, dict[str, int]]:
    """How many of each group are gone, by run."""
    keys = [f"{REMOVED}{run_id}" for run_id in run_ids]
    rows: Any = conn.execute(select(meta_table.c.key, meta_table.c.value).where(meta_table.c.key.in_(keys)))
    return {key.removeprefix(REMOVED): value for key, value in rows}


def _second_name(conn: Connection, artifact: Artifact) -> list[Doomed]:
    """A video of an evaluation lies in the folder of its job too."""
    job, path = artifact.data.get("job"), artifact.data.get("job_path", artifact.path)
    if not job:
        return []
    artifacts.delete(conn, artifacts.artifact_id(job, path))
    return [Doomed(job, path, artifact.kind)]
