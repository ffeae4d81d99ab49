"""Runs in the database: create, change, and move between states by compare-and-set. Pages are in `run_pages.py`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel
from sqlalchemy import Connection, delete, func, literal, select, update
from sqlalchemy import insert as sql_insert
from sqlalchemy.exc import IntegrityError

from rl_lab.core.errors import Gone, InvalidInput, NotFound
from rl_lab.core.event_log import STATUS_EVENTS
from rl_lab.core.jobs.kinds import JobConfig, RunKind
from rl_lab.core.jobs.play import PlayConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.run_events import EventType, Level
from rl_lab.core.runs import (
    FINAL,
    LIVE,
    TRANSITIONS,
    EndReason,
    Progress,
    Run,
    RunStatus,
    Summary,
)
from rl_lab.store import events, queue, run_metrics, run_parameters, transitions
from rl_lab.store.run_pages import PARAMETER_SORT, RUN_SORTS, RunFilter, RunListing, find_page
from rl_lab.store.run_rows import RUN_FIELDS, to_runs
from rl_lab.store.sql.columns import clean_text
from rl_lab.store.sql.tables import run_documents, run_tags, runs
from rl_lab.store.transitions import Transition

PATCHABLE = frozenset(
    {
        "name",
        "tags",
        "notes",
        "archived",
        "deleted_at",
        "priority",
        "paused_wanted",
        "isolation",
        "exact_resume",
    }
)

MOST_PARENTS = 8
"""Longer chains are not made here; a pack could contain one that never ends."""

__all__ = ["PARAMETER_SORT", "RUN_SORTS", "RunFilter", "RunListing", "find_page", "get", "insert"]


def insert(conn: Connection, run: Run) -> Run:
    """Inserts a new run with its first transition; evaluations and other children get their parent's environment."""
    try:
        insert_all(conn, [run])
    except IntegrityError:
        raise InvalidInput.of_field("id", f"a run “{run.id}” already exists") from None
    return get(conn, run.id, include_deleted=True)


def insert_all(conn: Connection, new: Sequence[Run]) -> None:
    """Inserts several runs, each with its first transition."""
    conn.execute(sql_insert(runs), [_row(conn, run) for run in new])
    documents = [
        {
            "run_id": run.id,
            "config": run.config.model_dump(mode="json"),
            **_document(run.progress, run.summary),
        }
        for run in new
    ]
    conn.execute(sql_insert(run_documents), documents)
    run_parameters.insert_all(conn, [(run.id, run.config) for run in new])
    for run in new:
        if run.summary.metrics or run.summary.numbers:
            run_metrics.replace(conn, run.id, run.summary.metrics, run.summary.numbers)
    for run in new:
        _put_tags(conn, run.id, run.tags)
    first = [Transition(r.id, None, r.status, r.attempt, r.version, r.created_at) for r in new]
    transitions.append_all(conn, first)


def _row(conn: Connection, run: Run) -> dict[str, Any]:
    about = _about(conn, run)
    row = {name: getattr(run, name) for name in RUN_FIELDS}
    row |= {"reason": _plain(run.reason), "source": _plain(run.source), "origin": _plain(run.origin), **about}
    row |= _sort_columns(run.progress, run.summary) | _config_columns(run.config)
    row["search"] = search_text(run.id, run.name, about, [*run.tags, run.notes])
    return row


def get(conn: Connection, run_id: str, *, include_deleted: bool = False) -> Run:
    row = conn.execute(select(runs).where(runs.c.id == clean_text(run_id))).one_or_none()
    if row is None:
        raise NotFound(
            f"There is no run called “{run_id}”.", next_step="The page Runs and `rl-lab runs` list all runs."
        )
    if row.deleted_at is not None and not include_deleted:
        raise Gone(
            f"The run “{run_id}” was deleted.",
            next_step=f"`rl-lab restore {run_id}` restores it, before its undo time ends.",
        )
    return to_runs(conn, [row])[0]


def find_training(conn: Connection, run_id: str) -> Run | None:
    """The training that a run belongs to: itself, else its nearest parent; None where there is none, or it is deleted.

    An evaluation has its training as its parent; a fork of one of its episodes has the evaluation.
    """
    wanted: str | None = run_id
    for _ in range(MOST_PARENTS):
        row = conn.execute(select(runs).where(runs.c.id == wanted)).one_or_none()
        if row is None or row.deleted_at is not None:
            return None
        if row.kind == RunKind.train:
            return to_runs(conn, [row])[0]
        wanted = row.parent_id
    return None


