"""What came of a play, counted while it runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_lab.analysis.statistics import mean
from rl_lab.core.jobs.play import PlayResult
from rl_lab.core.plays.players import Player
from rl_lab.worker.plays.played_env import PlayedEnv


class PlayTally:
    def __init__(self) -> None:
        self.steps = 0
        self.by_person = 0
        self.episodes = 0
        """Ended so far, also those that were cut off."""
        self._returns: list[float] = []
        self._lengths: list[int] = []
        self._seeds: list[int | None] = []
        self._players: list[Player] = []
        self._terminated = 0

    def count(self, steps: int, *, is_person: bool) -> None:
        self.steps += steps
        self.by_person += steps if is_person else 0

    def end(self, env: PlayedEnv, *, terminated: bool) -> None:
        """The environment has ended the episode."""
        self.episodes += 1
        self._terminated += terminated
        self._returns.append(env.returned)
        self._lengths.append(env.steps)
        self._seeds.append(env.moment.seed)
        self._players.append(env.player)

    def cut_off(self) -> None:
        self.episodes += 1

    def result(self) -> PlayResult:
        return PlayResult(
            episodes=self.episodes,
            steps=self.steps,
            by_person=self.by_person,
            finished=len(self._returns),
            returns=self._returns,
            lengths=self._lengths,
            seeds=self._seeds,
            players=self._players,
            terminated=self._terminated,
            truncated=len(self._returns) - self._terminated,
            **self._figures(),
        )

    def _figures(self) -> dict[str, Any]:
        """Of the finished episodes; empty without any."""
        if not self._returns:
            return {}
        returns, found = np.array(self._returns), mean(self._returns)
        return {
            "best_return": float(returns.max()),
            "return_mean": float(returns.mean()),
            "return_std": float(returns.std(ddof=1)) if len(returns) > 1 else 0.0,
            "return_ci": (found.low, found.high),
            "return_ci_level": found.level,
            "length_mean": float(np.mean(self._lengths)),
        }
