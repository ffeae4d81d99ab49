"""Steps per second of one training in a worker process, without a server."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rl_lab.core.protocol import events
from rl_lab.core.protocol.lines import parse_line


def worker_speed(job_in: Callable[[str], dict[str, Any]], variables: Mapping[str, str]) -> float:
    """By the worker's clock; `job_in` makes the job for a folder."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rl_lab.worker", str(write_job(folder, job_in))]
        done = subprocess.run(
            command, env=dict(variables), capture_output=True, check=True, stdin=subprocess.DEVNULL
        )
    return speed_of(done.stdout, lambda first, last: last - first)


def write_job(folder: str, job_in: Callable[[str], dict[str, Any]]) -> Path:
    job = Path(folder) / "job.json"
    job.write_text(json.dumps(job_in(folder)))
    return job


def speed_of(sent: bytes, seconds: Callable[[float, float], float]) -> float:
    """From the first report to the last checkpoint; `seconds`: how long it was between two moments."""
    found = [parse_line(line) for line in sent.splitlines()]
    first = next(e for e in found if isinstance(e, events.StatusEvent) and e.state == "progress")
    last = [e for e in found if isinstance(e, events.CheckpointEvent)][-1]
    assert first.t is not None and last.t is not None
    return (last.timestep - (first.timestep or 0)) / seconds(first.t, last.t)