def change_status(
    conn: Connection,
    run_id: str,
    *,
    expected: RunStatus | Collection[RunStatus],
    to: RunStatus,
    version: int | None = None,
    attempt: int | None = None,
    reason: EndReason | None = None,
    message: str | None = None,
    event_type: EventType | None = None,
    level: Level | None = None,
    data: Mapping[str, Any] | None = None,
    at: datetime | None = None,
) -> Run | None:
    """Changes the state by compare-and-set, with a transition and an event; None if another change came first.

    `attempt` sets the run's new attempt number; `version` is an additional condition.
    """
    states = _allowed_states(expected, to)
    query = select(runs.c.status, runs.c.version, runs.c.kind, runs.c.priority, runs.c.study_id)
    seen = conn.execute(query.where(runs.c.id == run_id)).one_or_none()
    if seen is None or seen.status not in states or version not in (None, seen.version):
        return None
    now = at or datetime.now(UTC)
    changes = {"status": to, "version": seen.version + 1, "updated_at": now, "paused_wanted": False}
    changes |= _times(RunStatus(seen.status), to, now) | {"reason": _plain(reason)}
    if to is RunStatus.queued:
        place = queue.find_end_place(conn, RunKind(seen.kind), seen.priority, seen.study_id)
        changes["queue_place"] = place
    if attempt is not None:
        changes["attempt"] = attempt
    same = (runs.c.id == run_id) & (runs.c.version == seen.version) & (runs.c.status == seen.status)
    if conn.execute(update(runs).where(same).values(**changes)).rowcount == 0:
        return None
    run = get(conn, run_id, include_deleted=True)
    came_from = RunStatus(seen.status)
    transitions.append(conn, Transition(run_id, came_from, to, run.attempt, run.version, now, reason))
    text = message or (reason.message if reason else f"The run is {to}.")
    facts = {"from": came_from, "to": to, "attempt": run.attempt, "reason": _plain(reason), **(data or {})}
    events.append(conn, run_id, event_type or STATUS_EVENTS[to], text, data=facts, level=level, at=now)
    return run


def update_progress(conn: Connection, run_id: str, progress: Progress, summary: Summary) -> None:
    """Stores progress and summary; changes neither state nor version, nor the numbers of evaluations."""
    stored = conn.execute(select(run_documents.c.summary).where(run_documents.c.run_id == run_id)).scalar()
    kept = {name: dict((stored or {}).get(name) or {}) for name in ("numbers", "cited")}
    summary = summary.model_copy(update=kept)
    changes = _sort_columns(progress, summary) | {"updated_at": datetime.now(UTC)}
    conn.execute(update(runs).where(runs.c.id == run_id).values(**changes))
    document = _document(progress, summary)
    conn.execute(update(run_documents).where(run_documents.c.run_id == run_id).values(**document))
    if summary.metrics:
        run_metrics.replace(conn, run_id, summary.metrics, summary.numbers)


def learn(conn: Connection, run_id: str, fields: Mapping[str, Any]) -> Run | None:
    """Writes settings that a script reported into its run's config; None if the run is not a training."""
    run = get(conn, run_id, include_deleted=True)
    if not isinstance(run.config, TrainConfig):
        return None
    config = TrainConfig.model_validate({**run.config.model_dump(), **fields})
    put_config(conn, run_id, config)
    about = {"env_id": config.env_id, "algorithm": config.algorithm, "runner": config.runner}
    search = search_text(run_id, run.name, about, [*run.tags, run.notes])
    changes = {"env_id": config.env_id, "search": search, "updated_at": datetime.now(UTC)}
    conn.execute(update(runs).where(runs.c.id == run_id).values(**changes))
    return get(conn, run_id, include_deleted=True)


def put_config(conn: Connection, run_id: str, config: TrainConfig) -> None:
    """Replaces a run's configuration, with the columns and parameters that lists filter and sort by."""
    document = {"config": config.model_dump(mode="json")}
    conn.execute(update(run_documents).where(run_documents.c.run_id == run_id).values(**document))
    conn.execute(update(runs).where(runs.c.id == run_id).values(**_config_columns(config)))
    run_parameters.replace(conn, run_id, config)


def patch(conn: Connection, run_id: str, **fields: Any) -> Run:
    """Renames, tags, archives, deletes or restores (`deleted_at`) a run, sets its priority or requests a pause."""
    unknown = set(fields) - PATCHABLE
    if unknown:
        raise InvalidInput.of_field(sorted(unknown)[0], "cannot be changed", sorted(PATCHABLE))
    run = get(conn, run_id, include_deleted=True)
    tags = fields.pop("tags", None)
    if tags is not None:
        conn.execute(delete(run_tags).where(run_tags.c.run_id == run_id))
        _put_tags(conn, run_id, tags)
    about = conn.execute(
        select(runs.c.env_id, runs.c.algorithm, runs.c.runner).where(runs.c.id == run_id)
    ).one()
    words = [*(run.tags if tags is None else tags), fields.get("notes", run.notes)]
    fields["search"] = search_text(run_id, fields.get("name", run.name), about._asdict(), words)
    fields["updated_at"] = datetime.now(UTC)
    conn.execute(update(runs).where(runs.c.id == run_id).values(**fields))
    return get(conn, run_id, include_deleted=True)


def list_live(conn: Connection) -> list[Run]:
    """Runs with a guardian, including deleted ones, oldest first."""
    query = select(runs).where(runs.c.status.in_(sorted(LIVE))).order_by(runs.c.created_at, runs.c.id)
    return to_runs(conn, conn.execute(query).all())


def get_all(conn: Connection, run_ids: Sequence[str]) -> list[Run]:
    """These runs in this order, with one query; NotFound or Gone when one is missing or deleted."""
    found = {run.id: run for run in list_by_ids(conn, run_ids) if run.deleted_at is None}
    return [found.get(run_id) or get(conn, run_id) for run_id in run_ids]


