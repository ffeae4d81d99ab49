"""Runs compared across seeds: groups of one configuration, their statistics, and the differences between groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from rl_lab.analysis.curves import RunCurves, Series
from rl_lab.analysis.insights.seeds import agreement_of
from rl_lab.analysis.smoothing import moving_mean
from rl_lab.analysis.statistics import Estimate, difference, iqm, mean, median
from rl_lab.core.runs import Run
from rl_lab.core.studies.comparisons import (
    MEASURES,
    ComparedGroup,
    Comparison,
    GroupDifference,
    GroupStatistics,
)
from rl_lab.core.studies.seed_groups import group_configurations
from rl_lab.core.words.run_names import distinct_parts

SOLVED_OVER = 100
"""An environment counts as solved by the mean reward of this many episodes."""


def compare_runs(
    runs: Sequence[Run], curves: Mapping[str, RunCurves], evaluations: Mapping[str, float]
) -> Comparison:
    """`curves` and the newest evaluations' mean returns are by run id."""
    members = group_configurations(runs)
    labels = _labels(members)
    values = [_values(group, evaluations) for group in members]
    groups = [
        _group(label, group, sample, curves)
        for label, group, sample in zip(labels, members, values, strict=True)
    ]
    return Comparison(
        measures=MEASURES, groups=groups, differences=_differences(list(zip(labels, values, strict=True)))
    )


def _labels(groups: Sequence[Sequence[Run]]) -> list[str]:
    """What differs in the names, without the seed; numbered where that is nothing."""
    names = []
    for group in groups:
        seed = getattr(group[0].config, "seed", None)
        names.append(group[0].name.replace(f" · seed {seed}", "") if len(group) > 1 else group[0].name)
    short = distinct_parts(names) if len(names) > 1 else names
    numbers = [short[: place + 1].count(label) for place, label in enumerate(short)]
    is_twice = [short.count(label) > 1 for label in short]
    return [
        f"{label} ({number})" if twice else label
        for label, number, twice in zip(short, numbers, is_twice, strict=True)
    ]


def _values(group: Sequence[Run], evaluations: Mapping[str, float]) -> dict[str, list[float]]:
    found: dict[str, list[float | None]] = {
        "final": [run.summary.mean_reward for run in group],
        "best": [run.summary.best_mean_reward for run in group],
        "evaluation": [evaluations.get(run.id) for run in group],
    }
    known = {name: [value for value in values if value is not None] for name, values in found.items()}
    return {name: values for name, values in known.items() if values}


def _group(
    label: str, group: Sequence[Run], values: Mapping[str, list[float]], curves: Mapping[str, RunCurves]
) -> ComparedGroup:
    threshold = next((c.reward_threshold for run in group if (c := curves.get(run.id)) is not None), None)
    steps = [step for run in group if (step := _solved_step(curves.get(run.id), threshold)) is not None]
    return ComparedGroup(
        label=label,
        run_ids=[run.id for run in group],
        seeds=[getattr(run.config, "seed", None) for run in group],
        statistics={name: _statistics(sample) for name, sample in values.items()},
        threshold=threshold,
        solved=len(steps),
        solved_step=float(np.median(steps)) if steps else None,
        agreement=agreement_of([found for run in group if (found := curves.get(run.id)) is not None]),
    )


def _solved_step(curves: RunCurves | None, threshold: float | None) -> float | None:
    """The first step at which the mean over 100 episodes was at the threshold."""
    if curves is None or threshold is None:
        return None
    means = _means(curves)
    reached = np.flatnonzero(means.value >= threshold)
    return float(means.step[reached[0]]) if len(reached) else None


def _means(curves: RunCurves) -> Series:
    """The mean over 100 episodes: of their rewards, or as the run itself reported it where it has no episodes."""
    rewards = curves.find("reward")
    if not len(rewards) or curves.point_of("reward").kind == "mean":
        return rewards if len(rewards) else curves.find("mean_reward")
    is_bin = rewards.n >= SOLVED_OVER
    smooth = moving_mean(rewards.value, SOLVED_OVER)
    # A bin of a long run is a mean over more episodes already; the first points after it average over bins, too.
    after_bin = np.convolve(is_bin, np.ones(SOLVED_OVER))[: len(is_bin)] > 0
    return Series.of(rewards.step, np.where(after_bin, rewards.value, smooth)).take(
        (is_bin | ~after_bin) & (np.arange(len(is_bin)) >= SOLVED_OVER - 1)
    )


def _statistics(sample: Sequence[float]) -> GroupStatistics:
    estimate = mean(sample)
    return GroupStatistics(
        seeds=len(sample),
        mean=estimate.value,
        mean_interval=_interval(estimate),
        mean_level=estimate.level,
        median=median(sample).value,
        iqm=iqm(sample).value,
        low=min(sample),
        high=max(sample),
    )


def _interval(estimate: Estimate) -> tuple[float, float] | None:
    return (estimate.low, estimate.high) if estimate.level is not None else None


def _differences(groups: Sequence[tuple[str, Mapping[str, list[float]]]]) -> list[GroupDifference]:
    found = []
    for (first, one), (second, other) in combinations(groups, 2):
        for measure in MEASURES:
            if measure in one and measure in other:
                estimate, chance = difference(one[measure], other[measure])
                found.append(
                    GroupDifference(
                        first=first,
                        second=second,
                        measure=measure,
                        mean=estimate.value,
                        interval=_interval(estimate),
                        level=estimate.level,
                        chance_first_better=chance,
                    )
                )
    return found
