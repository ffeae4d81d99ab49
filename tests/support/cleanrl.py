"""A checkout in CleanRL's shape in a folder of its own, and runs of its scripts that were agreed to."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from rl_lab.orchestrator.viewing.recordings import read_recording
from rl_lab.worker.rendering.simulation import Simulation
from support.server import Server, events_of

FINAL = ("succeeded", "failed", "stopped", "lost")
IMITATION = Path(__file__).resolve().parents[1] / "scripts" / "cleanrl"


def make_checkout(folder: Path) -> Path:
    """Our scripts, and one file that is no Python."""
    root = folder / "checkout"
    shutil.copytree(IMITATION, root, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "cleanrl" / "broken.py").write_text("@dataclass\nclass Args:\n    seed: int =\n")
    return root


def wanted(algorithm: str, **changes: Any) -> dict[str, Any]:
    body = {
        "runner": "cleanrl",
        "algorithm": algorithm,
        "env_id": "CartPole-v1",
        "seed": 1,
        "total_timesteps": 2000,
    }
    return {**body, "start": True, **changes}


def agree_and_start(server: Server, body: dict[str, Any]) -> str:
    """Looks at the command, agrees to it, starts it."""
    shown = server.client.post("/api/commands/preview", json=body)
    assert shown.status_code == 200, shown.text
    made = server.client.post("/api/runs", json={**body, "consent": shown.json()["sha256"]})
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def find_runner(server: Server) -> dict[str, Any]:
    found: dict[str, Any] = next(r for r in server.client.get("/api/runners").json() if r["id"] == "cleanrl")
    return found


def finished(server: Server, body: dict[str, Any]) -> dict[str, Any]:
    run = server.wait(agree_and_start(server, body), *FINAL)
    assert run["status"] == "succeeded", run["reason"]
    return run


def episodes_of(server: Server, run: dict[str, Any]) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = server.client.get(
        f"/api/runs/{run['id']}/episodes", params={"limit": 200}
    ).json()["items"]
    return items


def metrics_of(server: Server, run: dict[str, Any]) -> set[str]:
    return set(server.client.get(f"/api/runs/{run['id']}/metrics").json()["series"])


def assert_replays(server: Server, run: dict[str, Any], row: dict[str, Any]) -> None:
    """The recording gives the same return when it is played again in a fresh environment."""
    recording = read_recording(server.home, run["id"], row["episode"])
    simulation = Simulation(recording, render=False)
    returned = 0.0
    while simulation.advance():
        returned += simulation.reward
    assert returned == pytest.approx(row["reward"])
    assert recording.count == row["length"]


def wait_for_step(server: Server, run_id: str, timestep: int) -> None:
    """As told by the run's own stream."""
    with server.client.stream("GET", f"/api/runs/{run_id}/stream") as answer:
        for event in events_of(answer.iter_lines()):
            if event.get("event") == "metrics" and json.loads(event["data"])["timestep"] >= timestep:
                return
    raise AssertionError("it ended before")
