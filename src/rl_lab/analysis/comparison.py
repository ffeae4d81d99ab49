"""Runs compared across seeds: groups of one configuration, their statistics, and verdicts on the groups.

One rule for seeds that differ in length: a seed that ended counts with its last value from there on, for whatever
reason it ended; one that still trains is left out as soon as another seed of its group has ended; one without any
return is left out. The notes of each group count all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rl_lab.analysis.curves import Floats, RunCurves
from rl_lab.analysis.insights.seeds import agreement_of
from rl_lab.analysis.recommendation import recommend
from rl_lab.analysis.seed_notes import SeedRun, count_seeds, describe_seeds
from rl_lab.analysis.statistics import Estimate, difference, iqm, mean, median
from rl_lab.analysis.statistics.profiles import performance_profile, profile_scores
from rl_lab.analysis.statistics.rliable import rliable_intervals
from rl_lab.analysis.statistics.seed_curves import NO_CURVE, mean_return_curve
from rl_lab.analysis.statistics.threshold_times import threshold_times
from rl_lab.analysis.statistics.verdicts import SeedValues, judge, named_by
from rl_lab.core.errors import InvalidInput
from rl_lab.core.intervals import NOMINAL
from rl_lab.core.run_query import METRIC
from rl_lab.core.runs import Run
from rl_lab.core.studies.comparisons import (
    AT_STEP,
    MEASURES,
    ComparedGroup,
    CompareMethod,
    Comparison,
    ComparisonQuestion,
    GroupDifference,
    GroupStatistics,
    ScoreProfile,
)
from rl_lab.core.studies.evaluation_scores import NO_SCORES, ChosenScores, derived_measure
from rl_lab.core.studies.seed_groups import group_configurations
from rl_lab.core.words.run_names import distinct_parts

MOST_PAIRED = 8
"""Up to so many groups have the differences of all pairs."""
HIGHER = (
    "A number of evaluation code or a derived metric counts as better where it is higher; where lower is better, read "
    "the verdicts the other way round."
)
RLIABLE = "Intervals of mean and IQM as rliable computes them: 50,000 bootstrap samples, 95 % for any number of seeds."
Values = dict[str, Floats]
"""By measure, one value per used seed."""


@dataclass(frozen=True, eq=False)
class Seeds:
    """A configuration and the runs that were trained with it."""

    label: str
    runs: Sequence[SeedRun]
    threshold: float | None = None
    """Where its environment counts as solved."""
    variant: int | None = None
    curves: Sequence[RunCurves] = ()
    """For the question whether the seeds agree."""
    planned: int = 0
    """Seeds that its study wants; 0 outside a study."""


def compare_runs(
    runs: Sequence[Run],
    curves: Mapping[str, RunCurves],
    scores: ChosenScores = NO_SCORES,
    question: ComparisonQuestion | None = None,
) -> Comparison:
    """`curves` are by run id."""
    members = group_configurations(runs)
    groups = [
        Seeds(
            label=label,
            runs=[_seed_run(run, curves.get(run.id), scores) for run in group],
            threshold=next((c.reward_threshold for run in group if (c := curves.get(run.id))), None),
            curves=[found for run in group if (found := curves.get(run.id)) is not None],
        )
        for label, group in zip(group_labels(members), members, strict=True)
    ]
    return compare_groups(groups, question or ComparisonQuestion(), scores=scores)


def _seed_run(run: Run, curves: RunCurves | None, scores: ChosenScores) -> SeedRun:
    return SeedRun(
        run_id=run.id,
        seed=getattr(run.config, "seed", None),
        status=run.status,
        final=run.summary.mean_reward,
        best=run.summary.best_mean_reward,
        evaluation=scores.returns.get(run.id),
        numbers=scores.numbers_of(run.id),
        curve=mean_return_curve(curves) if curves is not None else NO_CURVE,
        returns_note=run.returns_note,
    )


def group_labels(groups: Sequence[Sequence[Run]]) -> list[str]:
    """What differs in the names, without the seed; numbered where that is nothing."""
    names = []
    for group in groups:
        seed = getattr(group[0].config, "seed", None)
        names.append(group[0].name.replace(f" · seed {seed}", "") if len(group) > 1 else group[0].name)
    return numbered(distinct_parts(names) if len(names) > 1 else names)


def numbered(labels: Sequence[str]) -> list[str]:
    """Labels that occur twice get a number."""
    numbers = [labels[: place + 1].count(label) for place, label in enumerate(labels)]
    return [
        f"{label} ({number})" if labels.count(label) > 1 else label
        for label, number in zip(labels, numbers, strict=True)
    ]


def compare_groups(
    groups: Sequence[Seeds],
    question: ComparisonQuestion,
    measure: str = "final",
    *,
    scores: ChosenScores = NO_SCORES,
) -> Comparison:
    """`measure` is taken where the question names none; `scores`: how the evaluations of the groups were chosen."""
    measures = _measures(question.step, scores)
    wanted = _wanted(question, measures, measure)
    measures.setdefault(wanted, wanted)
    until = max((run.curve.last_step for group in groups for run in group.runs), default=0.0)
    used = [_used(group) for group in groups]
    values = [_values(members, until, question.step) for members in used]
    judged = [_finite(sample.get(wanted, np.empty(0))) for sample in values]
    points = profile_scores(judged)
    compared = [
        _group(group, members, sample, question)
        for group, members, sample in zip(groups, used, values, strict=True)
    ]
    for group, sample in zip(compared, judged, strict=True):
        group.profile = _profile(sample, points)
    found = Comparison(
        measures=measures,
        groups=compared,
        differences=[],
        measure=wanted,
        method=question.method,
        scores=points.tolist(),
        notes=[*_notes(groups, values, until, question.method), *_score_notes(wanted, scores)],
        protocols=list(scores.protocols),
    )
    if not groups:
        return found
    judged_groups = _with_verdicts(found, groups, values, question)
    return judged_groups.model_copy(update={"recommendation": recommend(judged_groups)})


def _wanted(question: ComparisonQuestion, measures: Mapping[str, str], usual: str) -> str:
    """The measure of the verdicts. That of a study may be missing until its first run has been evaluated."""
    wanted = question.measure or (AT_STEP if question.step is not None else usual)
    if question.measure == AT_STEP and question.step is None:
        raise InvalidInput.of_field("step", "the measure at_step needs a step", "a number of steps")
    if wanted in measures or question.measure is None:
        return wanted
    if derived_measure(wanted) in measures:
        return derived_measure(wanted)
    raise InvalidInput.of_field("measure", f"none of the runs has “{wanted}”", list(measures))


def _measures(step: float | None, scores: ChosenScores) -> dict[str, str]:
    found = dict(MEASURES)
    cited = f" ({scores.protocol.text})" if scores.protocol is not None else ""
    found["evaluation"] += cited
    found |= {name: f"mean {name} of the newest evaluation{cited}" for name in scores.numbers}
    found |= {name: f"last value of {name.removeprefix(METRIC)}" for name in scores.derived}
    return found if step is None else {**found, AT_STEP: f"mean return at step {step:,.0f}"}


def _score_notes(measure: str, scores: ChosenScores) -> list[str]:
    return [*scores.notes, *([HIGHER] if measure in {*scores.numbers, *scores.derived} else [])]


def _used(group: Seeds) -> list[SeedRun]:
    """The ended seeds; those that still train only while none has ended."""
    return [run for run in group.runs if run.is_ended] or list(group.runs)


def _values(runs: Sequence[SeedRun], until: float, step: float | None) -> Values:
    """NaN where a seed has no value of a measure, infinity where its value is not a finite number."""
    found: dict[str, list[float | None]] = {
        "final": [run.final for run in runs],
        "best": [run.best for run in runs],
        "area": [run.curve.height(until) if len(run.curve) else None for run in runs],
        "evaluation": [run.evaluation for run in runs],
    }
    for name in dict.fromkeys(name for run in runs for name in run.numbers):
        found[name] = [run.numbers.get(name) for run in runs]
    if step is not None:
        at = np.array([step])
        found[AT_STEP] = [
            float(run.curve.at(at, is_ended=run.is_ended)[0]) if len(run.curve) else None for run in runs
        ]
    return {
        name: np.array([_number(value) for value in column])
        for name, column in found.items()
        if any(value is not None for value in column)
    }


def _number(value: float | None) -> float:
    return np.nan if value is None else value if np.isfinite(value) else np.inf


def _finite(sample: Floats) -> Floats:
    return sample[np.isfinite(sample)]


def _group(
    group: Seeds, used: Sequence[SeedRun], values: Values, question: ComparisonQuestion
) -> ComparedGroup:
    threshold = group.threshold if question.threshold is None else question.threshold
    known = [run for run in used if len(run.curve)] if threshold is not None else []
    steps = [run.curve.first_step(threshold) for run in known] if threshold is not None else []
    reached = [step for step in steps if np.isfinite(step)]
    counts = count_seeds(group.runs)
    return ComparedGroup(
        label=group.label,
        run_ids=[run.run_id for run in group.runs],
        seeds=[run.seed for run in group.runs],
        statistics={
            name: found
            for name, sample in values.items()
            if (found := _statistics(sample, question.method)) is not None
        },
        threshold=threshold,
        solved=len(reached),
        solved_step=float(np.median(reached)) if reached else None,
        agreement=agreement_of(group.curves),
        variant=group.variant,
        counts=counts,
        notes=describe_seeds(group.runs, counts, group.planned),
        threshold_times=threshold_times(steps, threshold) if threshold is not None and steps else None,
    )


def _statistics(sample: Floats, method: CompareMethod) -> GroupStatistics | None:
    known = _finite(sample)
    if not len(known):
        return None
    estimates = {"mean": mean(known), "median": median(known), "iqm": iqm(known)}
    ends = {name: _interval(estimate) for name, estimate in estimates.items()}
    level = estimates["mean"].level
    if method == "rliable":
        ends, level = {**rliable_intervals(known), "median": None}, NOMINAL
    return GroupStatistics(
        seeds=len(known),
        mean=estimates["mean"].value,
        mean_interval=ends["mean"],
        mean_level=level,
        deviation=float(known.std(ddof=1)) if len(known) > 1 else None,
        median=estimates["median"].value,
        median_interval=ends["median"],
        iqm=estimates["iqm"].value,
        iqm_interval=ends["iqm"],
        low=float(known.min()),
        high=float(known.max()),
        not_finite=int(np.isinf(sample).sum()),
        missing=int(np.isnan(sample).sum()),
    )


def _interval(estimate: Estimate) -> tuple[float, float] | None:
    return (estimate.low, estimate.high) if estimate.level is not None else None


def _profile(sample: Floats, scores: Floats) -> ScoreProfile | None:
    if not len(sample):
        return None
    share, ends = performance_profile(sample, scores)
    low, high = (end.tolist() for end in ends) if ends else (None, None)
    return ScoreProfile(share=share.tolist(), low=low, high=high)


def _notes(
    groups: Sequence[Seeds], values: Sequence[Values], until: float, method: CompareMethod
) -> list[str]:
    if not groups:
        return ["None of the runs is a training, so there is nothing to compare."]
    found = []
    if any("area" in sample for sample in values):
        found.append(
            f"The height of a learning curve is its mean up to step {until:,.0f}, the end of the longest run; "
            "a run that ended before keeps its last value."
        )
    if method == "rliable":
        found.append(RLIABLE)
    return found


def _with_verdicts(
    found: Comparison, groups: Sequence[Seeds], values: Sequence[Values], question: ComparisonQuestion
) -> Comparison:
    """The verdicts on all groups but the reference; `values` are those of the statistics."""
    samples = [
        SeedValues(
            label=group.label,
            values=_finite(sample.get(found.measure, np.empty(0)))
            if any(run.is_ended for run in group.runs)
            else np.empty(0),
            training=sum(not run.is_ended for run in group.runs),
        )
        for group, sample in zip(groups, values, strict=True)
    ]
    place = _reference(groups, samples, question.reference)
    is_best = question.reference == "best"
    verdicts, correction = judge(samples, place, is_best=is_best) if len(groups) > 1 else ([], "")
    return found.model_copy(
        update={
            "verdicts": verdicts,
            "correction": correction,
            "reference": groups[place].label if len(groups) > 1 else None,
            "differences": _differences(groups, values, place),
        }
    )


def _reference(groups: Sequence[Seeds], samples: Sequence[SeedValues], wanted: str) -> int:
    if wanted == "first":
        return 0
    if wanted == "best":
        means = [one.values.mean() if one.count else -np.inf for one in samples]
        return int(np.argmax(means))
    labels = [group.label for group in groups]
    places = {run.run_id: place for place, group in enumerate(groups) for run in group.runs}
    places |= {str(group.variant): place for place, group in enumerate(groups) if group.variant is not None}
    place = named_by(labels, places, wanted)
    if place is None:
        raise InvalidInput.of_field(
            "reference", f"“{wanted}” is none of the groups", ["first", "best", *labels]
        )
    return place


def _differences(groups: Sequence[Seeds], values: Sequence[Values], reference: int) -> list[GroupDifference]:
    places = range(len(groups))
    pairs = (
        list(combinations(places, 2))
        if len(groups) <= MOST_PAIRED
        else [(place, reference) for place in places if place != reference]
    )
    return [
        _difference(groups[one].label, groups[other].label, measure, (first, second))
        for one, other in pairs
        for measure in values[one]
        if len(first := _finite(values[one][measure]))
        and len(second := _finite(values[other].get(measure, np.empty(0))))
    ]


def _difference(first: str, second: str, measure: str, samples: tuple[Floats, Floats]) -> GroupDifference:
    estimate, chance = difference(*samples)
    return GroupDifference(
        first=first,
        second=second,
        measure=measure,
        mean=estimate.value,
        interval=_interval(estimate),
        level=estimate.level,
        chance_first_better=chance,
    )
