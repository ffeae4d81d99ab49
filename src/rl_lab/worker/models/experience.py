"""Plays a few steps with an inspected model, with the exploration of training."""

from __future__ import annotations

import time
from contextlib import closing
from typing import Any

import numpy as np

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.portable.recorder import episode_seed
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.models.inspected_model import Experience, InspectedModel

STEPS = 512
LONGEST_S = 30.0
"""A slow simulator gives fewer steps, but at least FEWEST."""
FEWEST = 32
STREAM = 1_000_033
"""Sub-environment number from which its seeds are drawn, so that they differ from training's and evaluation's."""


def play(model: InspectedModel, config: TrainConfig, steps: int = STEPS) -> Experience:
    """The same steps each time, for a deterministic environment."""
    seed, episodes = config.start_seed, 0
    rows: list[tuple[Any, ...]] = []
    started = time.monotonic()
    with closing(model.wrap(make_environment(config.env_id, config.env_kwargs))) as env:
        observation, _ = env.reset(seed=episode_seed(seed, STREAM, 0))
        while len(rows) < steps and (len(rows) < FEWEST or time.monotonic() - started < LONGEST_S):
            act = model.act(observation)
            following, reward, terminated, truncated, _ = env.step(act.played)
            rows.append((_kept(observation), act.learnt, reward, _kept(following), terminated, truncated))
            observation = following
            if terminated or truncated:
                episodes += 1
                observation, _ = env.reset(seed=episode_seed(seed, STREAM, episodes))
    seen, actions, rewards, after, terminated, truncated = zip(*rows, strict=True)
    return Experience(
        list(seen),
        np.asarray(actions),
        np.asarray(rewards, np.float64),
        list(after),
        np.asarray(terminated, np.bool_),
        np.asarray(truncated, np.bool_),
    )


def _kept(observation: Any) -> Any:
    """Some environments write every observation into the same array."""
    if isinstance(observation, dict):
        return {name: _kept(value) for name, value in observation.items()}
    return np.array(observation)
