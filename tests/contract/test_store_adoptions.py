"""Where runs came from, and how far they were read, on SQLite and PostgreSQL alike."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from rl_lab.core.adoption import Source
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import EndReason, Progress, Run, RunStatus, Summary
from rl_lab.store import adoptions, artifacts, events, runs
from rl_lab.store.adoptions import AdoptedRun

CREATED_AT = datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
QUIET = EndReason(cause="adopted", message="Not followed any more.")


def made(run_id: str, folder: str, *, is_followed: bool = False) -> AdoptedRun:
    source = Source(folder=folder, format="cleanrl", key="run", is_followed=is_followed)
    status = RunStatus.followed if is_followed else RunStatus.succeeded
    config = TrainConfig(runner="adopted", algorithm="ppo", env_id="CartPole-v1")
    run = Run(
        id=run_id,
        name=folder,
        status=status,
        config=config,
        tags=["adopted"],
        source=source,
        created_at=CREATED_AT,
        updated_at=CREATED_AT,
    )
    file = Artifact(
        id=f"a-{run_id}",
        run_id=run_id,
        path="model.zip",
        kind="model",
        created_at=CREATED_AT,
        data={"in_source": True},
    )
    return AdoptedRun(run, {"files": {"model.zip": [8, 1]}}, [file])


def test_runs_are_stored_once_per_folder_with_files_and_tags(db: Any) -> None:
    first, second = made("r1", "/data/a"), made("r2", "/data/b")
    assert [r.id for r in db.write(lambda c: adoptions.insert_all(c, [first, second]))] == ["r1", "r2"]
    assert db.write(lambda c: adoptions.insert_all(c, [made("r3", "/data/a")])) == []
    stored = db.read(lambda c: runs.get(c, "r1"))
    assert (stored.source, stored.tags, stored.allowed) == (first.run.source, ["adopted"], [])
    assert [f.path for f in db.read(lambda c: artifacts.list_for_run(c, "r1"))] == ["model.zip"]
    assert [e.type for e in db.read(lambda c: events.list_page(c, "r1"))] == ["adopted"]


def test_runs_inside_a_folder_are_found_and_those_next_to_it_are_not(db: Any) -> None:
    new = [made("r1", "/data/a"), made("r2", "/data/a/b"), made("r3", "/data/ab"), made("r4", "/data/a%b")]
    db.write(lambda c: adoptions.insert_all(c, new))
    assert {row.run_id for row in db.read(lambda c: adoptions.list_beneath(c, "/data/a"))} == {"r1", "r2"}
    [row] = db.read(lambda c: adoptions.list_beneath(c, "/data/a%b"))
    assert (row.run_id, row.state["files"], row.status) == ("r4", {"model.zip": [8, 1]}, RunStatus.succeeded)
    assert len(db.read(lambda c: adoptions.list_beneath(c, "/"))) == 4


def test_a_run_grows_ends_and_is_followed_again(db: Any) -> None:
    new = made("r1", "/data/a", is_followed=True)
    db.write(lambda c: adoptions.insert_all(c, [new]))
    assert db.read(adoptions.list_followed_runs) == [("r1", "/data/a")]
    learned = new.run.config.model_copy(update={"env_id": "Pendulum-v1"})
    grown = new.run.model_copy(
        update={"progress": Progress(timestep=70), "summary": Summary(mean_reward=2.5), "config": learned}
    )
    db.write(lambda c: adoptions.grow(c, grown, {"files": {}}, [], None))
    stored = db.read(lambda c: runs.get(c, "r1"))
    assert (stored.progress.timestep, stored.summary.mean_reward) == (70, 2.5)
    assert stored.config.env_id == "Pendulum-v1"
    page = db.read(lambda c: runs.find_page(c, runs.RunFilter(env_id="Pendulum-v1", q="pendulum")))
    assert page.total == 1
    ended = db.write(lambda c: adoptions.end_following(c, "r1", RunStatus.succeeded, QUIET, CREATED_AT))
    assert (ended.status, ended.ended_at, ended.source.is_followed) == (
        RunStatus.succeeded,
        CREATED_AT,
        False,
    )
    assert db.write(lambda c: adoptions.end_following(c, "r1", RunStatus.succeeded, QUIET)) is None
    again = db.write(lambda c: adoptions.follow_again(c, ended, "It grows again."))
    assert (again.status, again.reason, again.ended_at, again.allowed) == (
        RunStatus.followed,
        None,
        None,
        ["stop"],
    )


def test_a_purged_run_is_no_longer_found(db: Any) -> None:
    db.write(lambda c: adoptions.insert_all(c, [made("r1", "/data/a")]))
    db.write(lambda c: runs.purge(c, "r1"))
    assert db.read(lambda c: adoptions.find(c, "/data/a", "run")) is None
    assert [r.id for r in db.write(lambda c: adoptions.insert_all(c, [made("r2", "/data/a")]))] == ["r2"]


def test_followed_folders_survive_a_restart_of_the_lab(db: Any) -> None:
    wanted = {"folder": "/data", "follow": True}
    db.write(lambda c: adoptions.put_followed(c, "x1", wanted))
    assert db.read(adoptions.list_followed) == {"x1": wanted}
    db.write(lambda c: adoptions.forget_followed(c, "x1"))
    assert db.read(adoptions.list_followed) == {}
