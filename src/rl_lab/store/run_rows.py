"""Rows of the runs table as the noun."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from rl_lab.core.runs import Run, RunStatus, allowed_moves
from rl_lab.store.tables import run_tags

RUN_FIELDS = frozenset(Run.model_fields) - {"tags", "allowed"}
"""Fields of a Run that are columns of the same name."""


def to_runs(conn: Connection, rows: Sequence[Row[Any]]) -> list[Run]:
    """Rows of `runs` as the noun, tags and allowed moves included."""
    tags = _tags_of(conn, [row.id for row in rows])
    return [_run(row, tags.get(row.id, [])) for row in rows]


def _run(row: Row[Any], tags: list[str]) -> Run:
    fields = {name: value for name, value in row._mapping.items() if name in RUN_FIELDS}
    return Run(**fields, tags=tags, allowed=allowed_moves(RunStatus(row.status)))


def _tags_of(conn: Connection, run_ids: Sequence[str]) -> dict[str, list[str]]:
    tags: dict[str, list[str]] = {}
    query = select(run_tags.c.run_id, run_tags.c.tag).where(run_tags.c.run_id.in_(run_ids))
    for run_id, tag in conn.execute(query.order_by(run_tags.c.position)):
        tags.setdefault(run_id, []).append(tag)
    return tags
