"""Alerts on SQLite and PostgreSQL: an alert that was changed meanwhile does not fire by its old rule."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import Run
from rl_lab.core.workbench.alerts import Alert, AlertDelivery, AlertFiring, AlertRule, NewAlert
from rl_lab.store import runs
from rl_lab.store.workbench import alerts

NOW = datetime(2026, 1, 2, tzinfo=UTC)
RULE = AlertRule(comparison="ended", webhook="http://localhost:9/")


@pytest.fixture
def alert(db: Any) -> Alert:
    saved: Alert = db.write(lambda conn: alerts.put(conn, NewAlert(name="done", rule=RULE)))
    return saved


@pytest.fixture
def run(db: Any) -> Run:
    config = TrainConfig(algorithm="ppo", env_id="CartPole-v1")
    new = Run(id=new_run_id(), name="one", config=config, created_at=NOW, updated_at=NOW)
    db.write(lambda conn: runs.insert(conn, new))
    return new


def firing_of(alert: Alert, run: Run, at: datetime = NOW) -> AlertFiring:
    return AlertFiring(
        alert_id=alert.id,
        alert_name=alert.name,
        run_id=run.id,
        run_name=run.name,
        at=at,
        message="It has ended.",
        deliveries={"webhook": AlertDelivery()},
    )


def fires(db: Any, alert: Alert, run: Run) -> bool:
    return bool(db.write(lambda conn: alerts.put_firing(conn, firing_of(alert, run), alert)))


def test_an_alert_fires_once_per_run(db: Any, alert: Alert, run: Run) -> None:
    assert [fires(db, alert, run), fires(db, alert, run)] == [True, False]


@pytest.mark.parametrize(
    "changes", [{"is_active": False}, {"rule": {**RULE.model_dump(mode="json"), "statuses": ["failed"]}}]
)
def test_an_alert_that_was_changed_meanwhile_does_not_fire(
    db: Any, alert: Alert, run: Run, changes: dict[str, Any]
) -> None:
    db.write(lambda conn: alerts.change(conn, alert.id, changes))
    assert not fires(db, alert, run)
    changed = db.read(lambda conn: alerts.get(conn, alert.id))
    assert fires(db, changed, run) == changed.is_active, "the new rule is not blocked"


def test_a_new_name_does_not_change_since_when_it_watches(db: Any, alert: Alert, run: Run) -> None:
    db.write(lambda conn: alerts.change(conn, alert.id, {"name": "finished"}))
    renamed = db.read(lambda conn: alerts.get(conn, alert.id))
    assert (renamed.name, renamed.updated_at) == ("finished", alert.updated_at)
    assert fires(db, alert, run)
    db.write(lambda conn: alerts.change(conn, alert.id, {"is_active": False}))
    assert db.read(lambda conn: alerts.get(conn, alert.id)).updated_at > alert.updated_at


def test_a_delivery_is_stored_with_its_own_firing_only(db: Any, alert: Alert, run: Run) -> None:
    """The same alert may have fired again for the run, after its rule was changed."""
    fires(db, alert, run)
    earlier = firing_of(alert, run, NOW - timedelta(seconds=1))
    done = AlertDelivery(state="done", tries=1)
    assert not db.write(lambda conn: alerts.put_delivery(conn, earlier, "webhook", done))
    assert db.write(lambda conn: alerts.put_delivery(conn, firing_of(alert, run), "webhook", done))
    assert db.read(lambda conn: alerts.list_open(conn, 10)) == []


def test_an_action_is_begun_by_one_only(db: Any, alert: Alert, run: Run) -> None:
    fires(db, alert, run)
    firing, waiting = firing_of(alert, run), AlertDelivery()
    begun = AlertDelivery(state="sending", tries=1)

    def begin() -> bool:
        return bool(db.write(lambda conn: alerts.put_delivery(conn, firing, "webhook", begun, seen=waiting)))

    assert [begin(), begin()] == [True, False]
