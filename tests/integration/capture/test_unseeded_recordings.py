"""Episodes a script began without a seed: replayed, forked, filmed and watched from the state of the generator."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.cleanrl import agree_and_start
from support.studio import Studio, decode, observations_of
from support.viewer import view
from support.waiting import wait_until

EPISODES = """
    import gymnasium as gym, sys
    env = gym.make("CartPole-v1")
    env.action_space.seed(2)
    {change}
    for episode in range(int(sys.argv[1])):
        env.reset(seed=1 if episode == 0 else None)
        while True:
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            if terminated or truncated:
                break
"""
ENDLESS = """
    import time
    import gymnasium as gym
    env = gym.make("CartPole-v1")
    env.reset(seed=1)
    env.reset()
    tilt = 0.0
    while True:
        observation, _, terminated, truncated, _ = env.step(int(tilt > 0))
        tilt = observation[2] + 0.5 * observation[3]
        if terminated or truncated:
            observation, _ = env.reset()
        time.sleep(0.002)
"""


def start(studio: Studio, folder: Path, source: str, *args: str) -> str:
    path = folder / "script.py"
    path.write_text(textwrap.dedent(source))
    command = [sys.executable, str(path), *args]
    return agree_and_start(
        studio.server,
        {"runner": "script", "algorithm": "python", "params": {"command": command}, "start": True},
    )


@pytest.fixture(scope="module")
def run_id(studio: Studio, tmp_path_factory: pytest.TempPathFactory) -> str:
    made = start(studio, tmp_path_factory.mktemp("mine"), EPISODES.format(change=""), "30")
    run = studio.server.wait(made, "succeeded", "failed")
    assert run["status"] == "succeeded", run["reason"]
    return made


@pytest.fixture(scope="module")
def longest(studio: Studio, run_id: str) -> dict[str, Any]:
    rows = studio.episodes(run_id, sort="-length", limit=50, recorded=True)
    return next(row for row in rows if row["seed"] is None)


def test_every_episode_is_recorded_with_its_seed_or_without(studio: Studio, run_id: str) -> None:
    rows = studio.episodes(run_id, sort="episode", limit=50)
    assert [row["seed"] for row in rows] == [1] + [None] * 29
    assert all(row["recorded"] for row in rows)
    for row in rows:
        seen = observations_of(studio.recording(run_id, row["episode"]))
        assert len(seen) == row["length"] + 1 == row["reward"] + 1


def test_a_replay_is_exact(studio: Studio, run_id: str, longest: dict[str, Any]) -> None:
    recording = studio.recording(run_id, longest["episode"])
    assert (recording.seed, len(recording.generator)) == (None, 37)
    with view(studio.server, f"/api/runs/{run_id}/episodes/{longest['episode']}/replay") as viewer:
        opened = viewer.next().header
        assert (opened["exact"], opened["length"]) == (True, longest["length"])
        assert viewer.seek(3).header["step"] == 3
    told = studio.server.client.get(f"/api/runs/{run_id}/episodes/{longest['episode']}/steps").json()
    assert told["exact"] is True
    assert np.allclose(told["steps"][0]["observation"], observations_of(recording)[0])


def test_a_fork_has_the_same_past(studio: Studio, run_id: str, longest: dict[str, Any]) -> None:
    at = 5
    address = f"/api/runs/{run_id}/episodes/{longest['episode']}/forks"
    job = studio.job(address, step=at, policy="checkpoint", checkpoint_run_id=studio.expert)
    parent, child = studio.recording(run_id, longest["episode"]), studio.recording(job["id"], 0)
    assert child.beginning == parent.beginning
    before, after = observations_of(parent), observations_of(child)
    assert all(np.array_equal(a, b) for a, b in zip(before[: at + 1], after[: at + 1], strict=True))
    told = studio.server.client.get(f"/api/runs/{job['id']}/episodes/0/steps").json()
    assert (told["exact"], told["steps"][-1]["return"]) == (True, job["summary"]["result"]["return"])


def test_a_film_shows_them(studio: Studio, run_id: str) -> None:
    job = studio.job(f"/api/runs/{run_id}/films", scenes=3, seconds_per_scene=1)
    assert len(decode(studio.file(job["id"], "files/film.mp4")).frames) > 10
    assert not studio.events(job["id"], "scene_differs")


def test_the_episode_being_played_is_shown_as_it_goes_on(studio: Studio, tmp_path: Path) -> None:
    made = start(studio, tmp_path, ENDLESS)
    try:
        with view(studio.server, f"/api/runs/{made}/frames") as viewer:
            shown = [viewer.picture() for _ in range(10)]
        steps = [picture.header["step"] for picture in shown]
        assert max(steps) > min(steps)
        wait_until(lambda: studio.episodes(made, recorded=True), "a recorded episode")
    finally:
        studio.post(f"/api/runs/{made}/stop")
    studio.server.wait(made, "stopped")


def test_an_episode_that_does_not_come_back_is_never_shown_in_silence(studio: Studio, tmp_path: Path) -> None:
    # The script makes the cart heavier after making it: nobody else can know.
    made = start(studio, tmp_path, EPISODES.format(change="env.unwrapped.gravity = 30.0"), "3")
    assert studio.server.wait(made, "succeeded", "failed")["status"] == "succeeded"
    told = studio.server.client.get(f"/api/runs/{made}/episodes/1/steps").json()
    assert told["exact"] is False
    assert "is not deterministic" in told["note"]
    with view(studio.server, f"/api/runs/{made}/episodes/1/replay") as viewer:
        opened = viewer.next().header
        assert opened["exact"] is False
        assert "recorded" in opened["note"]
