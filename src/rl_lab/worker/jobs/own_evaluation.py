"""The returns of played episodes under the user's reward that their policy learned from."""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_lab.core.errors import CodeFailed
from rl_lab.worker.own_reward import OwnReward
from rl_lab.worker.user_code.noted_steps import NotingEnv


class OwnEvaluation:
    """A reward that fails is a note: the environment's returns are not concerned."""

    def __init__(self, own: OwnReward | None) -> None:
        self._own = own
        self._returns: list[float] = []
        self._problem: str | None = None

    def watch(self, env: Any) -> Any:
        """The environment, whose steps are noted if there is a reward that scores them."""
        return env if self._own is None else NotingEnv(env, self._own.noted)

    def count(self) -> None:
        """Call it after each episode."""
        if self._own is None or not len(self._own.noted):
            return
        rows = self._own.noted.take()
        if self._problem is not None:
            return
        try:
            self._returns.append(float(self._own.scored(rows).totals.sum()))
        except CodeFailed as error:
            self._problem = error.detail

    def summary(self) -> dict[str, Any]:
        """Fields of the evaluation's summary."""
        if self._own is None:
            return {}
        about = {"own_reward": self._own.name, "own_problem": self._problem}
        if self._problem is not None or not self._returns:
            return about
        returns = np.array(self._returns)
        return {
            **about,
            "own_return_mean": float(returns.mean()),
            "own_return_std": float(returns.std(ddof=1)) if len(returns) > 1 else 0.0,
            "own_returns": self._returns,
        }
