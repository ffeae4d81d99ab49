"""Values of derived metrics on SQLite and PostgreSQL: storing and dropping them keeps what was measured."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import Progress, Run, Summary
from rl_lab.core.workbench.derived_metrics import NewDerivedMetric
from rl_lab.store import run_numbers, runs
from rl_lab.store.sql.tables import run_metrics
from rl_lab.store.workbench import derived_metrics

CREATED_AT = datetime(2026, 1, 2, tzinfo=UTC)


def put_run(db: Any, **metrics: float) -> str:
    run = Run(
        id=new_run_id(),
        name="one",
        config=TrainConfig(algorithm="ppo", env_id="CartPole-v1"),
        created_at=CREATED_AT,
        updated_at=CREATED_AT,
        summary=Summary(metrics=metrics),
    )
    db.write(lambda conn: runs.insert(conn, run))
    return run.id


def values(db: Any, run_id: str) -> dict[str, float | None]:
    query = run_metrics.select().where(run_metrics.c.run_id == run_id)
    return {row.name: row.value for row in db.read(lambda conn: conn.execute(query).all())}


@pytest.fixture
def speed(db: Any) -> str:
    new = NewDerivedMetric(name="Speed", expression="reward / length")
    db.write(lambda conn: derived_metrics.put(conn, new))
    return "Speed"


def test_only_computed_values_are_dropped(db: Any, speed: str) -> None:
    computed, measured = put_run(db, reward=4.0), put_run(db, speed=7.0)
    db.write(lambda conn: derived_metrics.put_values(conn, computed, {speed: 2.0}))
    assert values(db, computed) == {"reward": 4.0, "speed": 2.0}
    db.write(lambda conn: derived_metrics.drop_values(conn, [speed]))
    assert values(db, computed) == {"reward": 4.0}
    assert values(db, measured) == {"speed": 7.0}


def test_a_measured_value_is_not_replaced_by_a_computed_one(db: Any, speed: str) -> None:
    run_id = put_run(db, speed=7.0)
    db.write(lambda conn: derived_metrics.put_values(conn, run_id, {speed: 2.0}))
    assert values(db, run_id) == {"speed": 7.0}


def test_a_number_of_an_evaluation_leaves_a_derived_metric_its_name(db: Any, speed: str) -> None:
    run_id = put_run(db, reward=4.0)
    db.write(lambda conn: derived_metrics.put_values(conn, run_id, {speed: 2.0}))
    db.write(lambda conn: run_numbers.put(conn, run_id, {"speed": 9.0, "soft": 1.0}))
    assert values(db, run_id) == {"reward": 4.0, "speed": 2.0, "soft": 1.0}
    db.write(lambda conn: run_numbers.put(conn, run_id, {}))
    assert values(db, run_id) == {"reward": 4.0, "speed": 2.0}, "earlier numbers go, the computed value stays"
    assert db.read(lambda conn: runs.get(conn, run_id)).summary.numbers == {}


def test_a_training_that_ends_again_leaves_a_derived_metric_its_name(db: Any, speed: str) -> None:
    run_id = put_run(db, reward=4.0)
    db.write(lambda conn: run_numbers.put(conn, run_id, {"speed": 9.0, "soft": 1.0}))
    summary = Summary(metrics={"reward": 5.0})
    db.write(lambda conn: runs.update_progress(conn, run_id, Progress(), summary))
    assert values(db, run_id) == {"reward": 5.0, "soft": 1.0}, "its value is computed afterwards"


def test_only_measured_names_count_as_recorded(db: Any, speed: str) -> None:
    run_id = put_run(db, reward=4.0)
    db.write(lambda conn: derived_metrics.put_values(conn, run_id, {speed: 2.0}))
    assert db.read(derived_metrics.list_recorded) == {"reward"}
    assert not db.read(lambda conn: derived_metrics.is_metric_of_a_run(conn, "speed"))
