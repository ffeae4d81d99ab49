"""`GET /api/runs` over 10,000 runs: plain, filtered, searched, sorted and deep pages."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2

from bench.figures import Figure, at_most
from bench.servers import lab_process, quantile
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Progress, Run, RunStatus, Summary
from rl_lab.store import runs
from rl_lab.store.sql.database import Database

RUNS, REQUESTS, BAR_MS = 10_000, 200, 50.0
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
    "by seed": {"sort": "-seed"},
    "by best mean": {"sort": "-best_mean_reward"},
    "by a parameter": {"sort": "params.learning_rate"},
    "parameter below": {"q": "lr<0.001"},
    "parameter equals": {"q": "activation:tanh batch_size:64"},
    "two parameters, sorted": {"q": "lr<0.01 gamma>=0.99", "sort": "-params.learning_rate"},
    "settings of few": {"q": "seed:77,78 lr<0.1"},
}


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="rl-lab-bench-") as folder:
        home = Path(folder)
        fill(home, RUNS)
        with lab_process(home) as lab, lab.client() as client:
            measure(client, {}, 20)  # the first answers open connections and compile statements
            found = {name: measure(client, query, REQUESTS) for name, query in QUERIES.items()}
    every = [time_ for times in found.values() for time_ in times]
    slowest = max(found, key=lambda name: quantile(found[name], 0.99))
    return [
        at_most(
            f"10,000 runs: `GET /api/runs`, p99 over {len(QUERIES)} queries",
            quantile(every, 0.99),
            BAR_MS,
            " ms",
        ),
        at_most(f"the slowest of them ({slowest}), p99", quantile(found[slowest], 0.99), BAR_MS, " ms"),
    ]


def fill(home: Path, count: int) -> None:
    """Creates as many runs as a year of work."""

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
    created_at = datetime.now(UTC) - timedelta(minutes=10 * number)
    config = TrainConfig(algorithm=algorithm, env_id=env, seed=number, params=_params(draw))
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
        summary=Summary(
            mean_reward=draw.gauss(100, 50),
            best_mean_reward=draw.gauss(150, 50),
            best_reward=200.0,
            sparkline=sparkline,
        ),
        created_at=created_at,
        updated_at=created_at,
    )


def _params(draw: random.Random) -> dict[str, Any]:
    """As many as PPO of SB3 has, some of them tuned."""
    tuned = {
        "learning_rate": 10 ** draw.uniform(-5, -1),
        "gamma": draw.choice([0.9, 0.98, 0.99, 0.999]),
        "batch_size": draw.choice([32, 64, 128, 256]),
        "activation": draw.choice(["tanh", "relu"]),
    }
    fixed = {"n_steps": 2048, "n_epochs": 10, "gae_lambda": 0.95, "clip_range": 0.2, "ent_coef": 0.0}
    return {**tuned, **fixed, "vf_coef": 0.5, "max_grad_norm": 0.5, "net_arch": [64, 64], "n_envs": 1}


def measure(
    client: httpx2.Client, query: dict[str, Any], requests: int, address: str = "/api/runs"
) -> list[float]:
    """Milliseconds of each request; every second request gets the next page."""
    found, cursor = [], None
    for number in range(requests):
        page = {**query, "cursor": cursor} if cursor and number % 2 else query
        started = time.perf_counter()
        answer = client.get(address, params=page)
        found.append((time.perf_counter() - started) * 1000)
        assert answer.status_code == 200, answer.text
        cursor = answer.json()["next_cursor"]
    return found
