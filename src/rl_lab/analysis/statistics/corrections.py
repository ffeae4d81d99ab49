"""Several comparisons at once: the more there are, the likelier one of them is extreme by chance."""

from collections.abc import Sequence

from rl_lab.analysis.wording import count

ONE = "One comparison: nothing to correct."
NONE = "No comparison could be tested yet, so there is nothing to correct."


def holm(values: Sequence[float], comparisons: int | None = None) -> list[float]:
    """p values corrected by Holm's method, in their order; `comparisons`: how many there are, if not all are given."""
    most = len(values) if comparisons is None else comparisons
    corrected, highest = [0.0] * len(values), 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, (most - rank) * values[place]))
        corrected[place] = highest
    return corrected


def pairs(groups: int) -> int:
    return groups * (groups - 1) // 2


def describe_correction(comparisons: int, groups: int, *, is_best: bool) -> str:
    """How the p values were corrected, in words."""
    if comparisons == 0:
        return NONE
    if comparisons <= 1 and not (is_best and groups > 2):
        return ONE
    kept = "so that all verdicts together are wrong by chance in at most 5 % of cases"
    own = "The intervals are those of each comparison alone."
    if is_best:
        return (
            f"The reference was chosen because it has the highest mean, so the p values are corrected by Holm's method "
            f"as if all {count(pairs(groups), 'pair')} of the {groups} groups had been tested, {kept}. {own}"
        )
    return f"p values are corrected for {count(comparisons, 'comparison')} by Holm's method, {kept}. {own}"
