"""Which files may go, what is gone and what is still to follow: alike on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run, RunStatus
from rl_lab.store import artifacts, removals, run_pages, runs
from rl_lab.store.sql import meta

CREATED_AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def put_run(db: Any, run_id: str, **fields: Any) -> None:
    config = TrainConfig(algorithm="ppo", env_id="CartPole-v1")
    known = {"name": run_id, "config": config, "created_at": CREATED_AT, "updated_at": CREATED_AT}
    db.write(lambda c: runs.insert(c, Run(**{"id": run_id, **known, **fields})))


def put_file(db: Any, run_id: str, number: int, kind: str = "video", **fields: Any) -> Artifact:
    path = f"{kind}-{number}"
    created_at = CREATED_AT + timedelta(seconds=number)
    made = Artifact(
        id=artifacts.artifact_id(run_id, path),
        run_id=run_id,
        path=path,
        kind=kind,
        created_at=created_at,
        **fields,
    )
    stored: Artifact = db.write(lambda c: artifacts.upsert(c, made))
    return stored


def test_runs_over_a_limit_are_found_without_counting_best_and_final(db: Any) -> None:
    for run_id in ("few", "many"):
        put_run(db, run_id)
        put_file(db, run_id, 0, "checkpoint", role="best")
        put_file(db, run_id, 1, "checkpoint", role="final")
        put_file(db, run_id, 2, "checkpoint", role="interval")
    put_file(db, "many", 3, "checkpoint")
    assert db.read(lambda c: artifacts.runs_beyond(c, {"checkpoint": 1, "video": 3})) == ["many"]
    assert db.read(lambda c: artifacts.kinds_of_runs(c, ["few", "many", "none"])) == {
        "few": {"checkpoint": 1},
        "many": {"checkpoint": 2},
    }


def test_only_files_of_idle_runs_may_be_deleted(db: Any) -> None:
    put_run(db, "rest", status=RunStatus.succeeded)
    put_run(db, "live", status=RunStatus.running)
    put_run(db, "packed", archived=True)
    put_run(db, "deleted", deleted_at=CREATED_AT)
    put_run(db, "job", parent_id="rest")
    for run_id in ("rest", "live", "packed", "deleted", "job"):
        put_file(db, run_id, 0)
    put_file(db, "rest", 1, data={"in_source": True})
    [[found]] = db.read(lambda c: artifacts.idle_of_kind(c, "video"))
    assert (found.run_id, found.path) == ("rest", "video-0")
    assert db.read(runs.list_archived) == ["packed"]
    found = db.read(run_pages.list_run_times)
    assert {s.run_id for s in found if s.is_deleted} == {"deleted"}
    assert len(found) == 5


def test_removed_files_are_counted_and_noted_until_they_are_deleted(db: Any) -> None:
    put_run(db, "run")
    put_run(db, "job")
    theirs = put_file(db, "job", 0)
    mine = put_file(db, "run", 0, data={"job": "job"})
    elsewhere = put_file(db, "run", 1, data={"in_source": True})
    doomed = db.write(lambda c: removals.remove(c, "run", [mine, elsewhere]))
    assert [(d.run_id, d.path) for d in doomed] == [("run", "video-0"), ("job", theirs.path)]
    assert db.read(lambda c: artifacts.list_for_run(c, "job")) == []
    assert db.read(lambda c: removals.removed_of(c, ["run"])) == {"run": {"videos": 2}}
    assert db.read(removals.runs_with_pending) == ["run"]
    put_file(db, "run", 0)
    again = db.read(lambda c: removals.pending(c, "run"))
    assert [d.run_id for d in again] == ["job"], "what was made anew stays"
    db.write(lambda c: removals.done(c, "run", doomed))
    assert db.read(removals.runs_with_pending) == []
    db.write(lambda c: removals.forget_run(c, "run"))
    assert db.read(lambda c: meta.keys(c, removals.REMOVED)) == []


def test_the_database_reports_every_commit_that_changed_artifacts(db: Any) -> None:
    put_run(db, "run")
    db.changed.clear()
    made = put_file(db, "run", 0)
    db.write(lambda c: artifacts.pin(c, made.id))
    db.write(lambda c: artifacts.delete(c, made.id))
    db.write(lambda c: artifacts.delete(c, made.id))
    assert db.changed == [{"run"}] * 3
    assert db.read(lambda c: meta.keys(c, artifacts.CHANGED)) == [f"{artifacts.CHANGED}run"]


def test_a_part_leaves_with_the_last_checkpoint_that_needs_it(db: Any) -> None:
    put_run(db, "r1")
    parts = [{"path": f"checkpoints/replay/{name}", "sha256": name} for name in "abc"]
    first = put_file(db, "r1", 1, "checkpoint", data={"parts": parts[:2]})
    put_file(db, "r1", 2, "checkpoint", data={"parts": parts[1:]})
    gone = db.write(lambda c: removals.remove(c, "r1", [first]))
    assert [d.path for d in gone] == ["checkpoint-1", "checkpoints/replay/a"]
    db.write(lambda c: removals.done(c, "r1", gone))

    def report_again(conn: Any) -> None:
        again = artifacts.get(conn, artifacts.artifact_id("r1", "checkpoint-2"))
        with removals.replaced_parts(conn, "r1", again.id):
            artifacts.upsert(conn, again.model_copy(update={"data": {"parts": parts[2:]}}))

    db.write(report_again)
    assert [d.path for d in db.read(lambda c: removals.pending(c, "r1"))] == ["checkpoints/replay/b"]
