"""`GET /api/runs` over 10,000 runs: plain, filtered, searched, sorted and deep pages.

python -m bench.api_list [--runs 10000] [--requests 200]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import select
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2

from rl_lab.core.jobs import TrainConfig
from rl_lab.core.runs import Progress, Run, RunStatus, Summary
from rl_lab.store import runs
from rl_lab.store.database import Database

BAR_MS = 50.0
ENVIRONMENTS = ("CartPole-v1", "LunarLander-v3", "BipedalWalker-v3", "Acrobot-v1", "FrozenLake-v1")
ALGORITHMS = ("ppo", "dqn", "a2c", "sac", "td3")
QUERIES: dict[str, dict[str, Any]] = {
    "newest 50": {},
    "newest 200": {"limit": 200},
    "one environment": {"env_id": "LunarLander-v3"},
    "two filters": {"env_id": "CartPole-v1", "algorithm": "ppo", "status": "failed"},
    "searched": {"q": "lunar 77"},
    "tagged": {"tag": "night"},
    "by mean reward": {"sort": "-mean_reward"},
    "by name": {"sort": "name"},
}


def fill(home: Path, count: int) -> None:
    """Runs as a year of work would leave them."""

    async def work() -> None:
        database = Database(home)
        await database.migrate()
        for first in range(0, count, 1000):
            await database.write(
                lambda conn, first=first: [
                    runs.insert(conn, made(i)) for i in range(first, min(first + 1000, count))
                ]
            )
        await database.close()

    asyncio.run(work())


def made(number: int) -> Run:
    draw = random.Random(number)
    env, algorithm = draw.choice(ENVIRONMENTS), draw.choice(ALGORITHMS)
    born = datetime.now(UTC) - timedelta(minutes=10 * number)
    config = TrainConfig(algorithm=algorithm, env_id=env, seed=number, params={"learning_rate": 3e-4})
    progress = Progress(
        timestep=100_000, total_timesteps=100_000, fraction=1.0, elapsed_s=draw.random() * 900
    )
    sparkline = [draw.random() for _ in range(40)]
    return Run(
        id=f"{number:012d}",
        name=f"{algorithm} {env} {number}",
        status=draw.choice([RunStatus.succeeded, RunStatus.failed, RunStatus.stopped]),
        config=config,
        tags=["night"] if number % 50 == 0 else [],
        progress=progress,
        summary=Summary(mean_reward=draw.gauss(100, 50), best_reward=200.0, sparkline=sparkline),
        created_at=born,
        updated_at=born,
    )


def measure(client: httpx2.Client, query: dict[str, Any], requests: int) -> list[float]:
    """Milliseconds of each request, every second one of them a page further on."""
    found, cursor = [], None
    for number in range(requests):
        page = {**query, "cursor": cursor} if cursor and number % 2 else query
        started = time.perf_counter()
        answer = client.get("/api/runs", params=page)
        found.append((time.perf_counter() - started) * 1000)
        assert answer.status_code == 200, answer.text
        cursor = answer.json()["next_cursor"]
    return sorted(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--requests", type=int, default=200)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        fill(home, wanted.runs)
        process = start(home)
        try:
            url = read_url(process)
            headers = {"Authorization": f"Bearer {(home / 'token').read_text().strip()}"}
            with httpx2.Client(base_url=url, headers=headers, trust_env=False) as client:
                report(client, wanted.requests)
        finally:
            process.terminate()
            process.communicate(timeout=20)


def report(client: httpx2.Client, requests: int) -> None:
    print(f"{'GET /api/runs':24} {'p50 ms':>8} {'p99 ms':>8}   bar {BAR_MS:.0f} ms")
    for name, query in QUERIES.items():
        times = measure(client, query, requests)
        p50, p99 = times[len(times) // 2], times[int(len(times) * 0.99) - 1]
        print(f"{name:24} {p50:8.1f} {p99:8.1f}   {'reached' if p99 < BAR_MS else 'MISSED'}")


def start(home: Path, **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "rl_lab.cli.main", "serve", "--port", "0", "--no-browser"],
        env=dict(os.environ, RL_LAB_HOME=str(home), PYTHONUNBUFFERED="1", **more),
        stdout=subprocess.PIPE,
        text=True,
    )


def read_url(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    readable, _, _ = select.select([process.stdout], [], [], 30)
    assert readable, "the lab did not start within 30 s"
    return process.stdout.readline().split()[-1]


if __name__ == "__main__":
    main()
