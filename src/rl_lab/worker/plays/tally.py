"""What came of a play, counted while it runs."""

from __future__ import annotations

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

    def count(self, steps: int, *, is_person: bool) -> None:
        self.steps += steps
        self.by_person += steps if is_person else 0

    def end(self, env: PlayedEnv) -> None:
        """The environment has ended the episode."""
        self.episodes += 1
        self._returns.append(env.returned)
        self._lengths.append(env.steps)
        self._seeds.append(env.moment.seed)
        self._players.append(env.player)

    def cut_off(self) -> None:
        self.episodes += 1

    def result(self) -> PlayResult:
        returns = self._returns
        return PlayResult(
            episodes=self.episodes,
            steps=self.steps,
            by_person=self.by_person,
            best_return=max(returns, default=None),
            return_mean=sum(returns) / len(returns) if returns else None,
            finished=len(returns),
            returns=returns,
            lengths=self._lengths,
            seeds=self._seeds,
            players=self._players,
        )
