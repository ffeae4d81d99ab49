"""What a comparison recommends to do, as sentences that follow from its verdicts alone."""

from __future__ import annotations

from collections.abc import Sequence

from rl_lab.analysis.wording import count, number
from rl_lab.core.studies.comparisons import ComparedGroup, Comparison, GroupVerdict

MANY_GROUPS = 5
"""From so many groups on, the best of them is expected to be partly lucky."""


def recommend(comparison: Comparison) -> str:
    """Which configuration to use, and what to do where the seeds do not show it; empty without groups."""
    if not comparison.groups:
        return ""
    if comparison.reference is None or not comparison.verdicts:
        return "There is one configuration, so nothing is compared: add another one to learn which is better."
    better = [one for one in comparison.verdicts if one.outcome == "better"]
    parts = [_use(comparison, better), *_open_questions(comparison.verdicts)]
    if better and len(comparison.groups) >= MANY_GROUPS:
        parts.append(
            "The best of many is partly lucky: train it again with fresh seeds before you rely on it."
        )
    return " ".join(parts)


def _use(comparison: Comparison, better: Sequence[GroupVerdict]) -> str:
    if not better:
        return f"Keep {comparison.reference}: {_why_keep(comparison.verdicts)}"
    best = max(better, key=lambda one: one.difference or 0.0)
    found = next((one for one in comparison.groups if one.label == best.group), None)
    mean = _mean(found, comparison.measure)
    also = len(better) - 1
    others = f" {count(also, 'other configuration')} also did better than it." if also else ""
    return f"Use {best.group}{mean}: it is shown to be better than {best.reference}.{others}"


def _why_keep(verdicts: Sequence[GroupVerdict]) -> str:
    worse = sum(one.outcome == "worse" for one in verdicts)
    if worse == len(verdicts):
        return f"{'the other one is' if worse == 1 else f'all {worse} others are'} shown to be worse."
    also = f", and {worse} {'is' if worse == 1 else 'are'} shown to be worse" if worse else ""
    return f"no other configuration is shown to be better{also}."


def _mean(group: ComparedGroup | None, measure: str) -> str:
    if group is None or measure not in group.statistics:
        return ""
    return f" (mean {number(group.statistics[measure].mean)})"


def _open_questions(verdicts: Sequence[GroupVerdict]) -> list[str]:
    """The question that the fewest seeds would settle."""
    unsettled = [one for one in verdicts if one.outcome == "not established" and one.more_seeds]
    if not unsettled:
        return []
    nearest = min(unsettled, key=lambda one: one.more_seeds or 0)
    seeds = count(nearest.more_seeds or 0, "more seed")
    return [f"About {seeds} each would settle {nearest.group} against {nearest.reference}."]
