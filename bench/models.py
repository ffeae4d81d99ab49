"""`GET /api/checkpoints` over 10,000 checkpoints of 500 runs: plain, filtered, searched, sorted and deep pages."""

from __future__ import annotations

import asyncio
import random
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert

from bench.api_list import made, measure
from bench.figures import Figure, at_most
from bench.servers import lab_process, quantile
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.models.checkpoints import Score
from rl_lab.core.runs import Run
from rl_lab.store import artifacts, runs
from rl_lab.store.sql import tables
from rl_lab.store.sql.database import Database

RUNS, PER_RUN, REQUESTS, BAR_MS = 500, 20, 200, 100.0
QUERIES: dict[str, dict[str, Any]] = {
    "newest 50": {},
    "newest 200": {"limit": 200},
    "by return": {"sort": "score"},
    "by return, 200": {"sort": "score", "limit": 200},
    "by size": {"sort": "size", "order": "asc"},
    "by environment": {"sort": "env_id"},
    "one environment": {"env_id": "LunarLander-v3", "sort": "score"},
    "two filters": {"env_id": "CartPole-v1", "algorithm": "ppo", "role": "best"},
    "at least": {"min_score": 150, "sort": "timestep"},
    "searched": {"q": "lunar 77"},
    "tagged": {"tag": "good"},
    "unnamed": {"named": False, "sort": "score"},
}


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="rl-lab-bench-") as folder:
        home = Path(folder)
        fill(home)
        with lab_process(home) as lab, lab.client() as client:
            measure(client, {}, 20, "/api/checkpoints")  # opens connections and compiles statements
            found = {
                name: measure(client, query, REQUESTS, "/api/checkpoints") for name, query in QUERIES.items()
            }
    every = [time for times in found.values() for time in times]
    slowest = max(found, key=lambda name: quantile(found[name], 0.99))
    title = f"10,000 checkpoints: `GET /api/checkpoints`, p99 over {len(QUERIES)} queries"
    return [
        at_most(title, quantile(every, 0.99), BAR_MS, " ms"),
        at_most(f"the slowest of them ({slowest}), p99", quantile(found[slowest], 0.99), BAR_MS, " ms"),
    ]


def fill(home: Path) -> None:
    async def work() -> None:
        database = Database(home)
        await database.migrate()
        await database.write(put_all)
        await database.close()

    asyncio.run(work())


def put_all(conn: Connection) -> None:
    for number in range(RUNS):
        run, draw = made(number), random.Random(number)
        runs.insert(conn, run)
        rows = [checkpoint(run, step, draw).model_dump() for step in range(PER_RUN)]
        conn.execute(insert(tables.artifacts), rows)


def checkpoint(run: Run, step: int, draw: random.Random) -> Artifact:
    is_best, mean = step == PER_RUN - 1, draw.gauss(150, 50)
    path = f"checkpoints/{'best' if is_best else f'step-{5000 * (step + 1):09d}'}.zip"
    evaluation = Score(mean=mean, protocol="evaluation", episodes=10) if is_best else None
    return Artifact(
        id=artifacts.artifact_id(run.id, path),
        run_id=run.id,
        path=path,
        kind="checkpoint",
        role="best" if is_best else "interval",
        timestep=5000 * (step + 1),
        score=draw.gauss(100, 50),
        size=draw.randrange(50_000, 5_000_000),
        sha256=f"{draw.getrandbits(256):064x}",
        created_at=run.created_at + timedelta(seconds=20 * step),
        evaluation=evaluation,
        evaluation_mean=evaluation.mean if evaluation else None,
        tags=["good"] if step == 7 else [],
    )
