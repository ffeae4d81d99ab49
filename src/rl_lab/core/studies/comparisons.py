"""What a comparison of runs returns: groups of one configuration over their seeds, and the differences between them.

Also the learning curves of such groups. Higher values are better, always: they are returns.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.insights import Insight
from rl_lab.core.run_query import METRIC

MEASURES = {
    "final": "mean return of the last 100 episodes",
    "best": "best mean over 100 episodes",
    "area": "mean height of the learning curve",
    "evaluation": "mean return of the newest evaluation",
}
AT_STEP = "at_step"
"""The measure that needs a step: the mean return there."""


def is_number(measure: str) -> bool:
    """Whether it is a number of evaluation code, and no measure of the lab or derived metric."""
    return measure not in MEASURES and measure != AT_STEP and not measure.startswith(METRIC)


def is_of_evaluations(measure: str) -> bool:
    """Whether the protocol of the evaluations decides about its values; those of other measures are of the training."""
    return measure == "evaluation" or is_number(measure)


CompareMethod = Literal["lab", "rliable"]
CurveStatistic = Literal["mean", "iqm", "median"]
Outcome = Literal["better", "worse", "not established"]
Ends = tuple[float, float]
"""Lower and upper end of an interval."""


class ComparisonQuestion(BaseModel):
    """What a user asks of a comparison."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    measure: Annotated[str, Field(max_length=80)] | None = Field(
        default=None,
        description="What the verdicts are about: `final`, `best`, `area`, `evaluation`, `at_step` (needs `step`), a "
        "number of evaluation code, or a derived metric as `metrics.NAME`; absent: the measure of the study, or "
        "`final`.",
    )
    protocol: Annotated[str, Field(max_length=200)] | None = Field(
        default=None,
        description="Take evaluations by this protocol, NAME or NAME@v2; absent: by that of the study, or the one that "
        "most runs were evaluated by. Different ones are never mixed.",
    )
    method: CompareMethod = Field(
        default="lab",
        description="`rliable`: intervals as rliable 1.2.0 computes them, for papers; the verdicts stay the same.",
    )
    reference: Annotated[str, Field(max_length=200)] = Field(
        default="first",
        description="What the others are compared with: `first`, `best`, the number or label of a group or variant, "
        "or the id of a run of it.",
    )
    step: float | None = Field(
        default=None, ge=0, le=2**53, description="Adds the measure `at_step`: the mean return at this step."
    )
    threshold: float | None = Field(
        default=None,
        ge=-1e15,
        le=1e15,
        description="Mean return over 100 episodes whose first step is asked for; absent: where the environment "
        "counts as solved.",
    )


class CurveQuestion(BaseModel):
    """What a user asks of learning curves."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    metric: Annotated[str, Field(min_length=1, max_length=200)] = "mean_reward"
    statistic: CurveStatistic = Field(default="mean", description="Of the seeds, at each step.")
    points: int = Field(default=200, ge=2, le=1000, description="Steps at which the curves are evaluated.")


class GroupStatistics(BaseModel):
    """One measure over the seeds of a group; fewer than five seeds give no interval."""

    seeds: int
    """Seeds with a finite value; those without one are in the notes of the group."""
    mean: float
    mean_interval: Ends | None
    mean_level: float | None
    """How often such an interval contains the true mean (`core/intervals.py`)."""
    deviation: float | None = None
    """Standard deviation (n − 1); null for one seed."""
    median: float
    median_interval: Ends | None = None
    iqm: float
    """Interquartile mean: the mean of the middle half."""
    iqm_interval: Ends | None = None
    low: float
    high: float
    not_finite: int = 0
    """Seeds whose value is not a finite number; they are in no other number here."""
    missing: int = 0
    """Seeds that have no value of this measure."""


class SeedCounts(BaseModel):
    """What became of the seeds of a group."""

    total: int = 0
    ended_early: int = 0
    """Ended before the step that the longest run reached; their last value is used."""
    failed: int = 0
    """Failed, were stopped or lost; those among them that have values are used."""
    training: int = 0
    """Not ended yet: left out where a seed of their group has ended."""
    without_values: int = 0
    """Never reported a return: left out."""
    not_finite: int = 0
    """Had episodes whose return was not a finite number; their means are over the other episodes."""


class ThresholdTimes(BaseModel):
    """When the seeds of a group first reached a mean return; those that never did count as later than all others."""

    threshold: float
    reached: int
    seeds: int
    median: float | None
    """Step; null where fewer than half of the seeds reached it."""
    interval: tuple[float, float | None] | None
    """Of the median; the upper end is null where it lies beyond the training. Null for fewer than five seeds."""
    level: float | None
    sentence: str


class ScoreProfile(BaseModel):
    """Share of a group's seeds above each score, with a pointwise interval."""

    share: list[float]
    low: list[float] | None
    high: list[float] | None


