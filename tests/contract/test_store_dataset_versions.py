"""Versions of datasets are found by name and by contents, with the trainings that learned from them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from support.datasets import CARTPOLE, put_rows, sample, write_version

from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run
from rl_lab.store import runs
from rl_lab.store.datasets.versions import find_contents, find_manifest, find_version, list_newest

AT = datetime(2026, 1, 2, tzinfo=UTC)


def test_versions_are_found_with_the_trainings_that_learned_from_them(db: Any, tmp_path: Path) -> None:
    first, second = (
        write_version(tmp_path / name, CARTPOLE, sample(CARTPOLE, episodes))
        for name, episodes in (("one", 2), ("two", 3))
    )
    db.write(lambda conn: [put_rows(conn, "Expert", n, m) for n, m in ((1, first), (2, second))])
    chosen = DatasetChoice(name="Expert", version=1, sha256=first.sha256)
    config = TrainConfig(runner="offline", algorithm="bc", env_id="CartPole-v1", dataset=chosen)
    run = Run(id="offlinerun00", name="bc", config=config, created_at=AT, updated_at=AT)
    db.write(lambda conn: runs.insert(conn, run))

    newest = db.read(lambda conn: find_version(conn, "expert"))
    assert (newest.name, newest.version, newest.episodes, newest.learned_by) == ("Expert", 2, 3, 0)
    older = db.read(lambda conn: find_version(conn, "Expert", 1))
    assert (older.sha256, older.learned_by, older.integrity) == (first.sha256, 1, "intact")
    assert older.action_space == CARTPOLE["action_space"] and older.reference.high == 50
    assert db.read(lambda conn: find_version(conn, "Expert", 3)) is None
    assert db.read(lambda conn: find_version(conn, "Novice")) is None
    assert db.read(lambda conn: find_contents(conn, first.sha256)).version == 1
    assert db.read(lambda conn: find_manifest(conn, "Expert", 2)) == second
    assert [(one.name, one.version) for one in db.read(list_newest)] == [("Expert", 2)]
