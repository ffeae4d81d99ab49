"""Wrappers as they are applied to real environments."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import gymnasium
import numpy as np
import pytest

from rl_lab.core.errors import InvalidInput
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.models.examples import make_line


def play(env_id: str, wrappers: list[dict[str, Any]], steps: int = 12) -> tuple[Any, list[Any]]:
    """The environment, and (observation, reward, ended) of steps with seeded actions."""
    env = make_environment(env_id, {"wrappers": wrappers})
    env.reset(seed=5)
    env.action_space.seed(2)
    rows = []
    for _ in range(steps):
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        rows.append((np.asarray(observation).tolist(), float(reward), terminated, truncated))
        if terminated or truncated:
            break
    return env, rows


@pytest.mark.parametrize(
    ("env_id", "wrappers", "shape"),
    [
        ("CartPole-v1", [{"id": "frame_stack", "frames": 3}], (12,)),
        ("CartPole-v1", [{"id": "sticky_actions", "probability": 0.5}, {"id": "clip_observations"}], (4,)),
        ("Pendulum-v1", [{"id": "normalise_observations"}, {"id": "rescale_actions"}], (3,)),
        ("FrozenLake-v1", [{"id": "flatten"}], (16,)),
        ("CarRacing-v3", [{"id": "grayscale"}, {"id": "resize"}, {"id": "frame_stack"}], (84, 84, 4)),
    ],
)
def test_a_wrapped_episode_is_its_seed_and_its_actions(
    env_id: str, wrappers: list[dict[str, Any]], shape: tuple[int, ...]
) -> None:
    steps = 3 if env_id.startswith("Car") else 12
    env, rows = play(env_id, wrappers, steps)
    assert env.observation_space.shape == shape
    assert play(env_id, wrappers, steps)[1] == rows


def test_a_first_time_limit_replaces_that_of_the_environment() -> None:
    env, rows = play("Pendulum-v1", [{"id": "time_limit", "steps": 300}], steps=400)
    assert len(rows) == 300
    assert rows[-1][3]
    assert env.spec.max_episode_steps == 300


def test_a_later_time_limit_counts_the_steps_of_the_policy() -> None:
    _, rows = play("Pendulum-v1", [{"id": "action_repeat", "times": 4}, {"id": "time_limit", "steps": 5}])
    assert len(rows) == 5


def test_rewards_are_summed_scaled_and_clipped_in_the_order_of_the_wrappers() -> None:
    repeated = {"id": "action_repeat", "times": 3}
    assert play("CartPole-v1", [repeated], 1)[1][0][1] == 3.0
    assert play("CartPole-v1", [repeated, {"id": "scale_reward", "factor": 0.5}], 1)[1][0][1] == 1.5
    assert play("CartPole-v1", [repeated, {"id": "clip_reward"}], 1)[1][0][1] == 1.0


@pytest.mark.parametrize(
    ("wrapper", "message"),
    [
        ({"id": "normalise_observations"}, "have no bounds"),
        ({"id": "normalise_observations", "mean": [1.0]}, "1 numbers are given for observations of 4"),
        ({"id": "resize"}, "BOX(4)"),
        ({"id": "clip_actions"}, "DISCRETE(2)"),
        ({"id": "clip_reward", "low": 1, "high": 0}, "low must be below high"),
    ],
)
def test_a_wrapper_that_does_not_fit_the_spaces_is_refused(wrapper: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=r"env_kwargs\.wrappers\.0") as refused:
        make_environment("CartPole-v1", {"wrappers": [wrapper]})
    assert message in refused.value.detail


def example(env_id: str, chosen: list[dict[str, Any]]) -> list[str]:
    env_kwargs = {"wrappers": chosen}
    with closing(make_environment(env_id, env_kwargs)) as env:
        return make_line(env, env_id, env_kwargs).splitlines()


def test_an_example_program_applies_the_wrappers_of_the_training() -> None:
    chosen = [
        {"id": "time_limit", "steps": 20},
        {"id": "frame_stack", "frames": 2},
        {"id": "clip_observations"},
    ]
    lines = example("CartPole-v1", chosen)
    assert lines[0] == 'env = gym.make("CartPole-v1", max_episode_steps=20)'
    assert "FrameStackObservation(env, 2)" in lines[1]
    assert lines[2].startswith("# The policy was trained with clip_observations")


def test_an_example_program_does_not_flatten_stacked_pictures() -> None:
    lines = example("CarRacing-v3", [{"id": "resize"}, {"id": "frame_stack"}, {"id": "clip_reward"}])
    assert not any("Flatten" in line for line in lines)
    assert lines[2].startswith("# The policy was trained with frame_stack")


class OneNumber(gymnasium.Env[Any, Any]):
    observation_space = gymnasium.spaces.Box(-10, 10, ())
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode = render_mode

    def reset(self, **how: Any) -> Any:
        super().reset(**how)
        return np.array(4.0, np.float32), {}

    def step(self, _: Any) -> Any:
        return np.array(6.0, np.float32), 1.0, False, False, {}


def test_a_single_number_is_normalised() -> None:
    gymnasium.register("OneNumber-v0", OneNumber)
    wrapper = {"id": "normalise_observations", "mean": [2.0], "deviation": [4.0]}
    env = make_environment("OneNumber-v0", {"wrappers": [wrapper]})
    assert env.observation_space == gymnasium.spaces.Box(-3, 2, ())
    seen = env.reset()[0], env.step(0)[0]
    assert seen == (0.5, 1.0)
    assert all(env.observation_space.contains(one) for one in seen)


def test_pictures_are_normalised_by_their_bounds() -> None:
    env = make_environment("CarRacing-v3", {"wrappers": [{"id": "normalise_observations"}]})
    seen, _ = env.reset(seed=1)
    assert (env.observation_space.low.min(), env.observation_space.high.max()) == (-1.0, 1.0)
    assert env.observation_space.contains(seen)
    assert seen.min() < 0 < seen.max()
