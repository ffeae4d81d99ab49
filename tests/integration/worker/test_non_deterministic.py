"""Environments that do not repeat themselves: drawn by their worker while watched, replayed without a false claim."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.studio import Studio
from support.viewer import view
from support.waiting import wait_until

ENV = "support.noisy:Noisy-v0"


@pytest.fixture(scope="module")
def noisy(studio: Studio) -> Iterator[str]:
    run = studio.post(
        "/api/runs",
        env_id=ENV,
        algorithm="ppo",
        runner="sb3",
        total_timesteps=100_000_000,
        seed=3,
        evaluate_after=0,
        start=True,
    )
    wait_until(lambda: studio.episodes(run["id"], recorded=True), "recorded episodes")
    yield run["id"]
    studio.post(f"/api/runs/{run['id']}/stop")
    studio.server.wait(run["id"], "stopped")


def frame_file(studio: Studio, run_id: str) -> Path:
    return studio.file(run_id, "attempts/1/frame.bin")


def test_the_check_says_where_it_parts(studio: Studio, noisy: str) -> None:
    found = studio.server.client.get(f"/api/environments/{ENV}/exactness").json()
    assert found["exact"] is False
    assert "differed from step 1 on" in found["note"]


def test_the_worker_draws_only_while_watched(studio: Studio, noisy: str) -> None:
    assert not frame_file(studio, noisy).exists(), "nobody has looked yet"
    with view(studio.server, f"/api/runs/{noisy}/frames") as viewer:
        shown = [viewer.picture() for _ in range(8)]
        assert studio.renderers() == []
    assert [p.header["seq"] for p in shown] == sorted({p.header["seq"] for p in shown})
    for picture in shown:
        white = float((picture.pixels[32, :, 0] > 128).mean())
        assert white == pytest.approx(picture.header["reward"] or 0.5, abs=0.02), "what the worker really saw"
    wait_until(lambda: _rests(frame_file(studio, noisy)), "the worker to stop drawing")


def _rests(path: Path) -> bool:
    before = path.stat().st_mtime_ns
    try:
        wait_until(lambda: path.stat().st_mtime_ns != before, "another frame", within_s=0.5)
    except AssertionError:
        return True
    return False


def test_a_replay_keeps_the_rewards_and_claims_nothing_else(studio: Studio, noisy: str) -> None:
    [row] = studio.episodes(noisy, recorded=True, limit=1)
    recording = studio.recording(noisy, row["episode"])
    rewards = np.frombuffer(recording.rewards, "<f4")
    assert rewards.sum() == pytest.approx(row["reward"], abs=1e-3)
    with view(studio.server, f"/api/runs/{noisy}/episodes/{row['episode']}/replay?step=5") as viewer:
        opened = viewer.next().header
        assert opened["exact"] is False
        assert "is not deterministic" in opened["note"]
        assert np.allclose(opened["rewards"], rewards)
        assert viewer.picture().header["reward"] == pytest.approx(rewards[4])


def test_nobody_can_go_back_into_what_does_not_repeat(studio: Studio, noisy: str) -> None:
    [row] = studio.episodes(noisy, recorded=True, limit=1)
    for path, body in ((f"episodes/{row['episode']}/forks", {"step": 3, "policy": "random"}), ("films", {})):
        refused = studio.refused(f"/api/runs/{noisy}/{path}", **body)
        assert refused["status"] == 409
        assert "is not deterministic" in refused["detail"]
        assert "Evaluate" in refused["next_step"]


def test_an_unknown_module_is_named(studio: Studio) -> None:
    refused = studio.refused("/api/runs", env_id="no.such:Thing-v0", algorithm="ppo")
    assert refused["status"] == 422
    assert "“no” is not installed" in refused["detail"]
