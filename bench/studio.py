"""A separate lab for a bench, with a client and the CPU time of its processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import psutil

WAIT_S = 300.0


@dataclass
class Lab:
    home: Path
    url: str
    token: str
    process: psutil.Process
    client: httpx2.Client

    def train(self, **wanted: Any) -> str:
        body = {"algorithm": "ppo", "runner": "sb3", "seed": 1, "evaluate_after": 0, "start": True, **wanted}
        return str(self.client.post("/api/runs", json=body).raise_for_status().json()["id"])

    def wait(self, run_id: str, *states: str) -> None:
        deadline = time.monotonic() + WAIT_S
        while (run := self.client.get(f"/api/runs/{run_id}").json())["status"] not in states:
            if run["status"] == "failed" or time.monotonic() > deadline:
                raise RuntimeError(f"{run['status']}: {run['reason']}")
            time.sleep(0.1)

    def worker(self, run_id: str) -> psutil.Process:
        """The worker process of the run."""
        for process in psutil.process_iter(["cmdline"]):
            argv = process.info["cmdline"] or ()
            if "rl_lab.worker" in argv and any(run_id in argument for argument in argv):
                return process
        raise RuntimeError("The worker process was not found.")

    def cpu_s(self) -> float:
        used = self.process.cpu_times()
        return float(used.user + used.system)


@contextmanager
def open_lab() -> Iterator[Lab]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        process = subprocess.Popen(
            [sys.executable, "-m", "rl_lab.cli.main", "serve", "--port", "0", "--no-browser"],
            env={
                **os.environ,
                "RL_LAB_HOME": str(home),
                "RL_LAB_MIN_FREE_BYTES": "0",
                "PYTHONUNBUFFERED": "1",
            },
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            url = _read_url(process)
            token = (home / "token").read_text().strip()
            headers = {"Authorization": f"Bearer {token}"}
            with httpx2.Client(base_url=url, headers=headers, trust_env=False, timeout=60) as client:
                lab = Lab(home, url, token, psutil.Process(process.pid), client)
                yield lab
                _stop_runs(lab)
        finally:
            process.terminate()
            process.communicate(timeout=20)


def _read_url(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if "http://" not in line:
        raise RuntimeError(f"The lab printed {line!r} instead of its address.")
    return "http://" + line.split("http://", 1)[1].strip()


def _stop_runs(lab: Lab) -> None:
    for run in lab.client.get("/api/runs", params={"status": "running"}).json()["items"]:
        lab.client.post(f"/api/runs/{run['id']}/stop")
        lab.wait(run["id"], "stopped", "succeeded")
