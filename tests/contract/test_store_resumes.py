"""How a run was resumed, from its attempts and its event log: alike on SQLite and PostgreSQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.resuming import Resume
from rl_lab.core.runs import Run
from rl_lab.store import attempts, events, resumes, runs
from rl_lab.store.attempts import Attempt

CREATED_AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
EXACT = "Resumed from step 100; exact: it continues as if it had not been stopped."
INEXACT = "Resumed from step 1,200; not exact: other versions."
OLD = "Resumed from step 3,000; not exact: the environments begin new episodes."


def test_each_resume_is_what_its_worker_reported(db: Any) -> None:
    config = TrainConfig(algorithm="ppo", env_id="CartPole-v1")
    run = Run(id="run", name="run", config=config, created_at=CREATED_AT, updated_at=CREATED_AT)

    def put(conn: Connection) -> None:
        runs.insert(conn, run)
        first = Attempt("run", 1, CREATED_AT)
        attempts.put(conn, first)
        for number, step in enumerate((100, 1200, 3000, 4000), start=2):
            attempts.put(conn, replace(first, number=number, resume_from="checkpoint", timestep0=step))
        events.append(conn, "run", event_log.RESUME_EXACT, EXACT, attempt=2, seq=4)
        events.append(conn, "run", event_log.RESUME_NOT_EXACT, INEXACT, attempt=3, seq=4)
        events.append(conn, "run", event_log.RESUME_NOT_EXACT, OLD)

    db.write(put)
    assert db.read(lambda conn: resumes.list_for_run(conn, "run")) == [
        Resume(100, EXACT, is_exact=True),
        Resume(1200, INEXACT, is_exact=False),
        Resume(3000, OLD, is_exact=False),
        Resume(4000, "Resumed from step 4,000."),
    ]
