"""The returns of played episodes under the user's reward that their policy learned from."""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_lab.worker.own_reward import OwnReward
from rl_lab.worker.scored_episode import ScoredEpisode
from rl_lab.worker.user_code.noted_steps import NotingEnv


class OwnEvaluation:
    """A reward that fails is a note: the environment's returns are not concerned."""

    def __init__(self, own: OwnReward | None) -> None:
        self._name = own.name if own is not None else ""
        self._episode = ScoredEpisode(own) if own is not None else None
        self._returns: list[float] = []

    def watch(self, env: Any) -> Any:
        """The environment, whose steps are noted if there is a reward that scores them."""
        return env if self._episode is None else NotingEnv(env, self._episode.noted)

    def count(self) -> None:
        """Call it after each episode."""
        scored = self._episode.finish() if self._episode is not None else None
        if scored is not None:
            self._returns.append(scored.returned)

    def summary(self) -> dict[str, Any]:
        """Fields of the evaluation's summary."""
        if self._episode is None:
            return {}
        problem = self._episode.problem or None
        about = {"own_reward": self._name, "own_problem": problem}
        if problem is not None or not self._returns:
            return about
        returns = np.array(self._returns)
        return {
            **about,
            "own_return_mean": float(returns.mean()),
            "own_return_std": float(returns.std(ddof=1)) if len(returns) > 1 else 0.0,
            "own_returns": self._returns,
        }