def list_by_ids(conn: Connection, run_ids: Collection[str]) -> list[Run]:
    """The existing runs with these ids, in no particular order."""
    return to_runs(conn, conn.execute(select(runs).where(runs.c.id.in_(sorted(run_ids)))).all())


def list_evaluations(conn: Connection, run_ids: Collection[str]) -> list[Run]:
    """The ended evaluations of these trainings, oldest first."""
    query = select(runs).where(runs.c.parent_id.in_(sorted(run_ids)), runs.c.kind == RunKind.evaluate)
    query = query.where(runs.c.status.in_(sorted(FINAL)), runs.c.deleted_at.is_(None))
    return to_runs(conn, conn.execute(query.order_by(runs.c.created_at, runs.c.id)).all())


def list_archived(conn: Connection) -> list[str]:
    """Ids of archived, idle runs, whose folders may be packed."""
    busy = [*LIVE, RunStatus.queued]
    query = select(runs.c.id, runs.c.source).where(runs.c.archived, runs.c.deleted_at.is_(None))
    rows = conn.execute(query.where(runs.c.status.not_in(sorted(busy))).order_by(runs.c.created_at))
    return [run_id for run_id, source in rows if not (source or {}).get("is_followed")]


def list_deleted(conn: Connection, before: datetime) -> list[Run]:
    """Runs deleted before this time, whose undo time is over."""
    query = select(runs).where(runs.c.deleted_at.is_not(None), runs.c.deleted_at < before)
    return to_runs(conn, conn.execute(query.order_by(runs.c.deleted_at).limit(100)).all())


def purge(conn: Connection, run_id: str) -> None:
    """Deletes a run permanently, with the rows of its events and artifacts."""
    conn.execute(delete(runs).where(runs.c.id == run_id))


def _allowed_states(expected: RunStatus | Collection[RunStatus], to: RunStatus) -> frozenset[RunStatus]:
    states = frozenset({expected} if isinstance(expected, RunStatus) else expected)
    wrong = sorted(state for state in states if to not in TRANSITIONS[state])
    if wrong or not states:
        raise ValueError(f"no transition from {wrong or 'nowhere'} to {to}")
    return states


def _times(came_from: RunStatus, to: RunStatus, now: datetime) -> dict[str, Any]:
    if to is RunStatus.queued:
        return {"queued_at": now, "ended_at": None}
    if to in FINAL:
        return {"ended_at": now}
    if to is RunStatus.running and came_from is RunStatus.starting:
        return {"started_at": func.coalesce(runs.c.started_at, literal(now, runs.c.started_at.type))}
    return {}


def _document(progress: Progress, summary: Summary) -> dict[str, Any]:
    stored = summary.model_dump(mode="json", exclude={"derived"})
    return {"progress": progress.model_dump(mode="json"), "summary": stored}


def _sort_columns(progress: Progress, summary: Summary) -> dict[str, Any]:
    """The columns that lists sort by."""
    return {
        "timestep": progress.timestep,
        "elapsed_s": progress.elapsed_s,
        "best_reward": summary.best_reward,
        "last_reward": summary.last_reward,
        "mean_reward": summary.mean_reward,
        "best_mean_reward": summary.best_mean_reward,
        "episodes": progress.episodes,
    }


def _config_columns(config: JobConfig) -> dict[str, Any]:
    """The settings that lists filter or sort by; a job has only some of them."""
    found = {name: getattr(config, name, None) for name in ("seed", "total_timesteps", "preset")}
    start, dataset = getattr(config, "start_from", None), getattr(config, "dataset", None)
    reward = getattr(config, "reward", None)
    return {
        **found,
        "started_from": start.run_id if start else None,
        "dataset": dataset.sha256 if dataset else None,
        "reward": reward.sha256 if reward else None,
    }


def _about(conn: Connection, run: Run) -> dict[str, Any]:
    """Environment, algorithm and runner of the run, for filters."""
    names = ("env_id", "algorithm", "runner")
    if isinstance(run.config, (TrainConfig, PlayConfig)):
        return {name: getattr(run.config, name, None) for name in names}
    row = conn.execute(select(*(runs.c[n] for n in names)).where(runs.c.id == run.parent_id)).one_or_none()
    return dict(row._mapping) if row else dict.fromkeys(names)


def search_text(run_id: str, name: str, about: Mapping[str, Any], texts: Iterable[str]) -> str:
    """`texts`: the tags and the notes."""
    words = [run_id, name, *about.values(), *texts]
    return "\n".join(word for word in words if word).casefold()


def _put_tags(conn: Connection, run_id: str, tags: Iterable[str]) -> None:
    unique = dict.fromkeys(clean_text(tag) for tag in tags)
    rows = [{"run_id": run_id, "tag": tag, "position": i} for i, tag in enumerate(unique)]
    if rows:
        conn.execute(sql_insert(run_tags), rows)


def _plain(model: BaseModel | None) -> dict[str, Any] | None:
    return model.model_dump() if model else None
