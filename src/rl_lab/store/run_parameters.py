"""The parameters of runs as rows, so that lists are filtered and sorted by them quickly.

They repeat what `run_documents.config` holds under `params` and `args`, and are written in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Connection, and_, delete, exists, insert, or_, select

from rl_lab.core.jobs.kinds import JobConfig
from rl_lab.core.run_query import MAX_QUERY
from rl_lab.store.sql.columns import clean_text, dump_json
from rl_lab.store.sql.tables import run_parameters, runs

MAX_TEXT = MAX_QUERY
"""No search text is longer, so the rest of a longer value is never compared."""


def insert_all(conn: Connection, configs: Iterable[tuple[str, JobConfig]]) -> None:
    """Stores the parameters of new runs, given by their ids and configurations."""
    rows = [
        {"run_id": run_id, "name": name, "number": _number(value), "text": _text(value)}
        for run_id, config in configs
        for name, value in _parameters(config).items()
    ]
    if rows:
        conn.execute(insert(run_parameters), rows)


def replace(conn: Connection, run_id: str, config: JobConfig) -> None:
    conn.execute(delete(run_parameters).where(run_parameters.c.run_id == run_id))
    insert_all(conn, [(run_id, config)])


def number_of(name: str) -> ColumnElement[Any]:
    """The number of a parameter, for a query of `runs`; null if there is none."""
    return (
        select(run_parameters.c.number)
        .where(run_parameters.c.run_id == runs.c.id, run_parameters.c.name == name)
        .scalar_subquery()
    )


def has_parameter(names: Sequence[str], *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether a run has a parameter that meets these conditions; of several names, the first that it has counts."""
    first = _exists(run_parameters.c.name == names[0], *conditions)
    others = [
        and_(
            _exists(run_parameters.c.name == name, *conditions),
            ~_exists(run_parameters.c.name.in_(names[:i])),
        )
        for i, name in enumerate(names[1:], 1)
    ]
    return or_(first, *others)


def _exists(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists().where(run_parameters.c.run_id == runs.c.id, *conditions)


def _parameters(config: JobConfig) -> dict[str, Any]:
    """Hyper-parameters, and arguments that a script reported. Nobody can search for a longer name."""
    found = {**getattr(config, "args", {}), **getattr(config, "params", {})}
    stored = orjson.loads(dump_json(found))  # as in the document, where NaN is null
    return {clean_text(name): value for name, value in stored.items() if len(name) <= MAX_QUERY}


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text(value: Any) -> str:
    return (value if isinstance(value, str) else dump_json(value)).casefold()[:MAX_TEXT]
