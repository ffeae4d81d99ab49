"""Steps of environments, noted until they are scored."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from rl_lab.worker.user_code import noted_steps
from rl_lab.worker.user_code.noted_steps import NotedSteps, NotingEnv


class UsesEverythingAgain(gymnasium.Env[Any, Any]):
    """Returns the same arrays and the same info at every step."""

    observation_space = spaces.Dict({"place": spaces.Box(0, 100, (1000,))})
    action_space = spaces.Discrete(2)

    def __init__(self) -> None:
        self.seen = {"place": np.zeros(1000, np.float32)}
        self.info = {"place": np.zeros(1), "steps": 0}

    def reset(self, **how: Any) -> Any:
        self.seen["place"][:] = 0
        return self.seen, self.info

    def step(self, action: Any) -> Any:
        self.seen["place"] += 1
        self.info["place"] += 1
        self.info["steps"] += 1
        return self.seen, 1.0, False, False, self.info


def played(noted: NotedSteps, steps: int = 3) -> NotingEnv:
    env = NotingEnv(UsesEverythingAgain(), noted)
    env.reset()
    for _ in range(steps):
        env.step(0)
    return env


def test_infos_are_those_of_their_step() -> None:
    noted = NotedSteps(with_info=True)
    env = played(noted)
    env.env.info["terminal_observation"] = np.zeros(1)  # as the library does, after the step
    assert noted.take().info == [
        {"place": [1.0], "steps": 1},
        {"place": [2.0], "steps": 2},
        {"place": [3.0], "steps": 3},
    ]


def test_infos_that_the_code_does_not_take_are_not_kept() -> None:
    noted = NotedSteps()
    played(noted)
    assert noted.take().info is None


def test_observations_with_several_parts_fill_the_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noted_steps, "MAX_BYTES", 3 * 4000)
    noted = NotedSteps()
    played(noted, 2)
    assert not noted.is_full
    played(noted, 1)
    assert noted.is_full


def test_full_notes_are_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noted_steps, "MAX_ROWS", 2)
    taken: list[int] = []
    noted = NotedSteps()
    noted.on_full = lambda: taken.append(len(noted.take()))
    played(noted, 5)
    assert taken == [2, 2]
    assert len(noted) == 1


def test_nothing_is_noted_during_a_pause_and_episodes_go_on() -> None:
    noted = NotedSteps()
    noted.is_paused = True
    env = played(noted)
    assert len(noted) == 0
    noted.is_paused = False
    env.step(1)
    rows = noted.take()
    assert not rows.begins[0], "the episode began before"
    assert rows.obs[0]["place"][0] == 3.0
