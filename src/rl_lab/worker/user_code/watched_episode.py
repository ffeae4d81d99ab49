"""An episode as evaluation code sees it: collected step by step, then handed over as one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rl_lab.core.errors import CodeFailed
from rl_lab.worker.user_code.scorer import Scored, StepRows, added_up
from rl_lab.worker.user_code.step_values import copied, nbytes_of, plain_info, stack_observations

OWN_REWARDS = "own_rewards"
MAX_BYTES = 256 << 20
"""Of the observations and infos of one episode; pictures of a long game take more."""


class WatchedEpisode:
    """What `episode` offers: see docs/howto/evaluation-code.md.

    Observations and infos are kept only for code that names them.
    """

    def __init__(self, source: str, env_id: str, score: Callable[[StepRows], Scored] | None = None) -> None:
        """`score`: asks the reward of the run, where it has one of the user's."""
        self._env_id = env_id
        self._score = score if OWN_REWARDS in source else None
        self._sees_observations = "observations" in source or self._score is not None
        self._sees_infos = "infos" in source or self._score is not None
        self._clear()

    def begin(self, observation: Any, info: Mapping[str, Any]) -> None:
        self._clear()
        self._look(observation, info)

    def add(self, action: Any, outcome: tuple[Any, ...]) -> None:
        """`outcome`: what the environment's `step` returned."""
        observation, reward, terminated, truncated, info = outcome
        self._actions.append(copied(action))
        self._rewards.append(float(reward))
        self._terminated, self._truncated = bool(terminated), bool(truncated)
        self._look(observation, info)

    def fields(self, seed: int | None) -> dict[str, Any]:
        """The attributes of `episode`; CodeFailed when its observations and infos do not fit."""
        if self._bytes > MAX_BYTES:
            reason = f"the observations and infos of this episode take more than {MAX_BYTES >> 20} MiB"
            raise CodeFailed(
                f"The evaluation code cannot look at the episode: {reason}.",
                reason=reason,
                next_step="Use rewards, actions and infos only; then observations are not kept. Without infos, they "
                "are not kept either.",
            )
        return {
            "observations": stack_observations(self._observations) if self._sees_observations else None,
            "actions": stack_observations(self._actions),
            "rewards": np.array(self._rewards, np.float64),
            "infos": self._infos if self._sees_infos else None,
            "terminated": self._terminated,
            "truncated": self._truncated,
            "seed": seed,
            "length": len(self._actions),
            "return_": added_up(self._rewards),
            "env_id": self._env_id,
            OWN_REWARDS: self._score(self._rows()).totals if self._score is not None else None,
        }

    def _rows(self) -> StepRows:
        """The steps, for the reward of the run."""
        n = len(self._actions)
        last = np.arange(n) == n - 1
        return StepRows(
            obs=stack_observations(self._observations[:-1]),
            action=stack_observations(self._actions),
            next_obs=stack_observations(self._observations[1:]),
            reward=np.array(self._rewards, np.float64),
            terminated=last & self._terminated,
            truncated=last & self._truncated,
            begins=np.arange(n) == 0,
            info=self._infos[1:],
        )

    def _look(self, observation: Any, info: Mapping[str, Any]) -> None:
        """Keeps no more once they do not fit."""
        if self._sees_observations and self._bytes <= MAX_BYTES:
            self._bytes += nbytes_of(observation)
            self._observations.append(copied(observation))
        if self._sees_infos and self._bytes <= MAX_BYTES:
            self._infos.append(plain_info(info))
            self._bytes += nbytes_of(self._infos[-1])

    def _clear(self) -> None:
        self._bytes = 0
        self._observations: list[Any] = []
        self._actions: list[Any] = []
        self._rewards: list[float] = []
        self._infos: list[Any] = []
        self._terminated = self._truncated = False
