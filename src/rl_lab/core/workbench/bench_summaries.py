"""Statistics of the reward bench: how one reward ranks episodes, compared with another one."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel


class RankFlip(BaseModel):
    """An episode that one reward ranks high and the other one low. Rank 1 is the best; equal returns share a rank."""

    run_id: str
    episode: int
    first_rank: float
    """Under the environment's reward; of a pair, under the first reward."""
    second_rank: float
    """Under the user's reward; of a pair, under the second one."""
    first_return: float
    second_return: float


class Spread(BaseModel):
    """The distribution of some numbers."""

    low: float
    q25: float
    median: float
    q75: float
    high: float
    mean: float


class OutcomeReturns(BaseModel):
    """The returns of all episodes with the same outcome."""

    outcome: str
    episodes: int
    own: Spread
    env: Spread


class SuspicionKind(StrEnum):
    opposite_trend = "opposite_trend"
    """Along a training the user's return rises while the environment's falls."""
    best_are_bad = "best_are_bad"
    """The best episodes under the user's reward are bad ones of the environment."""
    dominant_term = "dominant_term"
    """One term decides nearly everything."""
    length_wins = "length_wins"
    """The reward per step is nearly constant, so long episodes win."""


class Suspicion(BaseModel):
    """A sign that a policy could collect this reward without doing the task, with the numbers it is based on."""

    kind: SuspicionKind
    message: str
    numbers: dict[str, float]
    episodes: int
    """How many episodes it is based on."""
    run_id: str | None = None
    """The training, for an opposite trend."""


class TermInfluence(BaseModel):
    """What one term contributes to the ranking of episodes."""

    name: str
    share_of_sum: float
    """Of the absolute values of all terms' totals."""
    share_of_variance: float
    """Of the sum of all terms' variances between episodes."""
    spearman_without: float | None
    """Rank correlation with the environment's return when its weight is 0."""
    spearman_doubled: float | None
    """The same when its weight is 2."""


class RewardSummary(BaseModel):
    """A user's reward against the environment's."""

    reward: int
    """Its place in `BenchPlan.rewards`."""
    name: str
    episodes: int
    spearman: float | None
    """Rank correlation of both returns, −1 to 1; null with fewer than three episodes or equal returns."""
    kendall: float | None
    """Kendall's τ-b."""
    flips: list[RankFlip]
    """The episodes whose rank differs most, at most 50."""
    outcomes: list[OutcomeReturns]
    suspicions: list[Suspicion]
    terms: list[TermInfluence]


class RewardPair(BaseModel):
    """Two of the user's rewards against each other."""

    first: int
    second: int
    episodes: int
    spearman: float | None
    kendall: float | None
    flips: list[RankFlip]
