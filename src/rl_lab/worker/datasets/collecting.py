"""Episodes that policies play now. What they did is written, with its noise, so that it can be verified."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np

from rl_lab.core.datasets.manifest import EpisodeSource
from rl_lab.core.datasets.operations import CollectDataset, Collector
from rl_lab.core.errors import InvalidInput
from rl_lab.core.job_file import PolicyInput
from rl_lab.portable.recorder import episode_seed
from rl_lab.worker.datasets.progress import WorkCount
from rl_lab.worker.datasets.step_writer import StepWriter
from rl_lab.worker.datasets.writing import DatasetWriter
from rl_lab.worker.environments.make import environment_version, make_environment
from rl_lab.worker.jobs.episodes import wrapped
from rl_lab.worker.policies import RandomPolicy, load_policy, notes_of, seed_sampling
from rl_lab.worker.runner import Policy
from rl_lab.worker.session import Session

COLLECT_STREAM = 1_000_033
"""Sub-environment number from which seeds are drawn, so that they differ from those of trainings and evaluations."""


class CollectingPolicy(NamedTuple):
    policy: Policy
    collector: Collector
    env: Any
    """The environment as this policy knows it."""
    source: EpisodeSource


class WrittenEnv(gymnasium.Wrapper):  # type: ignore[misc]
    """Writes what happens in the environment itself, below the wrappers of a policy."""

    def __init__(self, env: Any, steps: StepWriter) -> None:
        super().__init__(env)
        self._steps = steps

    def reset(self, **how: Any) -> Any:
        observation, info = self.env.reset(**how)
        self._steps.begin(observation)
        return observation, info

    def step(self, action: Any) -> Any:
        outcome = self.env.step(action)
        observation, reward, terminated, truncated, _ = outcome
        self._steps.add(
            action, observation, float(reward), terminated=bool(terminated), truncated=bool(truncated)
        )
        return outcome


def collect(session: Session, operation: CollectDataset, folder: Path) -> None:
    inputs = session.job.inputs
    env_id, env_kwargs = str(inputs["env_id"]), dict(inputs["env_kwargs"])
    progress = WorkCount(session, operation.episodes)
    env = make_environment(env_id, env_kwargs)
    sources = [EpisodeSource.model_validate(one) for one in inputs["sources"]]
    try:
        with DatasetWriter(
            folder,
            observation_space=env.observation_space,
            action_space=env.action_space,
            env_id=env_id,
            env_kwargs=env_kwargs,
            env_version=environment_version(env_id),
            sources=sources,
            source=f"Collected by {', '.join(dict.fromkeys(source.label for source in sources))}.",
            licence=operation.licence,
        ) as writer:
            steps = StepWriter(writer)
            players = _players(session, operation, WrittenEnv(env, steps), sources)
            _play_all(operation, players, steps, progress)
            writer.finish(notes=[note for player in players for note in notes_of(player.policy)])
    finally:
        env.close()


def counts_of(shares: list[float], episodes: int) -> list[int]:
    """Whole numbers of episodes in proportion to the shares; the largest remainders are rounded up."""
    exact = np.array(shares) / sum(shares) * episodes
    counts = np.floor(exact).astype(int)
    for place in np.argsort(counts - exact, kind="stable")[: episodes - int(counts.sum())]:
        counts[place] += 1
    return [int(count) for count in counts]


def add_noise(action: Any, space: Any, noise: float, rng: np.random.Generator) -> Any:
    """Discrete: now and then another action; continuous: Gaussian noise, as a share of the range, cut to the bounds."""
    if noise == 0:
        return action
    if not isinstance(space, gymnasium.spaces.Box):
        if rng.random() >= noise:
            return action
        space.seed(int(rng.integers(2**31)))
        return space.sample()
    width = np.where(np.isfinite(space.high) & np.isfinite(space.low), space.high - space.low, 2.0)
    noisy = np.asarray(action, np.float64) + rng.normal(size=space.shape) * width * noise
    return np.clip(noisy, space.low, space.high).astype(space.dtype)


def _players(
    session: Session, operation: CollectDataset, env: WrittenEnv, sources: list[EpisodeSource]
) -> list[CollectingPolicy]:
    given = iter(session.job.inputs.get("policies") or [])
    players = []
    for collector, source in zip(operation.policies, sources, strict=True):
        if source.checkpoint is None:
            policy: Policy = RandomPolicy(env.action_space, operation.seed)
        else:
            policy = load_policy(PolicyInput.model_validate(next(given)))
        players.append(CollectingPolicy(policy, collector, wrapped(policy, env), source))
    return players


def _play_all(
    operation: CollectDataset, players: list[CollectingPolicy], steps: StepWriter, progress: WorkCount
) -> None:
    counts = counts_of([player.collector.share for player in players], operation.episodes)
    number = 0
    for source, (player, count) in enumerate(zip(players, counts, strict=True)):
        for _ in range(count):
            seed = episode_seed(operation.seed, COLLECT_STREAM, number)
            seed_sampling(seed)
            _play(player, seed, progress)
            steps.end(seed=seed, source=source, number=number)
            number += 1
            progress.advance()


def _play(player: CollectingPolicy, seed: int, progress: WorkCount) -> None:
    env, policy, how = player.env, player.policy, player.collector
    rng = np.random.default_rng(seed)
    if isinstance(policy, RandomPolicy):
        env.action_space.seed(seed)
    observation, _ = env.reset(seed=seed)
    is_over, count = False, 0
    while not is_over:
        action = add_noise(
            policy.act(observation, how.deterministic).action, env.action_space, how.noise, rng
        )
        observation, _, terminated, truncated, _ = env.step(action)
        is_over, count = bool(terminated or truncated), count + 1
        if count % 1000 == 0:
            progress.look()
            _require_end(env, count)


def _require_end(env: Any, count: int) -> None:
    if count >= MAX_STEPS:
        raise InvalidInput(
            f"An episode has not ended after {count:,} steps.",
            next_step="Give the environment a limit, e.g. --env-arg max_episode_steps=1000.",
        )


MAX_STEPS = 10_000_000
