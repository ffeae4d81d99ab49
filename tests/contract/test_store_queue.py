"""The order of waiting runs is the same on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from rl_lab.core.errors import MoveRefused, NotFound
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.queue.lanes import Lane
from rl_lab.core.queue.order import move_block
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import Run, RunStatus
from rl_lab.store import attempts, queue, runs
from rl_lab.store.attempts import Attempt

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def enter(db: Any, name: str, **fields: Any) -> str:
    """A run that waits; its id."""
    config = TrainConfig(algorithm="ppo", env_id="CartPole-v1", runner="turbo")
    run = Run(id=new_run_id(), name=name, created_at=NOW, updated_at=NOW, config=config, **fields)
    db.write(lambda c: runs.insert(c, run))
    db.write(lambda c: runs.change_status(c, run.id, expected=RunStatus.created, to=RunStatus.queued))
    return run.id


def waiting(db: Any) -> list[str]:
    return [row.name for row in db.read(queue.list_waiting)]


def move(db: Any, run_id: str, at: int) -> None:
    def work(conn: Any) -> None:
        queue.put_places(conn, move_block(queue.list_places(conn, Lane.training), {run_id}, at))

    db.write(work)


def test_studies_alternate_and_moves_and_priorities_change_the_order(db: Any) -> None:
    for n in range(3):
        enter(db, f"a{n}", study_id="a")
    single = enter(db, "single")
    last = enter(db, "last")
    assert waiting(db) == ["a0", "single", "last", "a1", "a2"]
    move(db, last, 0)
    assert waiting(db) == ["last", "a0", "single", "a1", "a2"]
    db.write(lambda c: queue.put_priority(c, [single], 7))
    assert waiting(db) == ["single", "last", "a0", "a1", "a2"]
    move(db, last, 0)
    assert waiting(db) == ["last", "single", "a0", "a1", "a2"]
    enter(db, "new")
    assert waiting(db) == ["last", "single", "a0", "new", "a1", "a2"]
    assert db.read(lambda c: queue.count_ahead(c, Lane.training, 7, 1.0)) == 2
    assert [row.name for row in db.read(lambda c: queue.list_waiting(c, [RunKind.train], 2))] == [
        "last",
        "single",
    ]


def test_a_run_that_no_longer_waits_is_not_moved(db: Any) -> None:
    run_id = enter(db, "one")
    places = db.read(lambda c: queue.list_places(c, Lane.training))
    db.write(lambda c: runs.change_status(c, run_id, expected=RunStatus.queued, to=RunStatus.stopped))
    db.write(lambda c: queue.put_places(c, [places[0]._replace(priority=9)]))
    assert db.read(lambda c: runs.get(c, run_id)).priority == 0
    with pytest.raises(MoveRefused, match="it is stopped"):
        db.read(lambda c: queue.require_waiting(c, run_id))
    with pytest.raises(NotFound):
        db.read(lambda c: queue.require_waiting(c, "0" * 12))
    with pytest.raises(NotFound, match="no study"):
        db.read(lambda c: queue.list_waiting_of_study(c, "unknown"))


def test_what_the_last_runs_used_is_remembered_by_runner_algorithm_and_environment(db: Any) -> None:
    for peak in (5_000, 7_000):
        run_id = enter(db, "ended")
        row = Attempt(run_id, 1, NOW)
        db.write(lambda c, row=row: attempts.put(c, row))
        record = {"started_at": 10.0, "ended_at": 20.0, "cpu_s": 25.0}
        db.write(lambda c, i=run_id, r=record: attempts.finish(c, i, 1, NOW, r))
        db.write(lambda c, i=run_id, p=peak: queue.put_peak_memory(c, i, p))
        db.write(
            lambda c, i=run_id: runs.change_status(
                c, i, expected=RunStatus.queued, to=RunStatus.starting, attempt=1
            )
        )
    enter(db, "next")
    like = db.read(queue.list_waiting)[0]
    found = db.read(lambda c: queue.list_uses(c, like, 5))
    assert sorted(found) == [(5_000, 2.5), (7_000, 2.5)]
    assert db.read(lambda c: queue.list_uses(c, like._replace(env_id="Other-v1"), 5)) == []
