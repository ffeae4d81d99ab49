"""Checks, before a run stops as solved, that the policy also reaches the threshold with greedy actions.

The mean of the last 100 training episodes belongs to a policy that still explores and that has changed since then.
A few greedy episodes, played in parallel, show whether the saved policy reaches the threshold too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_lab.runners.turbo.checkpoints import Header
from rl_lab.runners.turbo.envs import EnvSpec, episode_seed, flatten
from rl_lab.runners.turbo.kernels import Network
from rl_lab.runners.turbo.playing import network_of
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.own_reward import OwnReward
from rl_lab.worker.user_code.noted_steps import NotedSteps, NotingEnv

EPISODES = 20
SEED_STREAM = 2_000_003
"""Environment number for the seeds of these episodes; far above the number of any training environment."""
PATIENCE = 4
"""Number of updates between two checks."""


class Confirmation:
    def __init__(self, learner: Any, algorithm: str, threshold: float, own: OwnReward | None = None) -> None:
        """`own`: the reward that decides; None: the environment's."""
        self._own = own
        self._learner, self._algorithm, self._threshold = learner, algorithm, threshold
        self._wait = 0
        self._played = 0

    def __call__(self) -> bool:
        if self._wait > 0:
            self._wait -= 1
            return False
        self._wait = PATIENCE
        return self._greedy_mean() >= self._threshold

    def state(self) -> dict[str, int]:
        return {"wait": self._wait, "played": self._played}

    def restore(self, state: dict[str, int]) -> None:
        self._wait, self._played = state["wait"], state["played"]

    def _greedy_mean(self) -> float:
        learner = self._learner
        header = Header(self._algorithm, learner.params.model_dump(), learner.spec)
        network = network_of(header, learner.state())
        seeds = [episode_seed(learner.log.run_seed, SEED_STREAM, self._played + n) for n in range(EPISODES)]
        self._played += EPISODES
        return float(np.mean(play_greedily(network, learner.spec, seeds, self._own)))


def play_greedily(
    network: Network, spec: EnvSpec, seeds: list[int], own: OwnReward | None = None
) -> list[float]:
    """The return of one episode per seed; all episodes are played in parallel."""
    envs = [make_environment(spec.env_id, spec.env_kwargs) for _ in seeds]
    scoring = GreedyScoring(own, len(seeds)) if own is not None else None
    if scoring is not None:
        envs = [NotingEnv(env, scoring.noted, SEED_STREAM + lane) for lane, env in enumerate(envs)]
    rows = np.stack([flatten(env.reset(seed=s)[0], spec) for env, s in zip(envs, seeds, strict=True)])
    returns, playing = [0.0] * len(seeds), list(range(len(seeds)))
    while playing:
        actions = best_actions(network, spec, rows[playing])
        for number, action in zip(list(playing), actions, strict=True):
            observation, reward, terminated, truncated, _ = envs[number].step(action)
            returns[number] += float(reward)
            rows[number] = flatten(observation, spec)
            if terminated or truncated:
                playing.remove(number)
                envs[number].close()
    return returns if scoring is None else scoring.finish()


class GreedyScoring:
    """The returns of these episodes under the reward that decides; scored while they are played."""

    def __init__(self, own: OwnReward, count: int) -> None:
        self.noted = NotedSteps(with_info="info" in own.takes, on_full=self._score)
        self._own = own
        self._returns = np.zeros(count)

    def finish(self) -> list[float]:
        if len(self.noted):
            self._score()
        found: list[float] = self._returns.tolist()
        return found

    def _score(self) -> None:
        rows = self.noted.take()
        assert rows.lanes is not None
        np.add.at(self._returns, rows.lanes - SEED_STREAM, self._own.scored(rows).totals)


def best_actions(network: Network, spec: EnvSpec, rows: Any) -> list[Any]:
    output = network.forward(rows)[0]
    if spec.is_discrete:
        return [int(a) + spec.action_start for a in output.argmax(axis=1)]
    clipped = np.clip(output, spec.action_low, spec.action_high)
    return [row.reshape(spec.action_shape) for row in clipped]
