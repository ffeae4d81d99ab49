"""The scored episodes as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rl_lab.analysis.rewards.ranks import Floats
from rl_lab.core.workbench.bench import BenchEpisode, RewardScore


@dataclass(frozen=True)
class RewardColumns:
    """The episodes that one reward has scored."""

    episodes: Sequence[BenchEpisode]
    own: Floats
    env: Floats
    lengths: Floats
    terms: dict[str, Floats]

    def __len__(self) -> int:
        return len(self.episodes)


def columns_of(episodes: Sequence[BenchEpisode], reward: int) -> RewardColumns:
    scored = [one for one in episodes if one.scores[reward] is not None]
    scores = [score for one in scored if (score := one.scores[reward]) is not None]
    return RewardColumns(
        episodes=scored,
        own=np.array([score.own_return for score in scores], np.float64),
        env=np.array([one.env_return for one in scored], np.float64),
        lengths=np.array([one.length for one in scored], np.float64),
        terms=_term_columns(scores),
    )


def own_returns(episodes: Sequence[BenchEpisode], reward: int) -> Floats:
    """Not a number where the reward has failed."""
    found = (one.scores[reward] for one in episodes)
    return np.array([np.nan if score is None else score.own_return for score in found], np.float64)


def _term_columns(scores: Sequence[RewardScore]) -> dict[str, NDArray[np.float64]]:
    names = dict.fromkeys(name for score in scores for name in score.terms)
    return {name: np.array([score.terms.get(name, 0.0) for score in scores], np.float64) for name in names}
