"""What runs are found by behaves alike on SQLite and PostgreSQL: notes, metrics, combined conditions, saved views."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Progress, Run, Summary
from rl_lab.core.saved_views import ViewContents
from rl_lab.store import episode_notes, runs
from rl_lab.store.experiments import views
from rl_lab.store.runs import RunFilter

AT = datetime(2026, 1, 2, tzinfo=UTC)


def put(db: Any, name: str, *, rate: float = 0.001, best: float | None = None, **fields: Any) -> str:
    config = TrainConfig(algorithm="ppo", env_id="CartPole-v1", params={"learning_rate": rate})
    run = Run(id=f"{name:0<12}", name=name, config=config, created_at=AT, updated_at=AT, **fields)
    run.summary.best_mean_reward = best
    db.write(lambda conn: runs.insert(conn, run))
    return run.id


def find(db: Any, q: str, sort: str = "name") -> list[str]:
    return [run.name for run in db.read(lambda c: runs.find_page(c, RunFilter(q=q), sort)).items]


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("params.learning_rate < 0.01 and best > 200", ["good"]),
        ("lr<0.01 or best>200", ["good", "slow", "wild"]),
        ("not lr<0.01", ["wild"]),
        ("(good or slow) not best>200", ["slow"]),
        ("not (good or slow)", ["wild"]),
        ("not best>200", ["slow"]),
    ],
)
def test_conditions_are_combined(db: Any, q: str, found: list[str]) -> None:
    put(db, "good", best=300)
    put(db, "slow", best=None)
    put(db, "wild", rate=0.5, best=400)
    assert find(db, q) == found


def test_a_run_is_found_by_its_notes_also_after_they_changed(db: Any) -> None:
    run_id = put(db, "noted", notes="Diverged after the *warm-up*.")
    put(db, "other")
    assert find(db, "warm-up") == find(db, "note:diverged") == ["noted"]
    db.write(lambda c: runs.patch(c, run_id, notes="Too short."))
    assert find(db, "warm-up") == [] and find(db, "short") == ["noted"]
    db.write(lambda c: runs.patch(c, run_id, name="renamed"))
    assert find(db, "short") == ["renamed"]


def test_a_run_is_found_and_sorted_by_the_last_values_of_its_metrics(db: Any) -> None:
    calm = put(db, "calm", summary=Summary(metrics={"Loss/TD": 0.25, "entropy": 0.7}))
    put(db, "none")
    late = put(db, "late")
    db.write(lambda c: runs.update_progress(c, late, Progress(), Summary(metrics={"entropy": 0.01})))
    assert find(db, "metrics.entropy<0.1") == ["late"]
    assert find(db, "metrics.loss/td:0.25") == ["calm"]
    assert find(db, "", "-metrics.entropy") == ["calm", "late", "none"]
    db.write(lambda c: runs.update_progress(c, calm, Progress(), Summary(metrics={"entropy": 0.0})))
    assert find(db, "metrics.entropy<0.1", "metrics.entropy") == ["calm", "late"]


def test_views_are_replaced_by_name_and_removed(db: Any) -> None:
    first = ViewContents(search={"q": "best>200", "archived": True}, columns=["name", "params.gamma"])
    db.write(lambda c: views.put(c, "b", first))
    db.write(lambda c: views.put(c, "A", ViewContents()))
    db.write(lambda c: views.put(c, "b", ViewContents(search={"q": "x"})))
    listed = db.read(views.list_all)
    assert [(view.name, view.search) for view in listed] == [("A", {}), ("b", {"q": "x"})]
    assert db.write(lambda c: views.remove(c, "b")) and not db.write(lambda c: views.remove(c, "b"))


def test_notes_on_episodes_are_replaced_and_go_with_their_run(db: Any) -> None:
    run_id = put(db, "noted")
    for episode, text in [(3, "odd landing"), (2**41, "evaluation"), (3, "very odd"), (7, "x"), (7, "")]:
        db.write(lambda c, e=episode, t=text: episode_notes.put(c, run_id, e, t))
    assert db.read(lambda c: episode_notes.list_of(c, run_id)) == {3: "very odd", 2**41: "evaluation"}
    db.write(lambda c: runs.purge(c, run_id))
    assert db.read(lambda c: episode_notes.list_of(c, run_id)) == {}
