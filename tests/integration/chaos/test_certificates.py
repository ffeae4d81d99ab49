"""The long form of the certificates of exact resume: every learner broken at twenty places, in two environments."""

from __future__ import annotations

from typing import Any

import pytest
from support.certified_learners import CONTINUOUS, SEVEN, certify_in_process

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(3600)]
BREAKS = 20
STEPS = {"turbo": 30_000, "sb3": 3000}
FEW_STEPS = 1200
"""Of the learners that update their networks at every step."""


@pytest.mark.parametrize("env_id", ["small", "LunarLander-v3"])
@pytest.mark.parametrize(("runner", "algorithm"), SEVEN)
def test_twenty_breaks_of_a_learner_change_nothing(runner: str, algorithm: str, env_id: str) -> None:
    is_continuous = algorithm in CONTINUOUS
    lander: dict[str, Any] = {"env_id": env_id, "env_kwargs": {"continuous": True} if is_continuous else {}}
    small = {"env_id": "Pendulum-v1" if is_continuous else "CartPole-v1"}
    params = {"n_steps": 256} if (runner, algorithm) == ("sb3", "ppo") else {}
    learner = {
        "runner": runner,
        "algorithm": algorithm,
        "steps": FEW_STEPS if is_continuous else STEPS[runner],
        "breaks": BREAKS,
        "params": params,
        **(small if env_id == "small" else lander),
    }
    [result] = certify_in_process([learner], timeout_s=3600)
    assert result.verdict == "identical", result.sentence
    assert len(result.breaks) == BREAKS
