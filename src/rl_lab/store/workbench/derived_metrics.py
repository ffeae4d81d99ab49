"""Derived metrics by name, and their last values in the runs that have ended."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, exists, func, insert, select, update

from rl_lab.core.errors import NotFound, nearest
from rl_lab.core.workbench.derived_metrics import DerivedMetric, NewDerivedMetric, read_definitions
from rl_lab.core.workbench.expression_terms import Term, names_in
from rl_lab.store.sql.tables import run_metrics, runs
from rl_lab.store.sql.upserts import insert_or_update
from rl_lab.store.sql.workbench_tables import derived_metrics

_d, _m = derived_metrics.c, run_metrics.c
_is_measured = _m.is_derived.is_(False)


def list_all(conn: Connection) -> list[DerivedMetric]:
    """By name, each with what it uses and what uses it."""
    rows = conn.execute(select(derived_metrics).order_by(func.lower(_d.name), _d.name)).all()
    uses = {
        name: names_in(term)
        for name, term in read_definitions({row.name: row.expression for row in rows}).items()
    }
    return [
        DerivedMetric(
            **row._mapping,
            uses=uses.get(row.name, []),
            used_by=[name for name, used in uses.items() if row.name in used],
        )
        for row in rows
    ]


def find_expressions(conn: Connection) -> dict[str, str]:
    """As they are written, by name."""
    rows = conn.execute(select(_d.name, _d.expression).order_by(_d.name))
    return {row.name: row.expression for row in rows}


def find_definitions(conn: Connection) -> dict[str, Term]:
    """The expressions of all derived metrics, by name."""
    return read_definitions(find_expressions(conn))


def get(conn: Connection, name: str) -> DerivedMetric:
    known = list_all(conn)
    found = next((one for one in known if one.name == name), None)
    if found is None:
        close = nearest(name, [one.name for one in known], 1)
        raise NotFound(
            f"There is no derived metric “{name}”.{f' Did you mean {close[0]}?' if close else ''}",
            next_step="`rl-lab metrics` lists them.",
        )
    return found


def put(conn: Connection, new: NewDerivedMetric) -> None:
    now = datetime.now(UTC)
    conn.execute(insert(derived_metrics), {**new.model_dump(), "created_at": now, "updated_at": now})


def change(conn: Connection, name: str, fields: Mapping[str, Any]) -> None:
    changed = {**fields, "updated_at": datetime.now(UTC)}
    conn.execute(update(derived_metrics).where(_d.name == name).values(**changed))


def remove(conn: Connection, name: str) -> None:
    conn.execute(delete(derived_metrics).where(_d.name == name))


def is_metric_of_a_run(conn: Connection, name: str) -> bool:
    """Whether an ended run has recorded a metric of this name."""
    return bool(conn.execute(select(exists().where(_m.name == name.lower(), _is_measured))).scalar())


def list_recorded(conn: Connection) -> set[str]:
    """Names of all metrics that ended runs have recorded, in lower case."""
    return set(conn.execute(select(_m.name).where(_is_measured).distinct()).scalars())


def drop_values(conn: Connection, names: Collection[str]) -> None:
    """The values of metrics that are computed in another way from now on."""
    wanted = [name.lower() for name in names]
    conn.execute(delete(run_metrics).where(_m.name.in_(wanted), _m.is_derived.is_(True)))


def put_values(conn: Connection, run_id: str, values: Mapping[str, float | None]) -> None:
    """A run that was deleted in between is left out; what it has measured under such a name stays."""
    if conn.execute(select(runs.c.id).where(runs.c.id == run_id)).scalar() is None:
        return
    measured = set(conn.execute(select(_m.name).where(_m.run_id == run_id, _is_measured)).scalars())
    for name, value in values.items():
        row = {"run_id": run_id, "name": name.lower(), "value": value, "is_derived": True}
        if row["name"] not in measured:
            insert_or_update(conn, run_metrics, row, unique=["run_id", "name"], update=["value"])


def find_values(conn: Connection, run_ids: Sequence[str]) -> dict[str, dict[str, float | None]]:
    """The last values of derived metrics, by run and name."""
    query = select(_m.run_id, _d.name, _m.value).join(derived_metrics, func.lower(_d.name) == _m.name)
    found: dict[str, dict[str, float | None]] = {}
    for run_id, name, value in conn.execute(query.where(_m.run_id.in_(run_ids))):
        found.setdefault(run_id, {})[name] = value
    return found


def find_uncomputed(conn: Connection, name: str, sources: Sequence[str], limit: int) -> list[str]:
    """Ended runs with all the metrics that a derived one needs, but without its value; archived ones are left out."""
    if not sources:
        return []
    first, *others = [source.lower() for source in sources]
    query = (
        select(_m.run_id)
        .join(runs, runs.c.id == _m.run_id)
        .where(_m.name == first, runs.c.deleted_at.is_(None), runs.c.archived.is_(False))
    )
    other = run_metrics.alias()
    same = other.c.run_id == _m.run_id
    for source in others:
        query = query.where(exists().where(same, other.c.name == source))
    query = query.where(~exists().where(same, other.c.name == name.lower()))
    return list(conn.execute(query.order_by(_m.run_id.desc()).limit(limit)).scalars())
