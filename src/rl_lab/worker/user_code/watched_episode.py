"""An episode as evaluation code sees it: collected step by step, then handed over as one object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rl_lab.core.errors import CodeFailed
from rl_lab.worker.user_code.scorer import RewardScorer, StepRows, plain, stack_observations

OWN_REWARDS = "own_rewards"
MAX_BYTES = 256 << 20
"""Of the observations of one episode; pictures of a long game take more."""


class WatchedEpisode:
    """What `episode` offers: see docs/howto/evaluation-code.md.

    Observations and infos are kept only for code that names them.
    """

    def __init__(self, source: str, env_id: str, scorer: RewardScorer | None = None) -> None:
        """`scorer`: the reward of the run, where it has one of the user's."""
        self._env_id = env_id
        self._scorer = scorer if OWN_REWARDS in source else None
        self._sees_observations = "observations" in source or self._scorer is not None
        self._sees_infos = "infos" in source or self._scorer is not None
        self._clear()

    def begin(self, observation: Any, info: Mapping[str, Any]) -> None:
        self._clear()
        self._look(observation, info)

    def add(self, action: Any, outcome: tuple[Any, ...]) -> None:
        """`outcome`: what the environment's `step` returned."""
        observation, reward, terminated, truncated, info = outcome
        self._actions.append(_copied(action))
        self._rewards.append(float(reward))
        self._terminated, self._truncated = bool(terminated), bool(truncated)
        self._look(observation, info)

    def fields(self, seed: int | None) -> dict[str, Any]:
        """The attributes of `episode`; CodeFailed when its observations do not fit."""
        if self._bytes > MAX_BYTES:
            reason = f"the observations of this episode take more than {MAX_BYTES >> 20} MiB"
            raise CodeFailed(
                f"The evaluation code cannot look at the episode: {reason}.",
                reason=reason,
                next_step="Use rewards, actions and infos only; then observations are not kept.",
            )
        return {
            "observations": _stacked(self._observations) if self._sees_observations else None,
            "actions": _stacked(self._actions),
            "rewards": np.array(self._rewards, np.float64),
            "infos": self._infos if self._sees_infos else None,
            "terminated": self._terminated,
            "truncated": self._truncated,
            "seed": seed,
            "length": len(self._actions),
            "return_": float(np.sum(self._rewards)),
            "env_id": self._env_id,
            OWN_REWARDS: self._score() if self._scorer is not None else None,
        }

    def _score(self) -> Any:
        """What the reward of the run gives for each step."""
        assert self._scorer is not None
        n = len(self._actions)
        last = np.arange(n) == n - 1
        rows = StepRows(
            obs=_stacked(self._observations[:-1]),
            action=_stacked(self._actions),
            next_obs=_stacked(self._observations[1:]),
            reward=np.array(self._rewards, np.float64),
            terminated=last & self._terminated,
            truncated=last & self._truncated,
            begins=np.arange(n) == 0,
            info=self._infos[1:],
        )
        return self._scorer.score(rows).totals

    def _look(self, observation: Any, info: Mapping[str, Any]) -> None:
        if self._sees_observations and self._bytes <= MAX_BYTES:
            self._bytes += getattr(observation, "nbytes", 0)
            self._observations.append(_copied(observation))
        if self._sees_infos:
            self._infos.append(_plain_info(info))

    def _clear(self) -> None:
        self._bytes = 0
        self._observations: list[Any] = []
        self._actions: list[Any] = []
        self._rewards: list[float] = []
        self._infos: list[Any] = []
        self._terminated = self._truncated = False


def _stacked(values: list[Any]) -> Any:
    """One array; a list where they differ in shape."""
    try:
        return stack_observations(values)
    except ValueError:
        return [plain(one) for one in values]


def _plain_info(info: Mapping[str, Any]) -> Any:
    """Empty where it contains itself: what an environment reports must not end the evaluation."""
    try:
        return plain(dict(info))
    except RecursionError:
        return {}


def _copied(value: Any) -> Any:
    """Environments and policies may use an array again."""
    return value.copy() if isinstance(value, np.ndarray) else value
