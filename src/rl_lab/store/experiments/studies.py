"""Studies in the database: create, change, move between states by compare-and-set, list, delete."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Row,
    and_,
    bindparam,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy import insert as sql_insert

from rl_lab.core.errors import Gone, InvalidInput, NotFound
from rl_lab.core.runs import FINAL, LIVE, EndReason, RunStatus
from rl_lab.core.studies.studies import (
    STUDY_ENDED,
    Study,
    StudyCounts,
    StudyStatus,
    VariantStatus,
    allowed_study_moves,
    count_planned,
)
from rl_lab.store.experiments import variants
from rl_lab.store.experiments.variants import VariantState
from rl_lab.store.sql.columns import clean_text
from rl_lab.store.sql.cursors import PageEnd, Sort, check_limit, decode_cursor, encode_cursor, parse_sort
from rl_lab.store.sql.tables import runs, studies

STUDY_SORTS = ("created_at", "updated_at")
COLUMNS = frozenset(studies.c.keys()) - {"search"}
UNRANKED = frozenset({VariantStatus.pruned, VariantStatus.failed})
"""Variants in these states are never the best one."""


@dataclass(frozen=True)
class StudyFilter:
    status: tuple[StudyStatus, ...] = ()
    """Any of these; empty = all."""
    q: str = ""
    """Words of the name, the question, the notes, the environment, the algorithm or the tags."""


@dataclass(frozen=True)
class StudyListing:
    items: list[Study]
    next_cursor: str | None
    total: int
    """The number of studies on all pages."""


def insert(conn: Connection, study: Study) -> None:
    row = {name: getattr(study, name) for name in COLUMNS}
    row |= {"plan": study.plan.model_dump(mode="json"), "search": _search_text(study)}
    conn.execute(sql_insert(studies).values(**row))


def get(conn: Connection, study_id: str, *, include_deleted: bool = False) -> Study:
    row = conn.execute(select(studies).where(studies.c.id == clean_text(study_id))).one_or_none()
    if row is None:
        raise NotFound(
            f"There is no study called “{study_id}”.",
            next_step="The page Studies and `rl-lab studies` list all studies.",
        )
    if row.deleted_at is not None and not include_deleted:
        raise Gone(f"The study “{study_id}” was deleted.", next_step="Restore it before its undo time ends.")
    return _to_studies(conn, [row])[0]


def get_status(conn: Connection, study_id: str) -> StudyStatus:
    """Without its counts, which take two queries more."""
    return StudyStatus(conn.execute(select(studies.c.status).where(studies.c.id == study_id)).scalar_one())


def find_page(
    conn: Connection,
    wanted: StudyFilter | None = None,
    sort: str = "-created_at",
    limit: int = 50,
    cursor: str | None = None,
) -> StudyListing:
    order = parse_sort(sort, STUDY_SORTS)
    conditions = _conditions(wanted or StudyFilter())
    total = conn.execute(select(func.count()).select_from(studies).where(*conditions)).scalar_one()
    column = studies.c[order.name]
    query = select(studies, column.cast(BigInteger).label("sort_key")).where(*conditions)
    if cursor is not None:
        query = query.where(_after(order, decode_cursor(cursor, order, str)))
    ends = (column.desc(), studies.c.id.desc()) if order.descending else (column, studies.c.id)
    found = conn.execute(query.order_by(*ends).limit(check_limit(limit) + 1)).all()
    page = found[:limit]
    more = encode_cursor(order, PageEnd(page[-1].sort_key, page[-1].id)) if len(found) > limit else None
    return StudyListing(_to_studies(conn, page), more, total)


def list_unended(conn: Connection) -> list[str]:
    """Ids of the studies that may have runs to create or ends to notice, oldest first."""
    active = studies.c.status.in_([StudyStatus.running, StudyStatus.paused])
    query = select(studies.c.id).where(active, studies.c.deleted_at.is_(None))
    return list(conn.execute(query.order_by(studies.c.created_at, studies.c.id)).scalars())


def change_status(
    conn: Connection,
    study_id: str,
    *,
    expected: Collection[StudyStatus],
    to: StudyStatus,
    reason: EndReason | None = None,
) -> Study | None:
    """Changes the state by compare-and-set; None if another change came first."""
    now = datetime.now(UTC)
    changes: dict[str, Any] = {"status": to, "reason": reason.model_dump() if reason else None}
    changes |= {"version": studies.c.version + 1, "updated_at": now}
    changes["ended_at"] = now if to in STUDY_ENDED else None
    if to is StudyStatus.running:
        changes["started_at"] = func.coalesce(
            studies.c.started_at, bindparam(None, now, studies.c.started_at.type)
        )
    same = (studies.c.id == study_id) & studies.c.status.in_(sorted(expected))
    if conn.execute(update(studies).where(same).values(**changes)).rowcount == 0:
        return None
    return get(conn, study_id, include_deleted=True)


def patch(conn: Connection, study_id: str, **fields: Any) -> Study:
    """Changes name, tags, notes, priority, plan, reason or the time of deletion."""
    study = get(conn, study_id, include_deleted=True)
    changed = study.model_copy(update=fields)
    if "plan" in fields:
        fields["plan"] = fields["plan"].model_dump(mode="json")
    if fields.get("reason") is not None:
        fields["reason"] = fields["reason"].model_dump()
    fields |= {"search": _search_text(changed), "updated_at": datetime.now(UTC)}
    conn.execute(update(studies).where(studies.c.id == study_id).values(**fields))
    return get(conn, study_id, include_deleted=True)


def list_runs(conn: Connection, study_id: str, statuses: Iterable[RunStatus]) -> list[str]:
    """Ids of its runs in these states, without deleted ones."""
    query = select(runs.c.id).where(
        runs.c.study_id == study_id, runs.c.status.in_(sorted(statuses)), runs.c.deleted_at.is_(None)
    )
    return list(conn.execute(query.order_by(runs.c.created_at, runs.c.id)).scalars())


def set_waiting_priority(conn: Connection, study_id: str, priority: int) -> None:
    """Of its runs that are still in the queue."""
    _set_runs(conn, study_id, runs.c.status == RunStatus.queued, priority=priority)


def delete_runs(conn: Connection, study_id: str, at: datetime) -> None:
    _set_runs(conn, study_id, runs.c.deleted_at.is_(None), deleted_at=at)


def restore_runs(conn: Connection, study_id: str, deleted_at: datetime) -> None:
    """Those that were deleted with the study; runs deleted before it stay deleted."""
    _set_runs(conn, study_id, runs.c.deleted_at == deleted_at, deleted_at=None)


def _set_runs(conn: Connection, study_id: str, condition: ColumnElement[bool], **fields: Any) -> None:
    changes = {**fields, "updated_at": datetime.now(UTC)}
    conn.execute(update(runs).where(runs.c.study_id == study_id, condition).values(**changes))


def purge_deleted(conn: Connection, before: datetime) -> None:
    """Deletes studies permanently whose undo time is over."""
    conn.execute(delete(studies).where(studies.c.deleted_at.is_not(None), studies.c.deleted_at < before))


def _conditions(wanted: StudyFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [studies.c.deleted_at.is_(None)]
    if wanted.status:
        conditions.append(studies.c.status.in_(sorted(wanted.status)))
    words = clean_text(wanted.q).casefold().split()
    conditions.extend(studies.c.search.contains(word, autoescape=True) for word in words)
    return conditions


def _after(order: Sort, last: PageEnd) -> ColumnElement[bool]:
    if not isinstance(last.key, int) or abs(last.key) >= 2**63:
        raise InvalidInput.of_field(
            "cursor", "this cursor was not created by this lab; start again without a cursor"
        )
    column = studies.c[order.name]
    key = bindparam(None, last.key, type_=BigInteger())
    beyond = column < key if order.descending else column > key
    further = studies.c.id < last.id if order.descending else studies.c.id > last.id
    return or_(beyond, and_(column == key, further))


def _to_studies(conn: Connection, rows: Sequence[Row[Any]]) -> list[Study]:
    """With the counts of their runs and variants: two queries for all of them."""
    study_ids = [row.id for row in rows]
    states = variants.list_states(conn, study_ids)
    counted = _count_runs(conn, study_ids)
    return [_study(row, states.get(row.id, []), counted.get(row.id, {})) for row in rows]


def _study(row: Row[Any], states: Sequence[VariantState], counted: dict[RunStatus, int]) -> Study:
    fields = {name: value for name, value in row._mapping.items() if name in COLUMNS}
    ranked = [s for s in states if s.value is not None and s.status not in UNRANKED]
    best = max(ranked, key=lambda s: s.value or 0.0, default=None)
    study = Study(
        **fields,
        counts=_counts(states, counted),
        best_variant=best.number if best else None,
        allowed=allowed_study_moves(StudyStatus(row.status)),
    )
    study.counts.planned = count_planned(study)
    return study


def _counts(states: Sequence[VariantState], counted: dict[RunStatus, int]) -> StudyCounts:
    existing = sum(counted.values())
    return StudyCounts(
        variants=len(states),
        planned=sum(state.planned for state in states),
        runs=existing,
        missing=max(0, sum(state.created for state in states) - existing),
        queued=counted.get(RunStatus.queued, 0),
        running=sum(counted.get(status, 0) for status in LIVE),
        ended=sum(counted.get(status, 0) for status in FINAL),
        succeeded=counted.get(RunStatus.succeeded, 0),
        failed=counted.get(RunStatus.failed, 0) + counted.get(RunStatus.lost, 0),
    )


def _count_runs(conn: Connection, study_ids: Collection[str]) -> dict[str, dict[RunStatus, int]]:
    c = runs.c
    wanted = c.study_id.in_(sorted(study_ids)) & c.deleted_at.is_(None) & c.variant.is_not(None)
    query = select(c.study_id, c.status, func.count()).where(wanted).group_by(c.study_id, c.status)
    found: dict[str, dict[RunStatus, int]] = {}
    for study_id, status, count in conn.execute(query):
        found.setdefault(study_id, {})[RunStatus(status)] = count
    return found


def _search_text(study: Study) -> str:
    words = [study.id, study.name, study.plan.question, study.notes, study.env_id, study.algorithm]
    return "\n".join(filter(None, [*words, *study.tags])).casefold()
