"""The lab's overhead for an SB3 learner: steps/s of its worker with full telemetry ÷ the same script on bare SB3.

Interleaved pairs, each side in its own process; the result is the median of the ratios. The second figure compares the
CPU time of the whole processes, including start-up, which is more stable on a busy machine.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench.figures import Figure, at_least
from bench.worker_speed import worker_speed
from rl_lab.core.runners import complete_params
from rl_lab.runners.sb3 import Sb3Runner

ENVIRONMENT = "CartPole-v1"
PAIRS, TIMESTEPS, N_ENVS, BAR = 5, 20_480, 1, 0.97
SEED = 1
BARE = """
import json, sys, time
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env
torch.set_num_threads(1)
timesteps, n_envs = int(sys.argv[1]), int(sys.argv[2])
model = PPO("MlpPolicy", make_vec_env("CartPole-v1", n_envs=n_envs, seed=1), seed=1, device="cpu")
began = time.perf_counter()
model.learn(timesteps)
print(json.dumps(model.num_timesteps / (time.perf_counter() - began)))
"""


def figures() -> list[Figure]:
    pairs = [measure_pair(lab_first=number % 2 == 1) for number in range(PAIRS)]
    speed = statistics.median(pair.lab_speed / pair.bare_speed for pair in pairs)
    work = statistics.median(pair.bare_cpu_s / pair.lab_cpu_s for pair in pairs)
    lab, bare = (
        statistics.median(getattr(pair, side) for pair in pairs) for side in ("lab_speed", "bare_speed")
    )
    return [
        at_least(
            f"SB3 PPO CartPole-v1 with full telemetry ÷ bare SB3 (median of {PAIRS} pairs; {lab:,.0f} and {bare:,.0f} "
            "steps/s)",
            speed,
            BAR,
        ),
        at_least("the same as CPU time, including the start of the processes (bare ÷ lab)", work, 0.9),
    ]


@dataclass(frozen=True)
class Pair:
    lab_speed: float
    bare_speed: float
    lab_cpu_s: float
    bare_cpu_s: float


def measure_pair(lab_first: bool) -> Pair:
    if lab_first:
        lab, bare = measure(lab_speed), measure(bare_speed)
    else:
        bare, lab = measure(bare_speed), measure(lab_speed)
    return Pair(lab[0], bare[0], lab[1], bare[1])


def measure(side: Callable[[int, int], float]) -> tuple[float, float]:
    """Steps per second, and CPU seconds of the whole process."""
    before = cpu_seconds()
    return side(TIMESTEPS, N_ENVS), cpu_seconds() - before


def bare_speed(timesteps: int, n_envs: int) -> float:
    command = [sys.executable, "-c", BARE, str(timesteps), str(n_envs)]
    done = subprocess.run(command, env=environment(), capture_output=True, check=True)
    return float(json.loads(done.stdout))


def lab_speed(timesteps: int, n_envs: int) -> float:
    """Including checkpoints and metrics."""
    return worker_speed(lambda folder: job_of(folder, timesteps, n_envs), environment())


def job_of(folder: str, timesteps: int, n_envs: int) -> dict[str, Any]:
    params = complete_params(Sb3Runner.spec.algorithm("ppo"), None, {"n_envs": n_envs})
    config = {"kind": "train", "runner": "sb3", "algorithm": "ppo", "env_id": ENVIRONMENT}
    return {
        "run_id": "bench",
        "kind": "train",
        "run_dir": folder,
        "config": {**config, "total_timesteps": timesteps, "seed": SEED, "params": params},
    }


def cpu_seconds() -> float:
    """CPU time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def environment() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1"}
