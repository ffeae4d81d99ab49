"""What a comparison of runs returns: groups of one configuration over their seeds, and the differences between them."""

from __future__ import annotations

from pydantic import BaseModel

from rl_lab.core.insights import Insight

MEASURES = {
    "final": "mean return of the last 100 episodes",
    "best": "best mean over 100 episodes",
    "evaluation": "mean return of the newest evaluation",
}


class GroupStatistics(BaseModel):
    """One measure over the seeds of a group; fewer than five seeds give no interval."""

    seeds: int
    mean: float
    mean_interval: tuple[float, float] | None
    mean_level: float | None
    """How often such an interval contains the true mean (`core/intervals.py`)."""
    median: float
    iqm: float
    """Interquartile mean: the mean of the middle half."""
    low: float
    high: float


class ComparedGroup(BaseModel):
    """Runs that differ only in their seed."""

    label: str
    run_ids: list[str]
    seeds: list[int | None]
    statistics: dict[str, GroupStatistics]
    """By measure: final, best, evaluation; one is absent if no run has it."""
    threshold: float | None
    solved: int
    """Runs whose mean over 100 episodes reached the threshold."""
    solved_step: float | None
    """Median of the steps at which they did."""
    agreement: Insight | None = None
    """Whether the seeds agree or disagree; null for one seed, for too few episodes, and where neither is clear."""


class GroupDifference(BaseModel):
    """The mean of one group minus that of another."""

    first: str
    second: str
    measure: str
    mean: float
    interval: tuple[float, float] | None
    """Absent if one of the groups has fewer than five seeds."""
    level: float | None
    chance_first_better: float
    """Probability that a random seed of the first group is above one of the second; ties count half."""


class Comparison(BaseModel):
    measures: dict[str, str]
    groups: list[ComparedGroup]
    differences: list[GroupDifference]
