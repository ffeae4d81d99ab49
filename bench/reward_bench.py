"""The reward bench: 1,000 recorded episodes of LunarLander under an unsaved reward, then again after an edit."""

from __future__ import annotations

import json
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from bench.figures import Figure, at_most
from bench.servers import lab_process

EPISODES, SHOWN = 1000, 50
STEPS = 450_000
"""A training of turbo that ends more than 1,000 episodes; most of them are long."""
TRAINING_S = 600.0
REWARD = """
def reward_function(action, next_obs, reward):
    return {
        "near": -abs(next_obs[0]) - abs(next_obs[1]),
        "fuel": -0.3 if action == 2 else -0.03 if action else 0.0,
        "landing": %s * (reward > 50) - 100.0 * (reward < -50),
    }
"""


@dataclass
class Timed:
    first_s: float
    """Until so many episodes had come that a page shows something."""
    whole_s: float
    steps: int
    simulated: int


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="rl-lab-bench-") as folder:
        home = Path(folder)
        with lab_process(home) as lab, lab.client() as client:
            run_id = train(client)
            cold = measure(client, run_id, REWARD % 100.0)
            warm = measure(client, run_id, REWARD % 200.0)
    assert cold.simulated == EPISODES and warm.simulated == 0
    what = f"reward bench: {EPISODES:,} episodes of LunarLander ({cold.steps:,} steps)"
    return [
        at_most(f"{what}, simulated and scored", cold.whole_s, 10.0, " s"),
        at_most(f"the first {SHOWN} of them, processes started anew", cold.first_s, 1.0, " s"),
        at_most("the same episodes again after an edit of the reward", warm.whole_s, 3.0, " s"),
    ]


def train(client: httpx2.Client) -> str:
    body: dict[str, Any] = {
        "env_id": "LunarLander-v3",
        "runner": "turbo",
        "algorithm": "ppo",
        "total_timesteps": STEPS,
        "seed": 1,
        "evaluate_after": 0,
        "start": True,
    }
    run_id = str(client.post("/api/runs", json=body).raise_for_status().json()["id"])
    deadline = time.monotonic() + TRAINING_S
    while (run := client.get(f"/api/runs/{run_id}").json())["status"] != "succeeded":
        assert run["status"] != "failed" and time.monotonic() < deadline, run["reason"]
        time.sleep(0.5)
    return run_id


def measure(client: httpx2.Client, run_id: str, source: str) -> Timed:
    asked = {"rewards": [{"source": source}], "run_ids": [run_id], "limit": EPISODES}
    began, first_s, count, done = time.perf_counter(), 0.0, 0, {}
    with client.stream("POST", "/api/rewards/bench", json=asked) as answer:
        for line in answer.iter_lines():
            message = json.loads(line)
            assert message["type"] != "problem", message
            if message["type"] == "episodes":
                count += len(message["items"])
                if count >= SHOWN and not first_s:
                    first_s = time.perf_counter() - began
            elif message["type"] == "done":
                done = message
    assert count == EPISODES, count
    return Timed(first_s, time.perf_counter() - began, done["steps"], done["simulated"])
