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


def test_a_comparison_has_a_report_in_three_forms(shared_server: Server, trained: dict[str, Any]) -> None:
    other = shared_server.create(total_timesteps=4000, seed=2, start=True)
    shared_server.wait(other["id"], "succeeded")
    ids = [trained["id"], other["id"]]
    asked = {"runs": ids}
    page = shared_server.client.get("/api/compare/report", params={**asked, "format": "html"})
    assert page.headers["content-type"].startswith("text/html")
    assert "sandbox" in page.headers["content-security-policy"]
    assert "<svg" in page.text and "448000001" in page.text
    found = shared_server.client.get("/api/compare/report", params=asked).json()
    assert [run["run_id"] for run in found["runs"]] == ids
    assert found["runs"][0]["command"].startswith("rl-lab train CartPole-v1 --algorithm ppo --runner turbo")
    assert "algorithm" in [setting["name"] for setting in found["differing"]]
    assert {"python", "rl-lab"} <= set(found["versions"])
    text = shared_server.client.get("/api/compare/report", params={**asked, "format": "text"}).text
    assert "How to repeat it" in text


def test_a_comparison_without_a_training_is_refused(shared_server: Server, trained: dict[str, Any]) -> None:
    job = shared_server.client.post(f"/api/runs/{trained['id']}/films", json={"scenes": 1}).json()
    answer = shared_server.client.get("/api/compare/report", params={"runs": [job["id"]]})
    assert answer.status_code == 422
    assert "None of these runs is a training" in answer.json()["detail"]
    shared_server.wait(job["id"], "succeeded", "failed")
