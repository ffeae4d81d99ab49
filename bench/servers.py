"""A lab in its own process, which the benches measure from outside, over HTTP."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import psutil

START_S = 60.0
FINAL = frozenset({"succeeded", "failed", "stopped", "lost"})


@dataclass(frozen=True)
class LabProcess:
    url: str
    token: str
    pid: int
    started_s: float
    """From the start of the process to its first healthy response."""

    @contextmanager
    def client(self) -> Iterator[httpx2.Client]:
        headers = {"Authorization": f"Bearer {self.token}"}
        with httpx2.Client(base_url=self.url, headers=headers, trust_env=False, timeout=60) as client:
            yield client

    def cpu_s(self) -> float:
        used = psutil.Process(self.pid).cpu_times()
        return float(used.user + used.system)

    def memory_mb(self) -> float:
        return float(psutil.Process(self.pid).memory_info().rss / 1e6)


@contextmanager
def lab_process(home: Path, **variables: str) -> Iterator[LabProcess]:
    """`rl-lab serve` on a free port with this home folder; stopped at the end of the block."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "rl_lab.cli.main", "serve", "--port", "0", "--no-browser"],
        env={
            **os.environ,
            "RL_LAB_HOME": str(home),
            "RL_LAB_ALLOW_ROOT": "1",
            "PYTHONUNBUFFERED": "1",
            **variables,
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        url = _read_url(process)
        with httpx2.Client(base_url=url, trust_env=False) as client:
            client.get("/api/health").raise_for_status()
        seconds = time.perf_counter() - began
        yield LabProcess(url, (home / "token").read_text().strip(), process.pid, seconds)
    finally:
        process.terminate()
        process.communicate(timeout=30)


def _read_url(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    readable, _, _ = select.select([process.stdout], [], [], START_S)
    assert readable, f"the lab did not start within {START_S:.0f} s"
    return process.stdout.readline().split()[-1]


def start_run(client: httpx2.Client, **wanted: Any) -> str:
    """Starts a run of the toy learner; returns its id."""
    body = {"env_id": "CartPole-v1", "algorithm": "toy", "runner": "fake", "seed": 1, "evaluate_after": 0}
    return str(
        client.post("/api/runs", json={**body, "start": True, **wanted}).raise_for_status().json()["id"]
    )


def wait_for(client: httpx2.Client, run_id: str, states: frozenset[str], timeout_s: float = 120.0) -> None:
    deadline = time.monotonic() + timeout_s
    while (status := client.get(f"/api/runs/{run_id}").json()["status"]) not in states:
        assert time.monotonic() < deadline, f"run {run_id} is still {status}"
        time.sleep(0.1)


def quantile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