class ComparedGroup(BaseModel):
    """Runs that differ only in their seed."""

    label: str
    run_ids: list[str]
    seeds: list[int | None]
    statistics: dict[str, GroupStatistics]
    """By measure: those of the lab, numbers of evaluation code and derived metrics; one is absent if no run has it."""
    threshold: float | None
    solved: int
    """Runs whose mean over 100 episodes reached the threshold."""
    solved_step: float | None
    """Median of the steps at which they did."""
    agreement: Insight | None = None
    """Whether the seeds agree or disagree; null for one seed, for too few episodes, and where neither is clear."""
    variant: int | None = None
    """Number in its study."""
    counts: SeedCounts = SeedCounts()
    notes: list[str] = []
    """Sentences about seeds that ended early, are missing or had returns that are not finite."""
    threshold_times: ThresholdTimes | None = None
    profile: ScoreProfile | None = None
    """Of the measure of the verdicts, at `Comparison.scores`."""


class GroupDifference(BaseModel):
    """The mean of one group minus that of another."""

    first: str
    second: str
    measure: str
    mean: float
    interval: Ends | None
    """Absent if one of the groups has fewer than five seeds."""
    level: float | None
    chance_first_better: float
    """Probability that a random seed of the first group is above one of the second; ties count half."""


class GroupVerdict(BaseModel):
    """Whether a group is better than the reference, in the measure of the comparison."""

    group: str
    reference: str
    outcome: Outcome
    sentence: str
    difference: float | None
    """Mean of the group minus that of the reference; null where one of them has no value."""
    interval: Ends | None
    """Contains 0 exactly where `p` is above 0.05; of this comparison alone, not corrected."""
    level: float | None
    p: float | None
    """Of the studentized permutation test; null below five seeds."""
    p_corrected: float | None
    """What decides: corrected for the number of comparisons."""
    chance_better: float | None
    """Probability that a random seed of the group is above one of the reference; ties count half."""
    chance_interval: Ends | None
    seeds: tuple[int, int]
    """Of the group and of the reference, as far as they are used."""
    seeds_needed: int | None
    """Per group, for a power of 80 %; null where it is settled, unknown, or hopeless."""
    more_seeds: int | None
    """How many to add to each of the two groups to have `seeds_needed`."""
    advice: str | None
    """What would settle it; null where it is settled."""


class ComparedProtocol(BaseModel):
    """A protocol by which some of the runs were evaluated."""

    text: str
    name: str | None = None
    sha256: str
    runs: int
    """How many of them."""


class Comparison(BaseModel):
    measures: dict[str, str]
    groups: list[ComparedGroup]
    differences: list[GroupDifference]
    """All pairs of up to eight groups; of more, those with the reference."""
    measure: str = "final"
    """What the verdicts and profiles are about."""
    method: CompareMethod = "lab"
    reference: str | None = None
    """Label of the group that the others are compared with; null for none or one group."""
    verdicts: list[GroupVerdict] = []
    correction: str = ""
    """How several comparisons are corrected."""
    recommendation: str = ""
    """What follows from the verdicts."""
    scores: list[float] = []
    """At which the profiles are evaluated."""
    notes: list[str] = []
    """About the whole comparison: how values are chosen, what was left out."""
    protocols: list[ComparedProtocol] = []
    """By which the runs were evaluated; the values are of the first one only."""


class AggregateCurve(BaseModel):
    """One metric over the seeds of a group; the lists have one entry per step."""

    label: str
    variant: int | None = None
    run_ids: list[str]
    step: list[float]
    value: list[float]
    low: list[float | None]
    """Ends of the interval of `value`; null where fewer than five seeds have a value."""
    high: list[float | None]
    least: list[float]
    """Lowest and highest seed."""
    most: list[float]
    seeds: list[int]
    """Seeds behind each value."""
    notes: list[str] = []


class AggregateCurves(BaseModel):
    """Learning curves of several groups of seeds."""

    metric: str
    title: str
    unit: str = ""
    statistic: CurveStatistic
    level: float | None
    """Of the intervals: the lowest of all groups; null where there is none."""
    threshold: float | None = None
    groups: list[AggregateCurve]
    notes: list[str] = []
