"""The variants of studies. How many runs of a variant were created is counted here, so that none is created twice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, select, update
from sqlalchemy import insert as sql_insert

from rl_lab.core.errors import NotFound
from rl_lab.core.studies.studies import Variant, VariantStatus
from rl_lab.store.sql.tables import runs, variants

COLUMNS = frozenset(variants.c.keys())


class VariantState(NamedTuple):
    number: int
    planned: int
    """Its seeds."""
    created: int
    status: VariantStatus
    value: float | None


def insert_all(conn: Connection, new: Sequence[Variant]) -> None:
    rows = [{name: getattr(variant, name) for name in COLUMNS} for variant in new]
    if rows:
        conn.execute(sql_insert(variants), rows)


def list_all(conn: Connection, study_id: str) -> list[Variant]:
    """The variants of a study by their number, with the runs that were not deleted."""
    found = conn.execute(select(variants).where(variants.c.study_id == study_id).order_by(variants.c.number))
    run_ids = _run_ids(conn, study_id)
    return [_variant(row, run_ids.get(row.number, [])) for row in found]


def get(conn: Connection, study_id: str, number: int) -> Variant:
    same = (variants.c.study_id == study_id) & (variants.c.number == number)
    row = conn.execute(select(variants).where(same)).one_or_none()
    if row is None:
        count = conn.execute(
            select(func.count()).select_from(variants).where(variants.c.study_id == study_id)
        ).scalar_one()
        raise NotFound(f"The study has no variant {number}.", next_step=f"Its variants are 1 to {count}.")
    return _variant(row, _run_ids(conn, study_id).get(number, []))


def change(conn: Connection, study_id: str, number: int, **fields: Any) -> None:
    """Sets the status, reason, value or seeds of a variant."""
    same = (variants.c.study_id == study_id) & (variants.c.number == number)
    conn.execute(update(variants).where(same).values(**fields))


def count_created(conn: Connection, study_id: str, number: int, *, expected: int) -> bool:
    """Counts one more created run; False if another change came first. For the transaction that inserts the run."""
    same = (variants.c.study_id == study_id) & (variants.c.number == number)
    same = same & (variants.c.created == expected)
    return conn.execute(update(variants).where(same).values(created=expected + 1)).rowcount == 1


def list_states(conn: Connection, study_ids: Collection[str]) -> dict[str, list[VariantState]]:
    """The variants of several studies without their settings, by study."""
    c = variants.c
    query = select(c.study_id, c.number, c.seeds, c.created, c.status, c.value)
    found: dict[str, list[VariantState]] = {}
    for row in conn.execute(query.where(c.study_id.in_(sorted(study_ids))).order_by(c.number)):
        state = VariantState(row.number, len(row.seeds), row.created, VariantStatus(row.status), row.value)
        found.setdefault(row.study_id, []).append(state)
    return found


def _run_ids(conn: Connection, study_id: str) -> dict[int, list[str]]:
    query = select(runs.c.variant, runs.c.id).where(
        runs.c.study_id == study_id, runs.c.deleted_at.is_(None), runs.c.variant.is_not(None)
    )
    found: dict[int, list[str]] = {}
    for number, run_id in conn.execute(query.order_by(runs.c.created_at, runs.c.id)):
        found.setdefault(number, []).append(run_id)
    return found


def _variant(row: Row[Any], run_ids: list[str]) -> Variant:
    return Variant(**row._mapping, run_ids=run_ids)
