"""Observations as SB3 learns from them and as its policies see them later: the same, with any wrappers."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from stable_baselines3.common.vec_env import DummyVecEnv, VecFrameStack

from rl_lab.runners.sb3.observations import frames_stacked, prepare, with_training_observations
from rl_lab.worker.environments.make import make_environment

PONG = "ALE/Pong-v5"
GREY, SMALL, STACKED = {"id": "grayscale"}, {"id": "resize"}, {"id": "frame_stack"}


class Recording(gymnasium.Wrapper[Any, Any, Any, Any]):
    """In the place of the recorder, which is below the library's wrappers."""


@pytest.mark.parametrize(
    ("wrappers", "env_kwargs", "shape"),
    [
        ([], {}, (84, 84, 4)),
        ([], {"obs_type": "grayscale"}, (84, 84, 4)),
        ([{"id": "time_limit", "steps": 50}, {"id": "clip_reward"}], {}, (84, 84, 4)),
        ([GREY], {}, (210, 160, 1)),
        ([SMALL], {}, (84, 84, 3)),
        ([STACKED], {}, (210, 160, 12)),
        ([GREY, SMALL, STACKED], {}, (84, 84, 4)),
        ([GREY, SMALL, {"id": "flatten"}], {}, (84 * 84,)),
        ([{"id": "normalise_observations"}], {}, (210, 160, 3)),
        ([], {"obs_type": "ram"}, (128,)),
    ],
    ids=str,
)
def test_a_policy_for_atari_sees_what_it_was_trained_on(
    wrappers: list[dict[str, Any]], env_kwargs: dict[str, Any], shape: tuple[int, ...]
) -> None:
    given = {**env_kwargs, "wrappers": wrappers}
    vector: Any = DummyVecEnv([lambda: prepare(Recording(make_environment(PONG, given)))])
    stack = frames_stacked(vector.envs[0])
    vector = VecFrameStack(vector, stack) if stack > 1 else vector
    played = with_training_observations(make_environment(PONG, given))
    assert vector.observation_space.shape == shape
    vector.seed(3)
    pairs = [(vector.reset()[0], played.reset(seed=3)[0])]
    for _ in range(3):
        pairs.append((vector.step(np.array([2]))[0][0], played.step(2)[0]))
    for seen, later in pairs:
        assert later.dtype == vector.observation_space.dtype
        np.testing.assert_array_equal(later, seen)
    vector.close()
    played.close()
