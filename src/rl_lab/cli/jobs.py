"""Waits for jobs (evaluation, fork, duel, film): a progress bar while they run, then their result."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rl_lab.cli.job_progress import open_job_bar
from rl_lab.cli.output import write_file
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

FAILED = 1
HAND_IN_S = 10.0
WAITING = {"created", "queued", "starting"}


def wait_for_job(
    client: LabClient, job: dict[str, Any], label: str, *, quiet: bool = False
) -> dict[str, Any]:
    """Returns the job's run once it has ended. Ctrl-C stops waiting; the job continues."""
    address, total, unit = f"/api/runs/{job['id']}", 0, f"{job['progress']['unit']}s"
    with open_job_bar(label, unit=unit, quiet=quiet) as advance:
        for name, tick in client.stream(f"{address}/stream"):
            if name == "end":
                break
            if name == "metrics":
                # The worker counts its work when it starts, and may count something else later.
                if not total or job["kind"] == "dataset":
                    progress = client.get(address)["progress"]
                    total, unit = progress["total_timesteps"], f"{progress['unit']}s"
                advance(int(tick.get("timestep") or 0), total, unit)
    ended: dict[str, Any] = client.get(address)
    _wait_for_hand_in(client, ended)
    return client.get(address) if ended["parent_id"] is None else ended


def _wait_for_hand_in(client: LabClient, job: dict[str, Any]) -> None:
    """The results are handed over just after the job ends; a lab started by this command must run until then."""
    if job["parent_id"] is None and job["status"] != "succeeded":
        return
    deadline = time.monotonic() + HAND_IN_S
    while time.monotonic() < deadline:
        events = client.get(f"/api/runs/{job['parent_id'] or job['id']}/events", limit=50)["items"]
        if any(_is_hand_in(event, job) for event in events):
            return
        time.sleep(0.1)


def _is_hand_in(event: dict[str, Any], job: dict[str, Any]) -> bool:
    """In the log of the training that a job belongs to, else in its own."""
    if job["parent_id"] is None:
        return event["type"] in (f"{job['kind']}_complete", "follow_up_failed")
    return event["data"].get("run_id") == job["id"] and not event["type"].endswith("_started")


def wait_until_started(client: LabClient, run: dict[str, Any]) -> dict[str, Any]:
    """Waits until a worker process runs it: from then on it does not need this command."""
    last_id = 0
    while run["status"] in WAITING:
        for _, event in client.stream(f"/api/runs/{run['id']}/events", last_id=last_id):
            last_id = event["id"]
            break
        run = client.get(f"/api/runs/{run['id']}")
    return run


def result_of(job: dict[str, Any]) -> dict[str, Any]:
    return job["summary"].get("result") or {}


def print_failure(job: dict[str, Any]) -> int:
    """Prints why a job has no result; returns the exit code."""
    reason = job["reason"] or {}
    print(f"Error: {job['name']} {job['status']}: {reason.get('message', '')}", file=sys.stderr)
    if reason.get("next_step"):
        print(f"Next: {reason['next_step']}", file=sys.stderr)
    return FAILED


def file_of(run_id: str, path: str) -> Path:
    """Path of a run's file."""
    from rl_lab.cli.connection import read_settings

    return read_settings().home_path / "runs" / run_id / path


def copy_out(client: LabClient, artifact_id: str, target: Path) -> None:
    """Downloads an artifact to a file of the user."""
    write_file(target, client.download(artifact_id))
