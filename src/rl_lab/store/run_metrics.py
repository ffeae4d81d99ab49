"""The last value of each metric of a run as rows, so that lists are filtered and sorted by them quickly.

Written when a run ends; the values themselves are in its telemetry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, select

from rl_lab.core.run_query import MAX_QUERY
from rl_lab.store.sql.columns import clean_text
from rl_lab.store.sql.tables import run_metrics, runs
from rl_lab.store.sql.workbench_tables import derived_metrics


def replace(
    conn: Connection, run_id: str, metrics: Mapping[str, float | None], numbers: Mapping[str, float]
) -> None:
    """Stores the values of a run in place of earlier ones, with the numbers of its evaluations.

    Nobody can search for a longer name.
    """
    conn.execute(delete(run_metrics).where(run_metrics.c.run_id == run_id))
    values = {**without_derived(conn, numbers), **metrics}
    rows = {clean_text(name).lower(): value for name, value in values.items() if len(name) <= MAX_QUERY}
    if rows:
        conn.execute(
            insert(run_metrics), [{"run_id": run_id, "name": name, "value": v} for name, v in rows.items()]
        )


def without_derived(conn: Connection, numbers: Mapping[str, float]) -> dict[str, float]:
    """Numbers of evaluations by names that no derived metric has: lists show its value under that name."""
    taken = set(conn.execute(select(func.lower(derived_metrics.c.name))).scalars()) if numbers else set()
    return {name: value for name, value in numbers.items() if clean_text(name).lower() not in taken}


def find_values(conn: Connection, name: str, run_ids: Collection[str]) -> dict[str, float]:
    """The last values of a metric, by run; those without one are left out."""
    c = run_metrics.c
    query = select(c.run_id, c.value).where(c.name == name.lower(), c.run_id.in_(sorted(run_ids)))
    return {row.run_id: row.value for row in conn.execute(query) if row.value is not None}


def value_of(name: str) -> ColumnElement[Any]:
    """The last value of a metric, for a query of `runs`; null if there is none."""
    return (
        select(run_metrics.c.value)
        .where(run_metrics.c.run_id == runs.c.id, run_metrics.c.name == name.lower())
        .scalar_subquery()
    )


def has_metric(
    name: str, condition: Callable[[ColumnElement[Any]], ColumnElement[bool]]
) -> ColumnElement[bool]:
    """Whether a run has a value of the metric that meets the condition."""
    same = (run_metrics.c.run_id == runs.c.id) & (run_metrics.c.name == name.lower())
    return exists().where(same, condition(run_metrics.c.value))
