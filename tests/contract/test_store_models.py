"""Checkpoints of all runs, named models and lineage in the store behave alike on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import pytest
from sqlalchemy import update

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import ForkConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.models.checkpoints import CheckpointSort, Score
from rl_lab.core.runs import Run
from rl_lab.store import artifacts, runs
from rl_lab.store.models import lineage
from rl_lab.store.models.checkpoint_pages import CheckpointFilter, find_choices, find_page
from rl_lab.store.sql import tables
from rl_lab.store.sql.cursors import Sort

AT = datetime(2026, 1, 2, tzinfo=UTC)


def put_run(db: Any, name: str, **config: Any) -> str:
    wanted = {"algorithm": "ppo", "env_id": "CartPole-v1", "runner": "turbo", **config}
    run = Run(id=f"{name:0<12}", name=name, config=TrainConfig(**wanted), created_at=AT, updated_at=AT)
    db.write(lambda conn: runs.insert(conn, run))
    return run.id


def put_checkpoint(db: Any, run_id: str, step: int, role: str = "interval", **fields: Any) -> str:
    path = f"checkpoints/{'best' if role == 'best' else step}.npz"
    found = Artifact(
        id=artifacts.artifact_id(run_id, path),
        run_id=run_id,
        path=path,
        kind="checkpoint",
        role=role,
        timestep=step,
        created_at=AT + timedelta(seconds=step),
        **{"size": step, "sha256": f"{step:064x}", **fields},
    )
    return str(db.write(lambda conn: artifacts.upsert(conn, found)).id)


@pytest.fixture
def zoo(db: Any) -> Any:
    lander = put_run(db, "lander", env_id="LunarLander-v3", algorithm="dqn")
    pole = put_run(db, "pole")
    put_checkpoint(db, lander, 100, score=-200.0)
    soft = put_checkpoint(db, lander, 300)
    db.write(lambda conn: artifacts.label(conn, soft, tags=["candidate"], note="Lands softly"))
    put_checkpoint(db, lander, 300, "best", score=50.0)
    evaluation = Score(mean=200.0, protocol="evaluation", episodes=10)
    put_checkpoint(db, pole, 200, "final", score=9.0, evaluation=evaluation, evaluation_mean=200.0)
    deleted = put_run(db, "gone")
    put_checkpoint(db, deleted, 999)
    db.write(lambda conn: runs.patch(conn, deleted, deleted_at=AT))
    return db


def listed(db: Any, sort: str = "timestep", descending: bool = True, **wanted: Any) -> list[Any]:
    how = Sort(sort, descending)
    return list(db.read(lambda c: find_page(c, CheckpointFilter(**wanted), how)).items)


def names(items: list[Any]) -> list[str]:
    return [f"{item.run_name} {item.timestep} {item.role}" for item in items]


ALL = ["lander 100 interval", "lander 300 best", "lander 300 interval", "pole 200 final"]


FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ALL),
    ({"env_id": "LunarLander-v3"}, ALL[:3]),
    ({"algorithm": "ppo"}, ALL[3:]),
    ({"runner": "sb3"}, []),
    ({"run_id": "pole00000000"}, ALL[3:]),
    ({"role": "best"}, ALL[1:2]),
    ({"tag": "candidate"}, ALL[2:3]),
    ({"tag": "cand"}, []),
    ({"q": "softly LANDER"}, ALL[2:3]),
    ({"q": f"{100:064x}"}, ALL[:1]),
    ({"min_score": 9.5}, [ALL[1], ALL[3]]),
    ({"named": True}, []),
    ({"named": False}, ALL),
]


def test_checkpoints_of_all_runs_are_filtered(zoo: Any) -> None:
    assert [sorted(names(listed(zoo, **wanted))) for wanted, _ in FILTERS] == [found for _, found in FILTERS]


def test_only_checkpoints_that_can_act_in_a_play_are_listed_for_one(zoo: Any) -> None:
    rewritten = {"kind": "model", "form": "sb3", "file": "a.zip", "sha256": "0" * 64}
    graph = {**rewritten, "form": "onnx"}
    own = {"env_id": "own:grid-v1"}
    for name, columns, config in (
        ("ours", {"isolation": "confined"}, own),
        ("open", {"isolation": "none"}, own),
        ("rewritten", {"origin": rewritten}, {}),
        ("module", {"origin": rewritten}, {"env_id": "package:Env-v0"}),
        ("graph", {"origin": graph}, {}),
        ("adopted", {"source": {"folder": "/elsewhere"}}, {}),
    ):
        put_checkpoint(zoo, change_run(zoo, put_run(zoo, name, **config), columns), 5)
    live = listed(zoo, acts_live=True)
    assert sorted({item.run_name for item in live}) == ["lander", "ours", "pole", "rewritten"]
    every = listed(zoo)
    assert [item.id for item in every if item.acts_live] == [item.id for item in live]
    assert names(listed(zoo, acts_live=True, runners=["sb3"])) == []
    assert names(listed(zoo, acts_live=True, env_id="own:grid-v1")) == ["ours 5 interval"]


def change_run(db: Any, run_id: str, columns: dict[str, Any]) -> str:
    db.write(lambda conn: conn.execute(update(tables.runs).where(tables.runs.c.id == run_id).values(columns)))
    return run_id


def test_a_checkpoint_is_scored_by_its_evaluation_if_it_has_one(zoo: Any) -> None:
    first, second, third, last = listed(zoo, "score")
    assert (first.score.mean, first.score.protocol, first.score.episodes) == (200.0, "evaluation", 10)
    assert (second.score.mean, second.score.protocol) == (50.0, "training")
    assert third.score.mean == -200.0
    assert last.score is None


def test_the_best_and_the_newest_checkpoint_of_a_run_are_marked(zoo: Any) -> None:
    found = listed(zoo)
    assert names([item for item in found if item.is_best]) == ["lander 300 best"]
    assert sorted(names([item for item in found if item.is_newest])) == [ALL[2], ALL[3]]


def test_pages_of_checkpoints_have_no_gap_and_no_double(zoo: Any) -> None:
    for sort in get_args(CheckpointSort):
        for descending in (True, False):
            pages = one_by_one(zoo, Sort(sort, descending))
            assert [item.id for item in pages] == [item.id for item in listed(zoo, sort, descending)], sort
            assert len({item.id for item in pages}) == 4


def one_by_one(db: Any, how: Sort) -> list[Any]:
    cursor, seen = None, []
    while True:
        page = db.read(lambda c, cursor=cursor: find_page(c, CheckpointFilter(), how, 1, cursor))
        seen += page.items
        cursor = page.next_cursor
        if cursor is None:
            return seen


def test_a_cursor_of_another_order_is_refused(zoo: Any) -> None:
    page = zoo.read(lambda c: find_page(c, CheckpointFilter(), Sort("size", True), 1))
    with pytest.raises(InvalidInput, match="belongs to the sort"):
        zoo.read(lambda c: find_page(c, CheckpointFilter(), Sort("score", True), 1, page.next_cursor))


def test_the_list_can_be_filtered_by_what_checkpoints_have(zoo: Any) -> None:
    choices = zoo.read(find_choices)
    assert choices.environments == ["CartPole-v1", "LunarLander-v3"]
    assert choices.algorithms == ["dqn", "ppo"]
    assert choices.tags == ["candidate"]


def test_lineage_shows_where_a_run_comes_from_and_what_came_from_it(db: Any) -> None:
    first = put_run(db, "first")
    start = {"run_id": first, "checkpoint": "c1", "timestep": 100}
    second = put_run(db, "second", start_from=start)
    third = put_run(db, "third", start_from={"run_id": second})
    lost = put_run(db, "lost", start_from={"run_id": "purged000000"})
    fork = Run(
        id="fork00000000",
        name="fork",
        kind=RunKind.fork,
        config=ForkConfig(run_id=third, episode=3, step=7),
        parent_id=third,
        created_at=AT,
        updated_at=AT,
    )
    db.write(lambda conn: runs.insert(conn, fork))
    db.write(lambda conn: runs.patch(conn, first, deleted_at=AT))
    found = db.read(lambda conn: lineage.find(conn, second))
    assert [(node.name, node.is_deleted) for node in found.nodes] == [
        ("second", False),
        ("first", True),
        ("third", False),
        ("fork", False),
    ]
    assert sorted((edge.parent, edge.child, edge.kind) for edge in found.edges) == [
        (first, second, "warm_start"),
        (second, third, "warm_start"),
        (third, fork.id, "fork"),
    ]
    assert {edge.child: edge.timestep for edge in found.edges}[second] == 100
    assert not found.is_cut
    gone = db.read(lambda conn: lineage.find(conn, lost)).nodes[1]
    assert gone.run_id == "purged000000" and gone.is_deleted


def test_lineage_is_cut_at_its_limit(db: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lineage, "MAX_NODES", 3)
    first = put_run(db, "first")
    for name in ("a", "b", "c"):
        put_run(db, name, start_from={"run_id": first})
    found = db.read(lambda conn: lineage.find(conn, first))
    assert found.is_cut and [node.name for node in found.nodes] == ["first", "a", "b"]
    assert {edge.child for edge in found.edges} == {"a00000000000", "b00000000000"}
