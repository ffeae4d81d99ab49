"""The overhead of recording for a learner, and the disk space of a recorded step.

    python -m bench.recording [--pairs 4] [--timesteps 20480]

Speed: SB3 PPO workers on CartPole with recording on and off, alternating, pinned to one core. The ratio compares the
best speeds of each side, in steps per second of the worker's CPU time, because other programs only slow it down. The
ratio of wall times is printed as well. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from bench.figures import Figure, at_least, at_most
from bench.studio import Lab, open_lab
from rl_lab.core.runners import complete_params
from rl_lab.runners.sb3 import Sb3Runner

SPEED_BAR, BYTES_BAR = 0.98, 3.0
STORED_STEPS = 40_000
STORED_ENVIRONMENTS = ("CartPole-v1", "LunarLander-v3")


class Speed(NamedTuple):
    by_cpu: float
    by_clock: float


def measure(pairs: int = 4, timesteps: int = 20_480) -> dict[str, Any]:
    speeds: dict[bool, list[Speed]] = {True: [], False: []}
    for number in range(pairs):
        for record in (True, False) if number % 2 else (False, True):
            speeds[record].append(worker_speed(timesteps, record))
    on, off = speeds[True], speeds[False]
    return {
        "bench": "recording",
        "ratio": round(max(s.by_cpu for s in on) / max(s.by_cpu for s in off), 4),
        "ratio_by_clock": round(max(s.by_clock for s in on) / max(s.by_clock for s in off), 4),
        "bar": SPEED_BAR,
        "steps_per_cpu_s": {
            "on": [round(s.by_cpu) for s in on],
            "off": [round(s.by_cpu) for s in off],
        },
        "bytes_per_step": stored_bytes(),
        "bytes_bar": BYTES_BAR,
    }


def worker_speed(timesteps: int, record: bool) -> Speed:
    """Speed between the first progress event and the last checkpoint event of the worker."""
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "job.json"
        job.write_text(json.dumps(job_of(folder, timesteps, record)))
        process = subprocess.Popen(
            [sys.executable, "-m", "rl_lab.worker", str(job)],
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        worker = psutil.Process(process.pid)
        worker.cpu_affinity([0])
        marks = []
        assert process.stdout is not None
        for line in process.stdout:
            event = json.loads(line)
            if event.get("state") == "progress" or event["type"] == "checkpoint":
                used = worker.cpu_times()
                marks.append((event["timestep"], event["t"], used.user + used.system))
        process.wait()
    (step0, clock0, cpu0), (step1, clock1, cpu1) = marks[0], marks[-2]
    return Speed((step1 - step0) / (cpu1 - cpu0), (step1 - step0) / (clock1 - clock0))


def job_of(folder: str, timesteps: int, record: bool) -> dict[str, Any]:
    params = complete_params(Sb3Runner.spec.algorithm("ppo"), None, {"n_steps": 512})
    config = {
        "kind": "train",
        "runner": "sb3",
        "algorithm": "ppo",
        "env_id": "CartPole-v1",
        "seed": 1,
        "params": params,
        "total_timesteps": timesteps,
        "record": record,
    }
    return {"run_id": "bench", "kind": "train", "run_dir": folder, "config": config}


def stored_bytes() -> dict[str, float]:
    """Bytes of recordings in telemetry.db per recorded step: actions, values, probabilities, seeds and headers."""
    with open_lab() as lab:
        return {env_id: round(_stored(lab, env_id), 3) for env_id in STORED_ENVIRONMENTS}


def _stored(lab: Lab, env_id: str) -> float:
    run = lab.train(env_id=env_id, total_timesteps=STORED_STEPS, params={"n_epochs": 1})
    lab.wait(run, "succeeded")
    with closing(sqlite3.connect(lab.home / "runs" / run / "telemetry.db")) as conn:
        (size,) = conn.execute(
            "SELECT (SELECT total(length(payload)) FROM recording_chunks)"
            " + (SELECT total(length(payload)) FROM recordings)"
        ).fetchone()
        (steps,) = conn.execute("SELECT total(length) FROM episodes WHERE recorded = 1").fetchone()
    return float(size) / float(steps)


def figures() -> list[Figure]:
    found = measure()
    stored = [
        at_most(f"stored bytes per recorded step, {env_id}", size, BYTES_BAR)
        for env_id, size in found["bytes_per_step"].items()
    ]
    return [at_least("training speed with recording ÷ without", found["ratio"], SPEED_BAR), *stored]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--timesteps", type=int, default=20_480)
    wanted = parser.parse_args()
    print(json.dumps(measure(wanted.pairs, wanted.timesteps)))


if __name__ == "__main__":
    main()
