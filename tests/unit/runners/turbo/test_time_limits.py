"""Turbo counts the steps of an episode itself; its episodes end where those of any replay end."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from rl_lab.runners.turbo.envs import StepArrays, bare_environment, describe, episode_seed, make_group
from rl_lab.worker.environments.make import make_environment


def limit(steps: int) -> dict[str, Any]:
    return {"id": "time_limit", "steps": steps}


def turbo_length(wrappers: list[dict[str, Any]]) -> int:
    spec = describe("Pendulum-v1", {"wrappers": wrappers})
    group = make_group(spec, slice(0, 1), 1, np.zeros(1, np.int64))
    group.reset()
    into = StepArrays(
        np.zeros(1), np.zeros(1, bool), np.zeros(1, bool), np.zeros((1, spec.observation_size), np.float32)
    )
    for step in range(1, 1000):
        group.step(np.zeros((1, 1), np.float32), into)
        if into.truncated[0]:
            return step
    return 0


def replayed_length(wrappers: list[dict[str, Any]]) -> int:
    env = make_environment("Pendulum-v1", {"wrappers": wrappers})
    env.reset(seed=episode_seed(1, 0, 0))
    for step in range(1, 1000):
        if env.step(np.zeros(1, np.float32))[3]:
            return step
    return 0


@pytest.mark.parametrize(
    ("wrappers", "length"),
    [
        ([], 200),
        ([limit(30), limit(50)], 30),
        ([limit(50), limit(30)], 30),
        ([{"id": "scale_reward", "factor": 2.0}, limit(300)], 200),
        ([limit(40), {"id": "action_repeat", "times": 4}, limit(30), limit(20)], 10),
    ],
    ids=str,
)
def test_an_episode_is_as_long_as_its_replay(wrappers: list[dict[str, Any]], length: int) -> None:
    assert replayed_length(wrappers) == length
    assert turbo_length(wrappers) == length


class LimitThatAdds(gymnasium.wrappers.TimeLimit[Any, Any]):
    """A limit of a user that does more than count."""

    def step(self, action: Any) -> Any:
        observation, reward, *rest = super().step(action)
        return observation, reward + 100, *rest


def test_a_limit_of_another_class_is_kept() -> None:
    made = LimitThatAdds(gymnasium.make("Pendulum-v1").unwrapped, 7)
    gymnasium.register("LimitThatAdds-v0", lambda **_: made)
    env = bare_environment(describe("LimitThatAdds-v0", {}))
    assert isinstance(env, LimitThatAdds)
