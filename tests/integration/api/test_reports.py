"""The report of a real run: pictures of the agent, versions, checksums and the command that repeats it."""

from __future__ import annotations

from typing import Any

import pytest
from support.server import Server
from support.waiting import DEADLINE_S


@pytest.fixture(scope="module")
def trained(shared_server: Server) -> dict[str, Any]:
    wanted = {
        "env_id": "CartPole-v1",
        "algorithm": "ppo",
        "runner": "turbo",
        "total_timesteps": 4000,
        "seed": 448_000_001,
        "evaluate_after": 0,
        "start": True,
    }
    run = shared_server.client.post("/api/runs", json=wanted).json()
    return shared_server.wait(run["id"], "succeeded")


def test_the_page_shows_the_first_and_the_best_episode(
    shared_server: Server, trained: dict[str, Any]
) -> None:
    answer = shared_server.client.get(
        f"/api/runs/{trained['id']}/report", params={"format": "html"}, timeout=DEADLINE_S
    )
    assert answer.status_code == 200
    assert answer.text.count("data:image/jpeg;base64,") == 12
    assert "First episode: number 0" in answer.text
    assert "img-src data:" in answer.headers["content-security-policy"]


def test_json_says_how_to_repeat_the_run(shared_server: Server, trained: dict[str, Any]) -> None:
    setup = shared_server.client.get(f"/api/runs/{trained['id']}/report").json()["setup"]
    assert setup["command"] == (
        "rl-lab train CartPole-v1 --algorithm ppo --runner turbo --preset fast --timesteps 4000 "
        "--seed 448000001 --evaluate 0"
    )
    assert {"python", "rl-lab", "gymnasium"} <= set(setup["versions"])
    assert setup["hardware"]["cpu"]
    assert all(len(file["sha256"]) == 64 for file in setup["files"])
    assert any(file["path"].startswith("checkpoints/") for file in setup["files"])
