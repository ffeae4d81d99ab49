"""Converts rows of the runs table to Run objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.runs import Run, allowed_moves
from rl_lab.store.sql.tables import run_documents, run_tags
from rl_lab.store.workbench import derived_metrics

DOCUMENT_FIELDS = frozenset({"config", "progress", "summary"})
RUN_FIELDS = frozenset(Run.model_fields) - DOCUMENT_FIELDS - {"tags", "allowed", "returns_note"}
"""Fields of a Run that are columns of the same name."""


def to_runs(conn: Connection, rows: Sequence[Row[Any]]) -> list[Run]:
    """Rows of `runs` as Run objects, including tags and allowed moves."""
    run_ids = [row.id for row in rows]
    tags = _tags_of(conn, run_ids)
    query = select(run_documents).where(run_documents.c.run_id.in_(run_ids))
    documents = {row.run_id: row for row in conn.execute(query)}
    found = [_run(row, documents[row.id], tags.get(row.id, [])) for row in rows]
    derived = derived_metrics.find_values(conn, run_ids)
    for run in found:
        run.summary.derived = derived.get(run.id, {})
    return found


def _run(row: Row[Any], document: Row[Any], tags: list[str]) -> Run:
    fields = {name: value for name, value in row._mapping.items() if name in RUN_FIELDS}
    fields |= {name: getattr(document, name) for name in DOCUMENT_FIELDS}
    run = Run(**fields, tags=tags)
    is_play, is_job = run.kind is RunKind.play, run.kind not in (RunKind.train, RunKind.play)
    is_foreign = run.origin is not None or is_play or (run.is_program and not is_job)
    run.allowed = allowed_moves(run.status, is_adopted=run.source is not None, is_foreign=is_foreign)
    return run


def _tags_of(conn: Connection, run_ids: Sequence[str]) -> dict[str, list[str]]:
    tags: dict[str, list[str]] = {}
    query = select(run_tags.c.run_id, run_tags.c.tag).where(run_tags.c.run_id.in_(run_ids))
    for run_id, tag in conn.execute(query.order_by(run_tags.c.position)):
        tags.setdefault(run_id, []).append(tag)
    return tags
