"""Adopted runs: their source folders, how far the files have been read, and which folders are still followed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, or_, select, update

from rl_lab.core import event_log
from rl_lab.core.adoption import JoinedFolder, Source
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.run_events import Level
from rl_lab.core.runs import EndReason, Run, RunStatus, allowed_moves
from rl_lab.store import events, runs, transitions
from rl_lab.store.artifacts import note_change
from rl_lab.store.sql import meta
from rl_lab.store.sql.tables import adopted, artifacts
from rl_lab.store.sql.tables import events as event_table
from rl_lab.store.sql.tables import runs as run_table
from rl_lab.store.sql.upserts import insert_or_update
from rl_lab.store.transitions import Transition

FOLLOWED = "adoption:"
JOINED = "joined"
"""The key of a further folder of a run."""


class AdoptedRow(NamedTuple):
    folder: str
    key: str
    run_id: str
    state: dict[str, Any]
    status: RunStatus
    is_deleted: bool
    copied: bool
    is_archived: bool
    joined: dict[str, str]
    """Further folders of the same training → why they are."""


def list_beneath(conn: Connection, folder: str) -> list[AdoptedRow]:
    """The runs that were adopted from this folder or a subfolder, or have a joined folder there."""
    inside = folder.rstrip("/") + "/"
    there = select(adopted.c.run_id).where(
        or_(adopted.c.folder == folder, adopted.c.folder.startswith(inside, autoescape=True))
    )
    query = (
        select(adopted, run_table.c.status, run_table.c.deleted_at, run_table.c.archived, run_table.c.source)
        .join(run_table, run_table.c.id == adopted.c.run_id)
        .where(adopted.c.run_id.in_(there), adopted.c.key != JOINED)
    )
    return [
        AdoptedRow(
            folder=row.folder,
            key=row.key,
            run_id=row.run_id,
            state=row.state or {},
            status=RunStatus(row.status),
            is_deleted=row.deleted_at is not None,
            copied=bool((row.source or {}).get("copied")),
            is_archived=row.archived,
            joined={one["folder"]: one["evidence"] for one in (row.source or {}).get("joined", ())},
        )
        for row in conn.execute(query)
    ]


def find(conn: Connection, folder: str, key: str) -> str | None:
    """The id of the run that was adopted from there; None if there is none."""
    query = select(adopted.c.run_id).where(adopted.c.folder == folder, adopted.c.key == key)
    return conn.execute(query).scalar()


class AdoptedRun(NamedTuple):
    """A run that another tool made, as it is first stored."""

    run: Run
    state: dict[str, Any]
    """How far its files have been read."""
    files: Sequence[Artifact]


def insert_all(conn: Connection, new: Sequence[AdoptedRun]) -> list[Run]:
    """Inserts several runs, except those that already exist; returns the inserted runs."""
    fresh = {_source_key(one.run): one for one in new if find(conn, *_source_key(one.run)) is None}
    if not fresh:
        return []
    made = [one.run for one in fresh.values()]
    runs.insert_all(conn, made)
    rows = [
        {"folder": folder, "key": key, "run_id": one.run.id, "state": one.state}
        for (folder, key), one in fresh.items()
    ]
    conn.execute(insert(adopted), rows)
    for run in made:
        _put_joined_rows(conn, run.id, _source(run))
    files = [file.model_dump() for one in fresh.values() for file in one.files]
    if files:
        conn.execute(insert(artifacts), files)
    for run in made:
        note_change(conn, run.id)
    conn.execute(insert(event_table), [_adopted_event(run) for run in made])
    return [_with_moves(run) for run in made]


def put_joined(conn: Connection, run: Run, joined: dict[str, str]) -> Run:
    """Stores which folders belong to a run besides its own."""
    folders = [JoinedFolder(folder=folder, evidence=evidence) for folder, evidence in joined.items()]
    source = _source(run).model_copy(update={"joined": folders})
    conn.execute(delete(adopted).where(adopted.c.run_id == run.id, adopted.c.key == JOINED))
    _put_joined_rows(conn, run.id, source)
    conn.execute(update(run_table).where(run_table.c.id == run.id).values(source=source.model_dump()))
    return run.model_copy(update={"source": source})


def _put_joined_rows(conn: Connection, run_id: str, source: Source) -> None:
    for one in source.joined:
        row = {"folder": one.folder, "key": JOINED, "run_id": run_id, "state": {}}
        insert_or_update(conn, adopted, row, unique=("folder", "key"), update=("run_id",))


def _source_key(run: Run) -> tuple[str, str]:
    source = _source(run)
    return source.folder, source.key


def _adopted_event(run: Run) -> dict[str, Any]:
    source = _source(run)
    return {
        "run_id": run.id,
        "at": datetime.now(UTC),
        "level": event_log.ADOPTED.level,
        "type": event_log.ADOPTED.name,
        "message": f"Adopted from {source.folder}.",
        "data": {"format": source.format, "folder": source.folder},
    }


def _with_moves(run: Run) -> Run:
    return run.model_copy(update={"allowed": allowed_moves(run.status, is_adopted=True)})


def grow(
    conn: Connection, run: Run, state: dict[str, Any], files: Sequence[Artifact], ended_at: datetime | None
) -> None:
    """Stores newly read data of a run: read positions, progress, configuration and files."""
    runs.update_progress(conn, run.id, run.progress, run.summary)
    config = run.config
    assert isinstance(config, TrainConfig)
    runs.put_config(conn, run.id, config)
    about = {name: getattr(config, name) for name in ("env_id", "algorithm", "runner")}
    search = runs.search_text(run.id, run.name, about, [*run.tags, run.notes])
    changes: dict[str, Any] = {**about, "search": search}
    if ended_at is not None:
        changes["ended_at"] = ended_at
    conn.execute(update(run_table).where(run_table.c.id == run.id).values(**changes))
    _put_state(conn, run.id, state)
    put_files(conn, files)


def follow_again(conn: Connection, run: Run, message: str) -> Run:
    """Follows an ended run again because its folder is being written; the only change of an end without an attempt."""
    source = _source(run).model_copy(update={"is_followed": True})
    now = datetime.now(UTC)
    changes = {
        "status": RunStatus.followed,
        "version": run.version + 1,
        "updated_at": now,
        "ended_at": None,
        "reason": None,
        "source": source.model_dump(),
    }
    conn.execute(update(run_table).where(run_table.c.id == run.id).values(**changes))
    moved = Transition(run.id, run.status, RunStatus.followed, run.attempt, run.version + 1, now)
    transitions.append(conn, moved)
    events.append(conn, run.id, event_log.RUN_FOLLOWED, message)
    return runs.get(conn, run.id, include_deleted=True)


def end_following(
    conn: Connection, run_id: str, to: RunStatus, reason: EndReason, at: datetime | None = None
) -> Run | None:
    """Stops following a run; None if it was not followed. `at`: when its last point was written."""
    level: Level = "warning" if to is RunStatus.lost else "info"
    ended = runs.change_status(conn, run_id, expected=RunStatus.followed, to=to, reason=reason, level=level)
    if ended is None:
        return None
    source = _source(ended).model_copy(update={"is_followed": False})
    changes: dict[str, Any] = {"source": source.model_dump()}
    if at is not None:
        changes["ended_at"] = at
    conn.execute(update(run_table).where(run_table.c.id == run_id).values(**changes))
    return runs.get(conn, run_id, include_deleted=True)


def put_followed(conn: Connection, adoption_id: str, wanted: dict[str, Any]) -> None:
    """Stores that a folder is followed, so that the lab continues after a restart."""
    meta.put(conn, FOLLOWED + adoption_id, wanted)


def forget_followed(conn: Connection, adoption_id: str) -> None:
    meta.drop(conn, FOLLOWED + adoption_id)


def list_followed(conn: Connection) -> dict[str, dict[str, Any]]:
    """The requests of folders that are still followed, by adoption id."""
    return {key.removeprefix(FOLLOWED): meta.find(conn, key) for key in meta.keys(conn, FOLLOWED)}


def mark_followed(conn: Connection) -> None:
    """Earlier versions stored followed runs as running."""
    was_followed = run_table.c.source.is_not(None) & (run_table.c.status == RunStatus.running)
    conn.execute(update(run_table).where(was_followed).values(status=RunStatus.followed))


def list_followed_runs(conn: Connection) -> list[tuple[str, str]]:
    """Adopted runs that are followed, with their folders."""
    query = select(run_table.c.id, run_table.c.source).where(
        run_table.c.source.is_not(None), run_table.c.status == RunStatus.followed
    )
    return [(row.id, row.source["folder"]) for row in conn.execute(query)]


def _source(run: Run) -> Source:
    if run.source is None:
        raise ValueError(f"run {run.id} was not adopted")
    return run.source


def _put_state(conn: Connection, run_id: str, state: dict[str, Any]) -> None:
    conn.execute(update(adopted).where(adopted.c.run_id == run_id).values(state=state))


def put_files(conn: Connection, files: Sequence[Artifact]) -> None:
    for file in files:
        updated = ("size", "created_at", "kind", "data")
        insert_or_update(conn, artifacts, file.model_dump(), unique=("run_id", "path"), update=updated)
        note_change(conn, file.run_id)
