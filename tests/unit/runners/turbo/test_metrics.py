"""What turbo reports about an update besides its losses."""

from __future__ import annotations

import numpy as np
import pytest

from rl_lab.runners.turbo.dqn import Dqn
from rl_lab.runners.turbo.envs import describe
from rl_lab.runners.turbo.params import TurboDqnParams, TurboPpoParams
from rl_lab.runners.turbo.ppo import Ppo


def test_ppo_reports_how_far_the_parameters_moved_and_the_advantages() -> None:
    params = TurboPpoParams(n_envs=4, n_steps=32, n_epochs=2, batch_size=64)
    learner = Ppo(describe("CartPole-v1", {}), params, seed=3, schedule_left=lambda _: 1.0, processes=1)
    before = learner.network.flat.copy()
    metrics = learner.advance().metrics
    learner.close()
    moved = float(np.linalg.norm(learner.network.flat - before))
    assert metrics["parameter_change"] == pytest.approx(moved, rel=1e-5)
    relative = moved / float(np.linalg.norm(before))
    assert metrics["relative_parameter_change"] == pytest.approx(relative, rel=1e-5)
    assert metrics["advantage_std"] > 0 and np.isfinite(metrics["advantage_mean"])


def test_dqn_reports_the_q_values_of_its_batch() -> None:
    params = TurboDqnParams(n_envs=4, learning_starts=64, gradient_steps=4, buffer_size=600)
    learner = Dqn(describe("CartPole-v1", {}), params, seed=3, schedule_left=lambda _: 1.0, processes=1)
    found = {}
    while "q_mean" not in found:
        found = learner.advance().metrics
    learner.close()
    assert np.isfinite(found["q_mean"]) and found["q_max"] >= found["q_mean"]
