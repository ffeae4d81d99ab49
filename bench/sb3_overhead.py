"""What the lab costs an SB3 learner: steps/s of its worker with full telemetry ÷ the same script on bare SB3.

Interleaved pairs, each side in a process of its own; prints one JSON line with the median ratio (bar: ≥ 0.97).
`cpu_ratio` compares the processor time of the whole processes, start-up included: steadier on a busy machine.
Usage: python bench/sb3_overhead.py [--pairs 5] [--timesteps 40960]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rl_lab.core import events
from rl_lab.core.protocol import parse_line
from rl_lab.core.runners import complete_params
from rl_lab.runners.sb3 import Sb3Runner

ENVIRONMENT = "CartPole-v1"
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


def main() -> None:
    arguments = parse_arguments()
    pairs: list[tuple[float, float]] = []
    cpu_ratios: list[float] = []
    for number in range(arguments.pairs):
        sides = [bare_speed, lab_speed] if number % 2 == 0 else [lab_speed, bare_speed]
        speeds, seconds = {}, {}
        for side in sides:
            before = cpu_seconds()
            speeds[side] = side(arguments.timesteps, arguments.n_envs)
            seconds[side] = cpu_seconds() - before
        pairs.append((speeds[lab_speed], speeds[bare_speed]))
        cpu_ratios.append(seconds[bare_speed] / seconds[lab_speed])
        print(f"pair {number + 1}: lab {pairs[-1][0]:.0f}, bare {pairs[-1][1]:.0f} steps/s", file=sys.stderr)
    ratios = [lab / bare for lab, bare in pairs]
    result = {
        "bench": "sb3_overhead",
        "ratio": round(statistics.median(ratios), 4),
        "bar": 0.97,
        "cpu_ratio": round(statistics.median(cpu_ratios), 4),
        "ratios": [round(r, 4) for r in ratios],
        "lab_steps_per_s": round(statistics.median(p[0] for p in pairs)),
        "bare_steps_per_s": round(statistics.median(p[1] for p in pairs)),
        "timesteps": arguments.timesteps,
        "n_envs": arguments.n_envs,
    }
    print(json.dumps(result))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--timesteps", type=int, default=40_960)
    parser.add_argument("--n-envs", type=int, default=1)
    return parser.parse_args()


def bare_speed(timesteps: int, n_envs: int) -> float:
    command = [sys.executable, "-c", BARE, str(timesteps), str(n_envs)]
    done = subprocess.run(command, env=environment(), capture_output=True, check=True)
    return float(json.loads(done.stdout))


def lab_speed(timesteps: int, n_envs: int) -> float:
    """From the first step to the end of learning, by the worker's own clock: checkpoints and metrics included."""
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "job.json"
        job.write_text(json.dumps(job_of(folder, timesteps, n_envs)))
        command = [sys.executable, "-m", "rl_lab.worker", str(job)]
        done = subprocess.run(
            command, env=environment(), capture_output=True, check=True, stdin=subprocess.DEVNULL
        )
    said = [parse_line(line) for line in done.stdout.splitlines()]
    first = next(e for e in said if isinstance(e, events.Status) and e.state == "progress")
    last = [e for e in said if isinstance(e, events.Checkpoint)][-1]
    assert first.t is not None and last.t is not None
    return (last.timestep - (first.timestep or 0)) / (last.t - first.t)


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
    """Processor time of all processes ended so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def environment() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1"}


if __name__ == "__main__":
    main()
