"""The queue with 200 and 2,000 waiting runs: reading it, moving a run to the front, and one look for runs to start."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2

from bench.figures import Figure, at_most
from bench.servers import lab_process, quantile
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.runs.creation import new_run
from rl_lab.store import runs
from rl_lab.store.sql import meta
from rl_lab.store.sql.database import Database

SIZES = {200: 100, 2000: 250}
"""Waiting runs, and the most milliseconds of a request."""
REQUESTS = 100


def figures() -> list[Figure]:
    return [figure for count, bar_ms in SIZES.items() for figure in figures_of(count, bar_ms)]


def figures_of(count: int, bar_ms: float) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="rl-lab-bench-") as folder:
        home = Path(folder)
        entered_s = asyncio.run(fill(home, count))
        with lab_process(home) as lab, lab.client() as client:
            waiting = read(client)["waiting"]
            assert len(waiting) == count
            reads = measure(lambda: read(client))
            last, places = waiting[-1]["run_id"], itertools.cycle((1, 2))
            moves = measure(lambda: move(client, last, next(places)))
    name = f"{count:,} waiting runs"
    return [
        at_most(f"{name}: `GET /api/queue`, p99", quantile(reads, 0.99), bar_ms, " ms"),
        at_most(
            f"{name}: a run moved, with the new queue as answer, p99", quantile(moves, 0.99), bar_ms, " ms"
        ),
        at_most(f"{name}: a run enters the queue, mean", entered_s / count * 1000, 20, " ms"),
    ]


def measure(act: Callable[[], Any]) -> list[float]:
    times = []
    for _ in range(REQUESTS):
        began = time.perf_counter()
        act()
        times.append((time.perf_counter() - began) * 1000)
    return times


def read(client: httpx2.Client) -> dict[str, Any]:
    answer = client.get("/api/queue")
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found


def move(client: httpx2.Client, run_id: str, place: int) -> None:
    client.post("/api/queue/moves", json={"run_id": run_id, "to": place}).raise_for_status()


async def fill(home: Path, count: int) -> float:
    """A paused queue of four studies and single runs; returns the seconds that entering took."""
    database = Database(home)
    await database.migrate()
    await database.write(lambda conn: meta.put(conn, "queue_paused", True))
    new = [made(number) for number in range(count)]
    await database.write(lambda conn: runs.insert_all(conn, new))
    began = time.perf_counter()
    for run in new:
        await database.write(
            lambda conn, run=run: runs.change_status(  # type: ignore[misc]
                conn, run.id, expected=RunStatus.created, to=RunStatus.queued
            )
        )
    took_s = time.perf_counter() - began
    await database.close()
    return took_s


def made(number: int) -> Run:
    config = TrainConfig(algorithm="ppo", env_id="CartPole-v1", runner="turbo", params={"n_envs": 32})
    run = new_run(config, name=f"run {number}")
    return run.model_copy(update={"study_id": f"study{number % 4}" if number % 5 else None})
