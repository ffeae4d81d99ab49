"""Better, worse or not established: each group of seeds against a reference, in one sentence with its numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rl_lab.analysis.curves import Floats
from rl_lab.analysis.statistics.corrections import describe_correction, holm, pairs
from rl_lab.analysis.statistics.improvement import probability_of_improvement
from rl_lab.analysis.statistics.permutation import PermutationResult, permutation_test
from rl_lab.analysis.statistics.power import MOST_MORE, least_seeds, seeds_needed
from rl_lab.analysis.wording import count, number
from rl_lab.core.intervals import LEAST_VALUES, NOMINAL
from rl_lab.core.studies.comparisons import GroupVerdict, Outcome

ALPHA = 0.05


@dataclass(frozen=True, eq=False)
class SeedValues:
    """One measure of a group: the finite values of its ended seeds."""

    label: str
    values: Floats
    training: int = 0
    """Seeds without a value yet, because they still train or wait."""

    @property
    def count(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class _Pair:
    group: SeedValues
    reference: SeedValues
    result: PermutationResult | None
    """None: too few seeds."""


def judge(groups: Sequence[SeedValues], reference: int, *, is_best: bool) -> tuple[list[GroupVerdict], str]:
    """A verdict on every group but the reference, and how they were corrected.

    `is_best`: the reference was chosen by these values, which makes its lead look larger than it is.
    """
    others = [group for place, group in enumerate(groups) if place != reference]
    found = [_Pair(group, groups[reference], _test(group, groups[reference])) for group in others]
    tested = [pair.result.p for pair in found if pair.result is not None]
    comparisons = pairs(len(groups)) if is_best else len(tested)
    corrected = iter(holm(tested, comparisons))
    alpha = ALPHA / max(1, comparisons)
    verdicts = [_verdict(pair, next(corrected) if pair.result else None, alpha) for pair in found]
    return verdicts, describe_correction(comparisons, len(groups), is_best=is_best)


def _test(group: SeedValues, reference: SeedValues) -> PermutationResult | None:
    if min(group.count, reference.count) < LEAST_VALUES:
        return None
    return permutation_test(group.values, reference.values, ALPHA)


def _verdict(pair: _Pair, corrected: float | None, alpha: float) -> GroupVerdict:
    result, sizes = pair.result, (pair.group.count, pair.reference.count)
    gap = float(pair.group.values.mean() - pair.reference.values.mean()) if min(sizes) else None
    outcome: Outcome = "not established"
    if result is not None and corrected is not None and corrected <= ALPHA and gap:
        outcome = "better" if gap > 0 else "worse"
    chance, chance_interval = (
        probability_of_improvement(pair.group.values, pair.reference.values) if min(sizes) else (None, None)
    )
    needed, advice = (None, None) if outcome != "not established" else _advice(pair, alpha)
    return GroupVerdict(
        group=pair.group.label,
        reference=pair.reference.label,
        outcome=outcome,
        sentence=_sentence(pair, outcome, gap, corrected),
        difference=gap,
        interval=(result.low, result.high)
        if result and np.isfinite([result.low, result.high]).all()
        else None,
        level=NOMINAL if result else None,
        p=result.p if result else None,
        p_corrected=corrected,
        chance_better=chance,
        chance_interval=chance_interval,
        seeds=sizes,
        seeds_needed=needed,
        more_seeds=max(1, needed - min(sizes)) if needed is not None else None,
        advice=advice,
    )


def _sentence(pair: _Pair, outcome: Outcome, gap: float | None, corrected: float | None) -> str:
    group, reference = pair.group, pair.reference
    open_ = f"Whether {group.label} is better than {reference.label} is not established"
    if pair.result is None or gap is None:
        return f"{open_}: {_too_few(pair, gap)}"
    if is_constant(pair):
        return f"{open_}: all values are equal ({number(float(group.values[0]))}, {_seeds(pair)})."
    ends = (
        (pair.result.low, pair.result.high) if outcome != "worse" else (-pair.result.high, -pair.result.low)
    )
    numbers = f"{_interval(ends)}{_p(pair.result.p, corrected)}, {_seeds(pair)}"
    if outcome == "not established":
        return f"{open_}: the difference is {number(gap)} ({numbers})."
    return f"{group.label} is {outcome} than {reference.label} by {number(abs(gap))} ({numbers})."


def _interval(ends: tuple[float, float]) -> str:
    if ends[0] == ends[1]:
        return "no spread within the groups; "
    return f"95 % interval {number(ends[0])} to {number(ends[1])}; " if np.isfinite(ends).all() else ""


def _p(p: float, corrected: float | None) -> str:
    text = f"p {_p_value(p)}"
    return text if corrected is None or corrected == p else f"{text}, corrected p {_p_value(corrected)}"


def _p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}" if p < 0.01 else f"= {p:.2f}"


def _seeds(pair: _Pair) -> str:
    first, second = pair.group.count, pair.reference.count
    if first == second:
        return f"{count(first, 'seed')} each"
    return f"{first} and {second} seeds"


def _too_few(pair: _Pair, gap: float | None) -> str:
    short = [one for one in (pair.group, pair.reference) if one.count < LEAST_VALUES]
    parts = [f"{one.label} has {_has(one)}" for one in short]
    known = f" The difference of the means is {number(gap)}." if gap is not None else ""
    return f"{' and '.join(parts)}, and a verdict needs {LEAST_VALUES} ended seeds of each.{known}"


def _has(one: SeedValues) -> str:
    ended = "no value" if not one.count else f"{count(one.count, 'seed')}"
    return f"{ended} ({one.training} not ended yet)" if one.training else ended


def is_constant(pair: _Pair) -> bool:
    values = np.concatenate([pair.group.values, pair.reference.values])
    return float(np.ptp(values)) == 0.0


def _advice(pair: _Pair, alpha: float) -> tuple[int | None, str]:
    """Seeds per group that would settle it, and a sentence about how many more that is."""
    sizes = (pair.group.count, pair.reference.count)
    if max(pair.group.training, pair.reference.training) and min(sizes) < LEAST_VALUES:
        waiting = pair.group.training + pair.reference.training
        return (
            None,
            f"{count(waiting, 'seed')} of the two {'has' if waiting == 1 else 'have'} not ended: wait for them.",
        )
    if min(sizes) < 2:
        least = least_seeds(alpha)
        more = count(least - min(sizes), "more seed")
        return least, f"{more} per variant would allow a verdict ({least} each are needed)."
    return _from_effect(pair, sizes, alpha)


def _from_effect(pair: _Pair, sizes: tuple[int, int], alpha: float) -> tuple[int | None, str]:
    first, second = pair.group.values, pair.reference.values
    variances = (float(first.var(ddof=1)), float(second.var(ddof=1)))
    needed = seeds_needed(float(first.mean() - second.mean()), variances, alpha)
    if needed is None or needed - min(sizes) > MOST_MORE:
        return (
            None,
            f"Even {MOST_MORE} more seeds per variant would hardly settle it: the difference is small.",
        )
    more = max(1, needed - min(sizes))
    return min(sizes) + more, (
        f"About {count(more, 'more seed')} per variant would settle it with a probability of 80 %, "
        "if the difference is as large as it looks."
    )


def named_by(labels: Sequence[str], places: Mapping[str, int], wanted: str) -> int | None:
    """The place of the group that a user named by label, number, or one of its runs; None if there is none."""
    if wanted in labels:
        return labels.index(wanted)
    if wanted in places:
        return places[wanted]
    return int(wanted) - 1 if wanted.isdecimal() and 1 <= int(wanted) <= len(labels) else None
