"""A dataset of an environment that the user wrote: collected, learned from by the lab's learners and by a script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.cleanrl import FINAL, agree_and_start
from support.corl import IMITATION
from support.server import Server, serve
from support.waiting import wait_until

from rl_lab.guardian.files import LAUNCH_FILE, Launch, read_launch

SLOPE = """
import gymnasium
import numpy as np

MAX_EPISODE_STEPS = 8

class Slope(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(-10, 10, (2,), np.float32)
    action_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)

    def __init__(self, render_mode=None):
        self.render_mode = render_mode

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = float(self.np_random.uniform(-1, 1))
        return self._seen(), {}

    def step(self, action):
        self.place += float(action[0])
        return self._seen(), -abs(self.place), False, False, {}

    def _seen(self):
        return np.array([self.place, 1.0], np.float32)
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("lab") / "home"
    home.mkdir()
    with serve(home, RL_LAB_CORL=str(IMITATION)) as running:
        post(running, "/api/own-environments", name="slope", source=SLOPE)
        for name in ("slope", "other"):
            collect = {"do": "collect", "name": name, "env_id": "own:slope-v1", "episodes": 4}
            job = post(running, "/api/datasets/jobs", operation={**collect, "policies": [{}]})
            ended = running.wait(job["id"], *FINAL)
            assert ended["status"] == "succeeded", ended["reason"]
            wait_until(lambda n=name: running.client.get(f"/api/datasets/{n}").is_success, "the version")  # type: ignore[misc]
        yield running


def post(lab: Server, path: str, **body: Any) -> Any:
    answer = lab.client.post(path, json=body)
    assert answer.is_success, answer.text
    return answer.json()


def launch_of(home: Path, run: dict[str, Any]) -> Launch:
    return read_launch((home / "runs" / run["id"] / "attempts" / "1" / LAUNCH_FILE).read_bytes())


def test_the_labs_learner_reads_only_the_version_it_learns_from(lab: Server) -> None:
    wanted = {"runner": "offline", "algorithm": "bc", "dataset": {"name": "slope"}, "total_timesteps": 200}
    more = {"evaluate_every": 100, "evaluate_episodes": 2, "evaluate_after": 0, "seed": 1, "start": True}
    run = lab.wait(post(lab, "/api/runs", **wanted, **more)["id"], *FINAL)
    assert run["status"] == "succeeded", run["reason"]
    assert run["summary"]["mean_reward"] is not None, "evaluated in the environment"
    confine = launch_of(lab.home, run).confine
    assert confine is not None
    reads = [one for one in confine.reads if "/datasets" in one]
    assert reads == [str(lab.home / "datasets" / "slope" / "v1")]


def test_a_script_of_corl_learns_from_it_and_is_evaluated_in_it(lab: Server) -> None:
    wanted = {"runner": "corl", "algorithm": "td3_bc", "dataset": {"name": "slope"}, "device": "cpu"}
    params = {"eval_freq": 20, "n_episodes": 2, "batch_size": 16}
    body = {**wanted, "total_timesteps": 40, "params": params, "seed": 1, "start": True}
    run = lab.wait(agree_and_start(lab, body), *FINAL)
    assert run["status"] == "succeeded", run["reason"]
    found = lab.client.get(f"/api/runs/{run['id']}/environments").json()["items"]
    assert [(one["env_id"], one["role"]) for one in found] == [("own:slope-v1", "evaluation")]
