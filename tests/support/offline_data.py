"""Small datasets to learn from, played by simple rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import ScoreReference
from rl_lab.worker.datasets.episode_arrays import EpisodeArrays
from rl_lab.worker.datasets.writing import DatasetWriter
from rl_lab.worker.environments.make import make_environment

Rule = Callable[[Any, np.random.Generator], Any]


def balance(seen: Any, rng: np.random.Generator) -> int:
    """Keeps CartPole's pole up for about 200 steps; every tenth action is random."""
    return int(rng.integers(2)) if rng.random() < 0.1 else int(seen[2] + 0.3 * seen[3] > 0)


def swing(seen: Any, rng: np.random.Generator) -> Any:
    """Swings the Pendulum a little."""
    return np.array([np.clip(2 * np.sign(seen[2]) + 0.3 * rng.standard_normal(), -2, 2)], np.float32)


RULES: dict[str, Rule] = {"CartPole-v1": balance, "Pendulum-v1": swing}


def write_played(
    folder: Path,
    env_id: str = "CartPole-v1",
    *,
    episodes: int = 6,
    most_steps: int = 120,
    reference: ScoreReference | None = None,
) -> Path:
    """A version's folder with episodes of the environment's rule, each cut off after `most_steps`."""
    env, rng = make_environment(env_id), np.random.default_rng(3)
    with DatasetWriter(
        folder, observation_space=env.observation_space, action_space=env.action_space, env_id=env_id
    ) as writer:
        for number in range(episodes):
            writer.add_episode(play(env, RULES[env_id], rng, number, most_steps), seed=number, number=number)
        writer.finish(reference=reference)
    env.close()
    return folder


def play(env: Any, rule: Rule, rng: np.random.Generator, seed: int, most_steps: int) -> EpisodeArrays:
    seen, actions, rewards, ended = [env.reset(seed=seed)[0]], [], [], False
    while not ended and len(actions) < most_steps:
        actions.append(rule(seen[-1], rng))
        observation, reward, ended, _, _ = env.step(actions[-1])
        seen.append(observation)
        rewards.append(float(reward))
    last = np.arange(len(actions)) == len(actions) - 1
    return EpisodeArrays(
        observations=np.stack(seen),
        actions=np.asarray(actions),
        rewards=np.asarray(rewards),
        terminations=last & ended,
        truncations=last & (not ended),
    )
