"""Alerts, and for which runs they have fired."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update

from rl_lab.core.errors import NotFound, WrongExpression
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.workbench.alerts import Alert, AlertAction, AlertDelivery, AlertFiring, AlertRule, NewAlert
from rl_lab.core.workbench.expression_terms import names_in
from rl_lab.core.workbench.expressions import parse_expression
from rl_lab.store.sql.tables import runs
from rl_lab.store.sql.upserts import insert_or_ignore
from rl_lab.store.sql.workbench_tables import alert_firings, alerts

WATCHED_BY = frozenset({"rule", "is_active"})
"""What decides since when an alert watches; a name does not."""

_a, _f = alerts.c, alert_firings.c


def list_all(conn: Connection) -> list[Alert]:
    """The newest first."""
    counted = conn.execute(select(_f.alert_id, func.count().label("many")).group_by(_f.alert_id))
    counts: dict[str, int] = {row.alert_id: row.many for row in counted}
    rows = conn.execute(select(alerts).order_by(_a.created_at.desc(), _a.id.desc()))
    return [_to_alert(row, counts.get(row.id, 0)) for row in rows]


def list_active(conn: Connection) -> list[Alert]:
    return [_to_alert(row, 0) for row in conn.execute(select(alerts).where(_a.is_active.is_(True)))]


def get(conn: Connection, alert_id: str) -> Alert:
    row = conn.execute(select(alerts).where(_a.id == alert_id)).one_or_none()
    if row is None:
        raise NotFound(f"There is no alert “{alert_id}”.", next_step="`rl-lab alerts` lists them.")
    count = conn.execute(select(func.count()).where(_f.alert_id == alert_id)).scalar_one()
    return _to_alert(row, count)


def put(conn: Connection, new: NewAlert) -> Alert:
    now = datetime.now(UTC)
    row = {"id": new_run_id(), "name": new.name, "rule": new.rule.model_dump(mode="json")}
    conn.execute(insert(alerts), {**row, "is_active": new.is_active, "created_at": now, "updated_at": now})
    return get(conn, str(row["id"]))


def change(conn: Connection, alert_id: str, fields: Mapping[str, Any]) -> None:
    """A new rule watches from now on, and so does an alert that is switched on."""
    now = {"updated_at": datetime.now(UTC)} if WATCHED_BY & fields.keys() else {}
    changed = {**fields, **now}
    conn.execute(update(alerts).where(_a.id == alert_id).values(**changed))


def remove(conn: Connection, alert_id: str) -> None:
    """With its firings; the event logs of the runs keep theirs."""
    conn.execute(delete(alert_firings).where(_f.alert_id == alert_id))
    conn.execute(delete(alerts).where(_a.id == alert_id))


def forget_firings(conn: Connection, alert_id: str) -> None:
    conn.execute(delete(alert_firings).where(_f.alert_id == alert_id))


def names_using(conn: Connection, metric: str) -> list[str]:
    """Names of the alerts whose expression uses this metric."""
    return [one.name for one in list_all(conn) if metric in _metrics_of(one.rule)]


def fired_for(conn: Connection, run_id: str) -> set[str]:
    """Ids of the alerts that have fired for the run."""
    return set(conn.execute(select(_f.alert_id).where(_f.run_id == run_id)).scalars())


def put_firing(conn: Connection, firing: AlertFiring, alert: Alert) -> bool:
    """`alert`: as it was when the run was looked at.

    False when it has fired for this run before, was changed or switched off since, or one of them was deleted.
    """
    is_same = (_a.id == alert.id) & (_a.updated_at == alert.updated_at) & _a.is_active.is_(True)
    there = (
        conn.execute(select(_a.id).where(is_same)).scalar(),
        conn.execute(select(runs.c.id).where(runs.c.id == firing.run_id)).scalar(),
    )
    if None in there:
        return False
    row = {
        **firing.model_dump(include={"alert_id", "run_id", "at", "value", "step", "message"}),
        "deliveries": {name: one.model_dump() for name, one in firing.deliveries.items()},
        "is_open": bool(firing.deliveries),
    }
    return insert_or_ignore(conn, alert_firings, row, returning=_f.alert_id) is not None


def list_firings(
    conn: Connection, *, alert_id: str | None = None, run_id: str | None = None, limit: int = 100
) -> list[AlertFiring]:
    """The newest first."""
    query = _firings()
    if alert_id is not None:
        query = query.where(_f.alert_id == alert_id)
    if run_id is not None:
        query = query.where(_f.run_id == run_id)
    return [_to_firing(row) for row in conn.execute(query.order_by(_f.at.desc(), _f.run_id).limit(limit))]


def list_open(conn: Connection, limit: int) -> list[AlertFiring]:
    """Firings with a command or webhook that is not done, the oldest first."""
    query = _firings().where(_f.is_open.is_(True)).order_by(_f.at).limit(limit)
    return [_to_firing(row) for row in conn.execute(query)]


def put_delivery(
    conn: Connection,
    firing: AlertFiring,
    action: AlertAction,
    delivery: AlertDelivery,
    *,
    seen: AlertDelivery | None = None,
) -> bool:
    """What became of one of its actions; with `seen`, only if this is still stored.

    False for a firing that was forgotten meanwhile; a later one of the same alert and run is another.
    """
    same = (_f.alert_id == firing.alert_id) & (_f.run_id == firing.run_id) & (_f.at == firing.at)
    stored = conn.execute(select(_f.deliveries).where(same)).scalar_one_or_none()
    if stored is None or (seen is not None and stored.get(action) != seen.model_dump()):
        return False
    states = {**stored, action: delivery.model_dump()}
    is_open = any(one["state"] in ("waiting", "sending") for one in states.values())
    conn.execute(update(alert_firings).where(same).values(deliveries=states, is_open=is_open))
    return True


def list_ended_since(conn: Connection, since: datetime) -> list[str]:
    """Runs that have ended at or after this time."""
    query = select(runs.c.id).where(runs.c.ended_at >= since, runs.c.deleted_at.is_(None))
    return list(conn.execute(query.order_by(runs.c.ended_at)).scalars())


def _firings() -> Select[Any]:
    names = (_a.name.label("alert_name"), _a.rule, runs.c.name.label("run_name"))
    return (
        select(alert_firings, *names)
        .join(alerts, _a.id == _f.alert_id)
        .join(runs, runs.c.id == _f.run_id)
        .where(runs.c.deleted_at.is_(None))
    )


def _to_alert(row: Row[Any], firings: int) -> Alert:
    rule = AlertRule.model_validate(row.rule)
    fields = {**row._mapping, "rule": rule, "name": row.name or rule.words}
    return Alert(**fields, condition=rule.words, firings=firings)


def _to_firing(row: Row[Any]) -> AlertFiring:
    fields = {name: row._mapping[name] for name in AlertFiring.model_fields}
    fields["alert_name"] = row.alert_name or AlertRule.model_validate(row.rule).words
    return AlertFiring(**fields)


def _metrics_of(rule: AlertRule) -> list[str]:
    try:
        return names_in(parse_expression(rule.expression))
    except WrongExpression:
        return []
