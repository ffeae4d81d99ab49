"""Files removed from runs: how many, and which files still have to be deleted from disk.

The row is deleted first and its file afterwards. A crash in between leaves a note here, never a row without a file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.disk.retention import group_of, is_counted
from rl_lab.store import artifacts
from rl_lab.store.sql import meta
from rl_lab.store.sql.tables import meta as meta_table

REMOVED = "removed:"
"""By run: the number of removed files of each group."""
PENDING = "removing:"
"""By run: files that still have to be deleted."""


class PendingDeletion(NamedTuple):
    """A file whose row is already deleted."""

    run_id: str
    path: str
    kind: str


def remove(conn: Connection, run_id: str, leaving: Sequence[Artifact]) -> list[PendingDeletion]:
    """Deletes rows, including the rows of the same files in the jobs that made them; counts them and notes the files.

    Files in a source folder are not deleted.
    """
    counts: dict[str, int] = dict(meta.find(conn, f"{REMOVED}{run_id}") or {})
    doomed = pending(conn, run_id)
    for artifact in leaving:
        artifacts.delete(conn, artifact.id)
        group = group_of(artifact)
        if group is not None and is_counted(artifact):
            counts[group] = counts.get(group, 0) + 1
        if not artifact.is_elsewhere:
            doomed.append(PendingDeletion(run_id, artifact.path, artifact.kind))
            doomed += _copy_in_job(conn, artifact)
    doomed += _unused_parts(conn, run_id, leaving)
    meta.put(conn, f"{REMOVED}{run_id}", counts)
    if doomed:
        meta.put(conn, f"{PENDING}{run_id}", [list(d) for d in doomed])
    return doomed


@contextmanager
def replaced_parts(conn: Connection, run_id: str, artifact_id: str) -> Iterator[None]:
    """While a checkpoint is reported again, as the best one is: notes parts of its former contents that none needs."""
    former = artifacts.find(conn, artifact_id)
    yield
    unused = _unused_parts(conn, run_id, [former]) if former is not None else []
    if unused:
        noted = [*pending(conn, run_id), *unused]
        meta.put(conn, f"{PENDING}{run_id}", [list(d) for d in noted])


def _unused_parts(conn: Connection, run_id: str, gone: Sequence[Artifact]) -> list[PendingDeletion]:
    """Files that only these checkpoints needed; several may share one."""
    parts = {part["path"] for one in gone for part in one.data.get("parts") or []}
    if not parts:
        return []
    left = artifacts.list_of_kinds(conn, run_id, ["checkpoint"])
    used = {part["path"] for one in left for part in one.data.get("parts") or []}
    return [PendingDeletion(run_id, path, "part") for path in sorted(parts - used)]


def pending(conn: Connection, run_id: str) -> list[PendingDeletion]:
    """Files that still have to be deleted, except those that were created again in the meantime."""
    noted = [PendingDeletion(*entry) for entry in meta.find(conn, f"{PENDING}{run_id}") or []]
    return [d for d in noted if not artifacts.exists(conn, artifacts.artifact_id(d.run_id, d.path))]


def is_noted(conn: Connection, run_id: str) -> bool:
    return meta.find(conn, f"{PENDING}{run_id}") is not None


def runs_with_pending(conn: Connection) -> list[str]:
    return [key.removeprefix(PENDING) for key in meta.keys(conn, PENDING)]


def done(conn: Connection, run_id: str, deleted: Collection[PendingDeletion]) -> None:
    """Drops the note about these files; others may have been noted in the meantime."""
    left = [one for one in pending(conn, run_id) if one not in deleted]
    if left:
        meta.put(conn, f"{PENDING}{run_id}", [list(one) for one in left])
    else:
        meta.drop(conn, f"{PENDING}{run_id}")


def forget_run(conn: Connection, run_id: str) -> None:
    for prefix in (REMOVED, PENDING, artifacts.CHANGED):
        meta.drop(conn, f"{prefix}{run_id}")


def removed_of(conn: Connection, run_ids: Collection[str]) -> dict[str, dict[str, int]]:
    """The number of removed files of each group, by run."""
    keys = [f"{REMOVED}{run_id}" for run_id in run_ids]
    rows: Any = conn.execute(select(meta_table.c.key, meta_table.c.value).where(meta_table.c.key.in_(keys)))
    return {key.removeprefix(REMOVED): value for key, value in rows}


def _copy_in_job(conn: Connection, artifact: Artifact) -> list[PendingDeletion]:
    """A video of an evaluation is also in the folder of its job."""
    job, path = artifact.data.get("job"), artifact.data.get("job_path", artifact.path)
    if not job:
        return []
    artifacts.delete(conn, artifacts.artifact_id(job, path))
    return [PendingDeletion(job, path, artifact.kind)]
