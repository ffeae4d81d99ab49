"""A run that was lengthened equals one that had the later end from the start, also with a falling learning rate."""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.lengths.lengthening import Longer, lengthen
from rl_lab.core.runs import Progress
from rl_lab.runners.turbo.envs import describe
from rl_lab.runners.turbo.params import TurboPpoParams
from rl_lab.runners.turbo.ppo import Ppo

PARAMS = TurboPpoParams(n_envs=4, n_steps=25, n_epochs=1, batch_size=50, anneal_to=0.0)


def train(config: TrainConfig, state: dict[str, Any] | None = None) -> Ppo:
    learner = Ppo(
        describe("CartPole-v1", {}),
        PARAMS,
        seed=1,
        schedule_left=config.schedule_left,
        processes=1,
        state=state,
    )
    while learner.timesteps < config.total_timesteps:
        learner.rate = learner.advance().metrics["learning_rate"]  # type: ignore[attr-defined]
    learner.close()
    return learner


def test_a_lengthened_run_equals_one_in_one_piece() -> None:
    first = TrainConfig(algorithm="ppo", total_timesteps=350)
    broken = train(first)
    assert (broken.timesteps, broken.rate) == (400, 0.0)  # type: ignore[attr-defined]
    progress = Progress(timestep=broken.timesteps)
    longer = lengthen(first, Longer(more_timesteps=300), at=400, progress=progress, is_solved=False)
    continued = train(longer, broken.state())
    whole = train(longer)
    assert whole.timesteps == continued.timesteps == 700
    assert np.array_equal(whole.network.flat, continued.network.flat)
    assert not np.array_equal(broken.network.flat, continued.network.flat)
    assert continued.rate == PARAMS.learning_rate * 0.05  # type: ignore[attr-defined]
