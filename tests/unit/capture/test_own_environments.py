"""Environments of the user's own in a script: they are made, whatever Gymnasium has under the same name."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium
import pytest

from rl_lab.capture.env_origins import find_origin
from rl_lab.capture.own_environments import known_id
from rl_lab.capture.playing.classes import World
from rl_lab.capture.taps.gymnasium_tap import _making, _making_vectors
from rl_lab.core.own_environments import MAIN_FILE, OWN_ENVIRONMENTS

SOURCE = """import gymnasium

class Room(gymnasium.Env):
    observation_space = gymnasium.spaces.Discrete(5)
    action_space = gymnasium.spaces.Discrete(3)

    def __init__(self, render_mode=None):
        self.render_mode = render_mode

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return 0, {}

    def step(self, action):
        return 1, 1.0, False, False, {}
"""
OWN = "own:CartPole-v1"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OWN_ENVIRONMENTS, str(tmp_path))
    folder = tmp_path / "CartPole" / "v1"
    folder.mkdir(parents=True)
    (folder / MAIN_FILE).write_text(SOURCE)


def elsewhere() -> Any:
    """The part of the tap's roles that a child process of a script has."""
    return SimpleNamespace(is_main_process=False, children=SimpleNamespace(note=lambda _: None))


def test_a_script_gets_its_own_environment_and_not_gymnasiums() -> None:
    env = _making(gymnasium.make, gymnasium, elsewhere())(OWN)
    assert type(env.unwrapped).__name__ == "Room"
    assert type(gymnasium.make("CartPole-v1").unwrapped).__name__ == "CartPoleEnv"


def test_a_vector_of_them_has_its_own_environments() -> None:
    vector = _making_vectors(gymnasium.make_vec, gymnasium, elsewhere())(OWN, num_envs=2)
    assert vector.single_action_space.n == 3
    vector.close()


def test_a_policy_is_built_for_its_own_environment() -> None:
    world = World(OWN, {})
    assert (world.observation_size, world.action_size) == (5, 3)


def test_recordings_have_the_id_of_the_lab() -> None:
    env = gymnasium.make(known_id(gymnasium, OWN))
    assert find_origin(OWN, {}, env).env_id == OWN
    assert find_origin(env.spec, {}, env).env_id == OWN
    assert find_origin("CartPole-v1", {}, gymnasium.make("CartPole-v1")).env_id == "CartPole-v1"


def test_other_ids_are_left_to_gymnasium() -> None:
    for env_id in ("CartPole-v1", "own:nothing-v1", "own:CartPole-v2", gymnasium.spec("CartPole-v1")):
        assert known_id(gymnasium, env_id) is env_id
