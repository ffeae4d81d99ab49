"""The overhead of capture: steps/s of a single-file PPO script under capture, with recording, ÷ the same script bare.

The pairs are interleaved and each run is a separate process. The better of three runs counts for each side, because on
a shared machine the bare script varies by a third between runs; the result is the median of the ratios. The last
figure is the time until a running lab has the script's arguments and event file ÷ the same time without the lab.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import rl_lab
from bench.figures import Figure, at_least, at_most
from bench.servers import lab_process

SCRIPT = Path(__file__).resolve().parents[1] / "tests" / "scripts" / "ppo_cartpole.py"
START = Path(rl_lab.__file__).parent / "capture" / "start.py"
PAIRS, TRIES, TIMESTEPS, ONE_UPDATE = 5, 3, 16_384, 512
SPEED_BAR, START_BAR = 0.97, 1.3
DEADLINE_S = 60.0


def figures() -> list[Figure]:
    pairs = [measure_pair(captured_first=number % 2 == 1) for number in range(PAIRS)]
    speed = statistics.median(captured / bare for captured, bare in pairs)
    ours, theirs = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    return [
        at_least(
            f"PPO script on CartPole-v1 under capture with recording ÷ bare (median of {PAIRS} pairs, the better of "
            f"{TRIES} runs each; {ours:,.0f} and {theirs:,.0f} steps/s)",
            speed,
            SPEED_BAR,
        ),
        at_most(
            "`rl-lab run` at a running lab to the script's first event ÷ bare to the same point",
            statistics.median(measure_waits()),
            START_BAR,
        ),
    ]


def measure_pair(captured_first: bool) -> tuple[float, float]:
    """Steps per second under capture and bare; the runs of both sides alternate."""
    best = {True: 0.0, False: 0.0}
    for _ in range(TRIES):
        for is_captured in (captured_first, not captured_first):
            best[is_captured] = max(best[is_captured], run_script(TIMESTEPS, is_captured))
    return best[True], best[False]


def run_script(timesteps: int, is_captured: bool) -> float:
    """Steps per second, as counted by the script."""
    argv = [str(SCRIPT), "--total-timesteps", str(timesteps)]
    with tempfile.TemporaryDirectory() as folder:
        if is_captured:
            job = Path(folder) / "job.json"
            job.write_text(json.dumps({"run_id": "bench", "run_dir": folder, "config": {"kind": "train"}}))
            argv = [str(START), str(job), "--", *argv]
        done = subprocess.run(
            [sys.executable, *argv],
            cwd=folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
        )
    found = re.search(rb"SPS (\d+)", done.stderr if is_captured else done.stdout)
    assert found is not None
    return float(found[1])


def measure_waits() -> list[float]:
    """Ratios of interleaved pairs at a running lab that has seen the script before."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        with lab_process(home):
            time_to_first_event(home)
            return [time_to_first_event(home) / time_to_first_sign() for _ in range(PAIRS)]


def time_to_first_sign() -> float:
    """Seconds until the bare script has opened its event file: everything is imported and the arguments are parsed."""
    with tempfile.TemporaryDirectory() as folder:
        return time_until(
            [sys.executable, str(SCRIPT), "--total-timesteps", str(ONE_UPDATE)],
            lambda: any(Path(folder).glob("runs/*/events.out.tfevents.*")),
            folder,
        )


def time_to_first_event(home: Path) -> float:
    """Seconds until the script has opened its file in the run's folder, and the lab's journal has its arguments."""
    before = set(home.glob("runs/*"))
    command = [str(Path(sys.executable).parent / "rl-lab"), "run", "--yes", "--", sys.executable, str(SCRIPT)]

    def is_there() -> bool:
        fresh = set(home.glob("runs/*")) - before
        return any(
            any(run.glob("files/runs/*/events.out.tfevents.*"))
            and any(b'"config"' in part.read_bytes() for part in run.glob("attempts/1/journal/*.jsonl"))
            for run in fresh
        )

    argv = [*command, "--total-timesteps", str(ONE_UPDATE)]
    return time_until(argv, is_there, str(home), RL_LAB_HOME=str(home))


def time_until(command: list[str], is_there: Callable[[], bool], folder: str, **variables: str) -> float:
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**environment(), **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with process:
        while not is_there():
            assert process.poll() is None and time.perf_counter() - began < DEADLINE_S, "no event arrived"
            time.sleep(0.002)
        took = time.perf_counter() - began
        process.wait(DEADLINE_S)
    return took


def environment() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1"}
