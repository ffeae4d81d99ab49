"""Events, artifacts, attempts and facts in the store behave alike on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.event_log import LOG
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.models.checkpoints import Score
from rl_lab.core.runs import Run
from rl_lab.store import artifacts, attempts, events, runs
from rl_lab.store.attempts import Attempt
from rl_lab.store.sql import meta
from rl_lab.store.sql.database import Database

CREATED_AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


@pytest.fixture
def run_id(db: Any) -> str:
    config = TrainConfig(algorithm="ppo", env_id="CartPole-v1")
    db.write(
        lambda c: runs.insert(
            c, Run(id="r1", name="r", config=config, created_at=CREATED_AT, updated_at=CREATED_AT)
        )
    )
    return "r1"


def test_a_repeated_event_is_stored_once(db: Any, run_id: str) -> None:
    first = db.write(lambda c: events.append(c, run_id, LOG, "hello", data={"a": 1}, attempt=1, seq=5))
    again = db.write(lambda c: events.append(c, run_id, LOG, "hello", data={"a": 1}, attempt=1, seq=5))
    other = db.write(lambda c: events.append(c, run_id, LOG, "hello", attempt=2, seq=5))
    assert again == first
    assert other.id > first.id
    assert len(db.read(lambda c: events.list_page(c, run_id))) == 2


def test_events_without_a_number_are_all_kept(db: Any, run_id: str) -> None:
    for _ in range(3):
        db.write(lambda c: events.append(c, run_id, LOG, "same"))
    assert len(db.read(lambda c: events.list_page(c, run_id))) == 3


def test_events_are_paged_forward_and_backward_without_gaps(db: Any, run_id: str) -> None:
    made = [db.write(lambda c, i=i: events.append(c, run_id, LOG, str(i))).id for i in range(10)]
    ids = lambda **where: [e.id for e in db.read(lambda c: events.list_page(c, run_id, **where))]  # noqa: E731
    assert ids(limit=3) == made[-3:]
    assert ids(limit=3, before_id=made[-3]) == made[-6:-3]
    assert ids(after_id=made[3], limit=4) == made[4:8]
    assert ids(after_id=made[-1]) == []
    assert db.read(events.newest_id) == made[-1]
    with pytest.raises(InvalidInput, match="limit"):
        ids(limit=0)


def test_events_are_filtered_by_level(db: Any, run_id: str) -> None:
    for level in ("debug", "info", "warning", "error"):
        db.write(lambda c, le=level: events.append(c, run_id, LOG, le, level=le))
    page = db.read(lambda c: events.list_page(c, run_id, levels=("warning", "error")))
    assert [e.level for e in page] == ["warning", "error"]


def test_ids_of_purged_events_are_not_reused(db: Any, run_id: str) -> None:
    last = db.write(lambda c: events.append(c, run_id, LOG, "x")).id
    run = db.read(lambda c: runs.get(c, run_id))
    db.write(lambda c: runs.purge(c, run_id))
    db.write(lambda c: runs.insert(c, run))
    assert db.write(lambda c: events.append(c, run_id, LOG, "y")).id > last


def an_artifact(run_id: str, path: str, **fields: Any) -> Artifact:
    return Artifact(
        id=artifacts.artifact_id(run_id, path),
        run_id=run_id,
        path=path,
        **{"kind": "checkpoint", "created_at": CREATED_AT, **fields},
    )


def test_reporting_a_file_again_updates_its_row_and_keeps_its_pin(db: Any, run_id: str) -> None:
    made = db.write(lambda c: artifacts.upsert(c, an_artifact(run_id, "model.zip", size=1, data={"a": [1]})))
    db.write(lambda c: artifacts.pin(c, made.id))
    later = an_artifact(run_id, "model.zip", size=2, score=1.5, created_at=CREATED_AT + timedelta(seconds=1))
    renewed = db.write(lambda c: artifacts.upsert(c, later))
    assert renewed == later.model_copy(update={"pinned": True})
    assert db.read(lambda c: artifacts.list_for_run(c, run_id)) == [renewed]


def test_the_checkpoint_with_most_training_is_found(db: Any, run_id: str) -> None:
    assert db.read(lambda c: artifacts.find_checkpoint(c, run_id)) is None
    for step, role in ((10, "interval"), (30, "best"), (20, "stop"), (None, "interval")):
        item = an_artifact(run_id, f"checkpoints/{step}.zip", timestep=step, role=role)
        db.write(lambda c, a=item: artifacts.upsert(c, a))
    assert db.read(lambda c: artifacts.find_checkpoint(c, run_id)).timestep == 30
    assert db.read(lambda c: artifacts.find_checkpoint(c, run_id, role="stop")).timestep == 20


def test_what_an_evaluation_measured_belongs_to_the_contents_of_a_checkpoint(db: Any, run_id: str) -> None:
    def put(path: str, sha256: str) -> Artifact:
        found: Artifact = db.write(lambda c: artifacts.upsert(c, an_artifact(run_id, path, sha256=sha256)))
        return found

    def measure(sha256: str, mean: float, episodes: int) -> None:
        score = Score(mean=mean, protocol="evaluate_every", episodes=episodes)
        db.write(lambda c: artifacts.add_evaluation(c, run_id, sha256, score))

    def means() -> dict[str, float | None]:
        found = db.read(lambda c: artifacts.list_for_run(c, run_id))
        assert all(a.evaluation_mean == (a.evaluation.mean if a.evaluation else None) for a in found)
        return {a.path: a.evaluation_mean for a in found}

    put("1", "aa")
    put("2", "bb")
    measure("aa", 10.0, 5)
    measure("bb", 20.0, 5)
    measure("", 99.0, 5)
    put("best", "aa")
    assert means() == {"1": 10.0, "2": 20.0, "best": 10.0}
    put("best", "bb")
    assert means()["best"] == 20.0
    put("best", "cc")
    assert means() == {"1": 10.0, "2": 20.0, "best": None}
    measure("aa", 11.0, 3)
    assert means()["1"] == 10.0, "fewer episodes say less"
    measure("aa", 12.0, 5)
    put("1", "aa")
    assert means()["1"] == 12.0


def test_a_deleted_artifact_is_not_found(db: Any, run_id: str) -> None:
    made = db.write(lambda c: artifacts.upsert(c, an_artifact(run_id, "a.mp4", kind="video")))
    assert db.write(lambda c: artifacts.label(c, made.id, title="My video")).title == "My video"
    assert db.write(lambda c: artifacts.delete(c, made.id)) is True
    assert db.write(lambda c: artifacts.delete(c, made.id)) is False
    with pytest.raises(NotFound, match="no artifact"):
        db.read(lambda c: artifacts.get(c, made.id))


def test_an_attempt_is_kept_with_its_exit(db: Any, run_id: str) -> None:
    attempt = Attempt(run_id, 1, CREATED_AT, guardian_pid=7, boot_id="b", timestep0=2**33)
    db.write(lambda c: attempts.put(c, attempt))
    db.write(lambda c: attempts.put(c, attempt))
    db.write(lambda c: attempts.finish(c, run_id, 1, CREATED_AT, {"exit_code": None, "signal": 9}))
    (stored,) = db.read(lambda c: attempts.list_for_run(c, run_id))
    assert stored == db.read(lambda c: attempts.find(c, run_id, 1))
    assert (stored.exit, stored.ended_at, stored.timestep0) == (
        {"exit_code": None, "signal": 9},
        CREATED_AT,
        2**33,
    )
    assert db.read(lambda c: attempts.find(c, run_id, 2)) is None


def test_a_meta_value_is_overwritten(db: Any) -> None:
    assert db.read(lambda c: meta.find(c, "boot")) is None
    db.write(lambda c: meta.put(c, "boot", {"id": "a"}))
    db.write(lambda c: meta.put(c, "boot", {"id": "b"}))
    assert db.read(lambda c: meta.find(c, "boot")) == {"id": "b"}


def test_a_reader_cannot_write(db: Any) -> None:
    with pytest.raises(sa.exc.DBAPIError, match=r"readonly|read-only"):
        db.read(lambda c: c.execute(sa.text("DELETE FROM runs")))


def test_readers_and_writers_work_in_parallel(db: Any, run_id: str) -> None:
    async def both() -> list[int]:
        append = lambda c: events.append(c, run_id, LOG, "x")  # noqa: E731
        newest = lambda c: events.newest_id(c, run_id)  # noqa: E731
        jobs = [db.database.write(append) if i % 2 else db.database.read(newest) for i in range(100)]
        await asyncio.gather(*jobs)
        return [len(await db.database.read(lambda c: events.list_page(c, run_id)))]

    assert db.run(both()) == [50]


def test_a_reopened_database_contains_the_written_rows(db: Any, where: Any, run_id: str) -> None:
    db.run(db.database.close())

    async def look() -> str:
        again = Database(where)
        await again.migrate()
        try:
            return (await again.read(lambda c: runs.get(c, run_id))).name
        finally:
            await again.close()

    assert db.run(look()) == "r"
