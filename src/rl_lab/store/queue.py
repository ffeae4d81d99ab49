"""The waiting runs in the database: their order, and what the queue needs to know of them and of the running ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, func, select, update

from rl_lab.core.errors import MoveRefused, NotFound
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.queue.lanes import Lane, kinds_of, lane_of
from rl_lab.core.queue.order import QueuePlace, end_of_round, find_round
from rl_lab.core.queue.resources import Use
from rl_lab.core.runs import LIVE, Run, RunStatus
from rl_lab.core.studies.studies import StudyStatus
from rl_lab.store.sql.tables import attempts, run_documents, runs, studies

ORDER = (
    runs.c.priority.desc(),
    runs.c.queue_place.asc().nulls_first(),
    runs.c.queued_at,
    runs.c.id,
)
"""In which waiting runs start."""


class QueuedRow(NamedTuple):
    """A waiting or running run, as far as the queue needs it."""

    run_id: str
    name: str
    kind: RunKind
    priority: int
    place: float
    study_id: str | None
    runner: str | None
    algorithm: str | None
    env_id: str | None
    config: Mapping[str, Any]


COLUMNS = (
    runs.c.id,
    runs.c.name,
    runs.c.kind,
    runs.c.priority,
    runs.c.queue_place,
    runs.c.study_id,
    runs.c.runner,
    runs.c.algorithm,
    runs.c.env_id,
    run_documents.c.config,
)


def list_waiting(
    conn: Connection, kinds: Collection[RunKind] | None = None, limit: int | None = None
) -> list[QueuedRow]:
    """In the order of start."""
    query = _rows(_waits(kinds)).order_by(*ORDER).limit(limit)
    return [_row(row) for row in conn.execute(query)]


def list_running(conn: Connection) -> list[QueuedRow]:
    """Runs with a process, oldest first; adopted runs have none of ours."""
    query = _rows(runs.c.status.in_(sorted(LIVE))).where(runs.c.source.is_(None))
    return [_row(row) for row in conn.execute(query.order_by(runs.c.created_at, runs.c.id))]


def _rows(condition: ColumnElement[bool]) -> Select[Any]:
    joined = runs.join(run_documents, run_documents.c.run_id == runs.c.id)
    return select(*COLUMNS).select_from(joined).where(condition)


def _row(row: Row[Any]) -> QueuedRow:
    values = list(row)
    values[2] = RunKind(values[2])
    values[4] = values[4] or 0.0
    return QueuedRow(*values)


def row_of(run: Run, place: float) -> QueuedRow:
    """Of a run that is not in the queue yet."""
    config = run.config
    settings = config.model_dump(include={"algorithm", "device", "params"})
    runner = getattr(config, "runner", None)
    about = (run.study_id, runner, run.algorithm or getattr(config, "algorithm", None), run.env_id)
    return QueuedRow(run.id, run.name, run.kind, run.priority, place, *about, settings)


def _waits(kinds: Collection[RunKind] | None = None) -> ColumnElement[bool]:
    condition = (runs.c.status == RunStatus.queued) & runs.c.deleted_at.is_(None)
    return condition if kinds is None else condition & runs.c.kind.in_(sorted(kinds))


def count_ahead(conn: Connection, lane: Lane, priority: int, place: float) -> int:
    """Waiting runs that start before one with this place."""
    is_before = (runs.c.priority > priority) | (
        (runs.c.priority == priority) & (func.coalesce(runs.c.queue_place, 0.0) <= place)
    )
    query = select(func.count()).select_from(runs).where(_waits(kinds_of(lane)), is_before)
    return conn.execute(query).scalar_one()


def find_end_place(conn: Connection, kind: RunKind, priority: int, study_id: str | None) -> float:
    """The place of a run that enters the queue now; see `core/queue/order.py`."""
    same = _waits(kinds_of(lane_of(kind))) & (runs.c.priority == priority)
    place = runs.c.queue_place
    query = select(func.coalesce(place, 0.0)).where(same)
    first = conn.execute(query.order_by(place.asc().nulls_first()).limit(1)).scalar()
    newest = query.order_by(place.desc().nulls_last()).limit(1)
    last = conn.execute(newest.where(runs.c.study_id == study_id)).scalar() if study_id else None
    round_ = find_round(first, last)
    end = conn.execute(newest.where(place >= round_, place < round_ + 1)).scalar()
    return end_of_round(round_, end)


def list_places(conn: Connection, lane: Lane) -> list[QueuePlace]:
    """In the order of start."""
    query = select(runs.c.id, runs.c.priority, func.coalesce(runs.c.queue_place, 0.0))
    return [QueuePlace(*row) for row in conn.execute(query.where(_waits(kinds_of(lane))).order_by(*ORDER))]


def put_places(conn: Connection, rows: Sequence[QueuePlace]) -> None:
    """Only of runs that still wait."""
    if not rows:
        return
    change = (
        update(runs)
        .where(runs.c.id == bindparam("of_run"), runs.c.status == RunStatus.queued)
        .values(
            priority=bindparam("new_priority"),
            queue_place=bindparam("new_place"),
            updated_at=bindparam("now"),
        )
    )
    now = datetime.now(UTC)
    conn.execute(
        change,
        [
            {"of_run": row.run_id, "new_priority": row.priority, "new_place": row.place, "now": now}
            for row in rows
        ],
    )


def put_priority(conn: Connection, run_ids: Iterable[str], priority: int) -> None:
    """The runs go behind the waiting ones that have this priority; runs that have it already keep their place."""
    for run_id in run_ids:
        row = conn.execute(
            select(runs.c.kind, runs.c.priority, runs.c.study_id).where(runs.c.id == run_id)
        ).one()
        if row.priority != priority:
            place = find_end_place(conn, RunKind(row.kind), priority, row.study_id)
            put_places(conn, [QueuePlace(run_id, priority, place)])


def require_waiting(conn: Connection, run_id: str) -> RunKind:
    """The kind of a waiting run; NotFound or MoveRefused when it is none."""
    query = select(runs.c.kind, runs.c.name, runs.c.status, runs.c.deleted_at).where(runs.c.id == run_id)
    row = conn.execute(query).one_or_none()
    if row is None or row.deleted_at is not None:
        raise NotFound(
            f"There is no run called “{run_id}”.", next_step="`rl-lab queue` lists the waiting runs."
        )
    if row.status != RunStatus.queued:
        raise MoveRefused(
            f"The run “{row.name}” does not wait in the queue; it is {row.status}.",
            next_step="`rl-lab queue` lists the waiting runs.",
        )
    return RunKind(row.kind)


def list_waiting_of_study(conn: Connection, study_id: str) -> list[str]:
    """Its waiting runs in the order of start; NotFound or MoveRefused when there are none."""
    query = select(runs.c.id).where(_waits([RunKind.train]), runs.c.study_id == study_id)
    found = list(conn.execute(query.order_by(*ORDER)).scalars())
    if found:
        return found
    known = conn.execute(select(studies.c.name).where(studies.c.id == study_id)).scalar()
    if known is None:
        raise NotFound(f"There is no study called “{study_id}”.")
    raise MoveRefused(
        f"No run of the study “{known}” waits in the queue.",
        next_step="`rl-lab queue` lists the waiting runs.",
    )


def put_study_priority(conn: Connection, study_id: str, priority: int) -> None:
    """For the runs that the study creates later."""
    conn.execute(update(studies).where(studies.c.id == study_id).values(priority=priority))


def list_paused_studies(conn: Connection) -> dict[str, str]:
    """Names by id."""
    query = select(studies.c.id, studies.c.name).where(studies.c.status == StudyStatus.paused)
    return {row.id: row.name for row in conn.execute(query)}


def list_uses(conn: Connection, like: QueuedRow, limit: int) -> list[Use]:
    """Memory and processor time of the last runs of the same kind, runner, algorithm and environment."""
    same = (
        (runs.c.kind == like.kind)
        & (runs.c.runner == like.runner)
        & (runs.c.algorithm == like.algorithm)
        & (runs.c.env_id == like.env_id)
        & runs.c.peak_memory.is_not(None)
    )
    joined = runs.join(attempts, (attempts.c.run_id == runs.c.id) & (attempts.c.number == runs.c.attempt))
    query = select(runs.c.peak_memory, attempts.c.exit).select_from(joined).where(same)
    rows = conn.execute(query.order_by(runs.c.ended_at.desc()).limit(limit))
    return [Use(memory, _cores_used(exit_)) for memory, exit_ in rows]


def _cores_used(exit_: Any) -> float:
    if not isinstance(exit_, dict):
        return 0.0  # of an earlier version, or without an exit record
    spent_s = exit_.get("ended_at", 0.0) - exit_.get("started_at", 0.0)
    return exit_.get("cpu_s", 0.0) / spent_s if spent_s > 0 else 0.0


def put_peak_memory(conn: Connection, run_id: str, peak: int) -> None:
    conn.execute(update(runs).where(runs.c.id == run_id).values(peak_memory=peak))
