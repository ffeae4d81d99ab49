"""Pages of the checkpoints of all runs: filtered, sorted, with keyset pagination.

Those of deleted runs are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    case,
    false,
    func,
    not_,
    or_,
    select,
    true,
    tuple_,
)

from rl_lab.core.models.checkpoints import (
    CheckpointChoices,
    CheckpointItem,
    CheckpointSort,
    ModelTag,
    Score,
)
from rl_lab.core.models.forms import REWRITTEN_FORMS
from rl_lab.store.sql.columns import clean_text, dump_json
from rl_lab.store.sql.cursors import PageEnd, Sort, check_limit, decode_cursor, encode_cursor
from rl_lab.store.sql.keysets import Keyset, SortColumn, number_order, text_order, whole_order
from rl_lab.store.sql.tables import artifacts, model_versions, runs


@dataclass(frozen=True)
class CheckpointFilter:
    env_id: str | None = None
    algorithm: str | None = None
    runner: str | None = None
    run_id: str | None = None
    role: str | None = None
    tag: str | None = None
    q: str | None = None
    """Words that all occur in the run's name, environment, algorithm or tags, or in the checkpoint's note, tags, hash
    or names."""
    min_score: float | None = None
    named: bool | None = None
    """Whether it is a version of a named model; None = both."""
    acts_live: bool = False
    """Only those that can act in a play, as far as the database knows."""
    runners: Collection[str] | None = None
    """Only those of these runners."""


@dataclass(frozen=True)
class CheckpointListing:
    items: list[CheckpointItem]
    next_cursor: str | None
    total: int
    """The number of checkpoints on all pages."""


def _mean_score() -> ColumnElement[float]:
    """Of an evaluation if there is one, else of training."""
    return func.coalesce(artifacts.c.evaluation_mean, artifacts.c.score)


_SORTS: dict[CheckpointSort, SortColumn] = {
    "created_at": whole_order(artifacts.c.created_at),
    "score": number_order(_mean_score()),
    "timestep": whole_order(artifacts.c.timestep, nullable=True),
    "size": whole_order(artifacts.c.size),
    "env_id": text_order(runs.c.env_id, nullable=True),
    "algorithm": text_order(runs.c.algorithm, nullable=True),
}


def find_page(
    conn: Connection,
    wanted: CheckpointFilter,
    sort: Sort,
    limit: int = 50,
    cursor: str | None = None,
) -> CheckpointListing:
    """`sort.name` is a CheckpointSort. `is_playable` is what the database knows: the runner is not asked."""
    conditions = _conditions(wanted)
    total = conn.execute(_joined(func.count()).where(*conditions)).scalar_one()
    keyset = Keyset(_SORTS[sort.name], artifacts.c.id, sort.descending)  # type: ignore[index]
    # Only ids and keys are sorted; no whole row is read that is not on the page.
    query = _joined(artifacts.c.id, keyset.column.key.label("sort_key")).where(*conditions)
    if cursor is not None:
        query = query.where(keyset.after(decode_cursor(cursor, sort, str)))
    found = conn.execute(keyset.ordered(query).limit(check_limit(limit) + 1)).all()
    page = found[:limit]
    more = encode_cursor(sort, PageEnd(page[-1].sort_key, page[-1].id)) if len(found) > limit else None
    items = list_items(conn, [artifact_id for artifact_id, _ in page])
    return CheckpointListing(items, more, total)


def find_choices(conn: Connection) -> CheckpointChoices:
    """The values to filter by, sorted."""

    def distinct(column: ColumnElement[Any]) -> list[str]:
        found = conn.execute(_joined(column).where(*_conditions(CheckpointFilter())).distinct()).scalars()
        return sorted(filter(None, found))

    tagged = _joined(artifacts.c.tags).where(
        _text_of(artifacts.c.tags) != "[]", *_conditions(CheckpointFilter())
    )
    tags = {tag for found in conn.execute(tagged).scalars() for tag in found}
    return CheckpointChoices(
        environments=distinct(runs.c.env_id), algorithms=distinct(runs.c.algorithm), tags=sorted(tags)
    )


def list_items(conn: Connection, artifact_ids: Sequence[str]) -> list[CheckpointItem]:
    """These checkpoints in this order; those that do not exist, or whose run was deleted, are left out."""
    query = _joined(
        artifacts,
        _acts_live().label("acts_live"),
        *(runs.c[name].label(f"run_{name}") for name in _RUN_COLUMNS),
    ).where(artifacts.c.id.in_(artifact_ids), *_conditions(CheckpointFilter()))
    rows = {row.id: row for row in conn.execute(query)}
    newest = _newest_of(conn, rows.values())
    models = _models_of(conn, rows.values())
    return [
        _item(rows[i], is_newest=i in newest, models=models.get((rows[i].run_id, rows[i].sha256), []))
        for i in artifact_ids
        if i in rows
    ]


_RUN_COLUMNS = (*("name", "status", "runner", "algorithm", "env_id", "archived", "started_from", "source"),)


def _item(row: Row[Any], *, is_newest: bool, models: list[ModelTag]) -> CheckpointItem:
    return CheckpointItem(
        id=row.id,
        run_id=row.run_id,
        run_name=row.run_name,
        run_status=row.run_status,
        runner=row.run_runner or "",
        algorithm=row.run_algorithm or "",
        env_id=row.run_env_id or "",
        timestep=row.timestep,
        role=row.role,
        is_best=row.role == "best",
        is_newest=is_newest,
        score=_score(row),
        size=row.size,
        sha256=row.sha256,
        created_at=row.created_at,
        pinned=row.pinned,
        tags=row.tags,
        note=row.note,
        models=models,
        started_from=row.run_started_from,
        is_playable=row.run_source is None,
        acts_live=row.acts_live,
        archived=row.run_archived,
    )


def _acts_live() -> ColumnElement[bool]:
    """Whether the lab itself has written it, and named its environment; see `orchestrator/looking.py`.

    A training of the lab's own learners is confined where its environment is the user's code, and plays in it are too.
    """
    forms = [dump_json({"form": form})[1:-1] for form in sorted(REWRITTEN_FORMS)]
    is_rewritten = and_(
        or_(*(_text_of(runs.c.origin).contains(form) for form in forms)), not_(runs.c.env_id.contains(":"))
    )
    is_own = and_(runs.c.isolation.is_(None), or_(runs.c.origin.is_(None), is_rewritten))
    may = and_(runs.c.source.is_(None), or_(is_own, runs.c.isolation.in_(("confined", "partly"))))
    return case((may, true()), else_=false())  # never NULL


def _score(row: Row[Any]) -> Score | None:
    if row.evaluation is not None:
        return Score.model_validate(row.evaluation)
    return None if row.score is None else Score(mean=row.score, protocol="training")


def _joined(*columns: Any) -> Select[Any]:
    return select(*columns).select_from(artifacts.join(runs, runs.c.id == artifacts.c.run_id))


def _conditions(wanted: CheckpointFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [artifacts.c.kind == "checkpoint", runs.c.deleted_at.is_(None)]
    for name in ("env_id", "algorithm", "runner"):
        value = getattr(wanted, name)
        if value is not None:
            conditions.append(runs.c[name] == clean_text(value))
    for name in ("run_id", "role"):
        value = getattr(wanted, name)
        if value is not None:
            conditions.append(artifacts.c[name] == clean_text(value))
    if wanted.tag is not None:
        # A tag is stored as JSON text, so it is searched as it is written there, quotes included.
        conditions.append(_text_of(artifacts.c.tags).contains(dump_json(wanted.tag), autoescape=True))
    if wanted.min_score is not None:
        conditions.append(_mean_score() >= wanted.min_score)
    if wanted.acts_live:
        conditions.append(_acts_live())
    if wanted.runners is not None:
        conditions.append(runs.c.runner.in_(sorted(wanted.runners)))
    if wanted.named is not None:
        conditions.append(_is_named() if wanted.named else ~_is_named())
    conditions.extend(_has_word(word) for word in (wanted.q or "").split())
    return conditions


def _is_named(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """By run and hash: the best checkpoint has the contents of another one, and may be replaced after it was named."""
    named = select(model_versions.c.run_id, model_versions.c.sha256).where(*conditions)
    return tuple_(artifacts.c.run_id, artifacts.c.sha256).in_(named)


def _has_word(text: str) -> ColumnElement[bool]:
    word = clean_text(text).lower()
    return or_(
        runs.c.search.contains(word, autoescape=True),
        func.lower(artifacts.c.note).contains(word, autoescape=True),
        func.lower(_text_of(artifacts.c.tags)).contains(word, autoescape=True),
        artifacts.c.sha256.startswith(word, autoescape=True),
        _is_named(func.lower(model_versions.c.model).contains(word, autoescape=True)),
    )


def _text_of(column: ColumnElement[Any]) -> ColumnElement[str]:
    """A JSON column as the text that is stored."""
    return column.cast(model_versions.c.sha256.type)


def _newest_of(conn: Connection, rows: Collection[Row[Any]]) -> set[str]:
    """Those of these checkpoints that are the newest of their run; of two with equal steps not the best one, which is
    replaced."""
    step = func.coalesce(artifacts.c.timestep, -1)
    plain = func.max(case((func.coalesce(artifacts.c.role, "") != "best", step)))
    query = select(artifacts.c.run_id, func.max(step), plain).where(
        and_(artifacts.c.kind == "checkpoint", artifacts.c.run_id.in_(sorted({row.run_id for row in rows})))
    )
    last = {
        run_id: (newest, other) for run_id, newest, other in conn.execute(query.group_by(artifacts.c.run_id))
    }
    found = set()
    for row in rows:
        newest, other = last[row.run_id]
        reached = -1 if row.timestep is None else row.timestep
        if reached == newest and (row.role != "best" or other != newest):
            found.add(row.id)
    return found


def _models_of(conn: Connection, rows: Iterable[Row[Any]]) -> dict[tuple[str, str], list[ModelTag]]:
    """By run and hash, as in `_is_named`."""
    v = model_versions.c
    query = select(v.run_id, v.sha256, v.model, v.version, v.labels)
    query = query.where(v.run_id.in_(sorted({row.run_id for row in rows}))).order_by(
        v.model, v.version.desc()
    )
    found: dict[tuple[str, str], list[ModelTag]] = {}
    for run_id, sha256, name, version, labels in conn.execute(query):
        found.setdefault((run_id, sha256), []).append(ModelTag(name=name, version=version, labels=labels))
    return found
