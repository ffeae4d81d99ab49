"""What a turbo learner records comes back bit for bit in Gymnasium's ordinary environments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rl_lab.runners.turbo.envs import describe
from rl_lab.runners.turbo.episodes import EpisodeBatch
from rl_lab.runners.turbo.params import TurboPpoParams
from rl_lab.runners.turbo.ppo import Ppo
from rl_lab.worker.environments.make import make_environment

ENVIRONMENTS = [
    "CartPole-v1",
    "LunarLander-v3",
    "MountainCar-v0",
    "Pendulum-v1",
    "FrozenLake-v1",
    "BipedalWalker-v3",
]


def play(
    env_id: str, *, n_envs: int = 32, processes: int = 1, updates: int = 2
) -> tuple[Ppo, list[EpisodeBatch]]:
    params = TurboPpoParams(
        n_envs=n_envs, n_steps=64, batch_size=128, n_epochs=1, normalize_observations=True
    )
    learner = Ppo(describe(env_id, {}), params, seed=7, schedule_left=lambda _: 1.0, processes=processes)
    try:
        return learner, [learner.advance().episodes for _ in range(updates)]
    finally:
        learner.close()


def replay(env: Any, seed: int, actions: Any) -> tuple[list[float], bool, bool]:
    env.reset(seed=seed)
    rewards, terminated, truncated = [], False, False
    for action in actions:
        _, reward, terminated, truncated, _ = env.step(action)
        rewards.append(float(reward))
    return rewards, terminated, truncated


@pytest.mark.parametrize("env_id", ENVIRONMENTS)
def test_recorded_seed_and_actions_give_the_recorded_rewards_and_end(env_id: str) -> None:
    _, batches = play(env_id, n_envs=8, updates=5)
    env = make_environment(env_id)
    episodes = [(batch, row) for batch in batches for row in range(len(batch))]
    assert episodes
    for batch, row in episodes[:: max(1, len(episodes) // 12)]:
        steps = batch.steps_of(row)
        rewards, terminated, truncated = replay(env, int(batch.seed[row]), steps["action"])
        assert rewards == steps["reward"].tolist()
        assert (terminated, truncated) == (batch.terminated[row], batch.truncated[row])
        assert len(rewards) == batch.length[row]
    env.close()


@pytest.mark.parametrize("env_id", ["CartPole-v1", "LunarLander-v3"])
def test_the_number_of_processes_changes_no_bit(env_id: str) -> None:
    alone, one = play(env_id, processes=1)
    crew, two = play(env_id, processes=2)
    assert np.array_equal(alone.network.flat, crew.network.flat)
    for a, b in zip(one, two, strict=True):
        assert np.array_equal(a.seed, b.seed)
        assert np.array_equal(a.steps["action"], b.steps["action"])
