"""What each term of a reward contributes, and what its weight changes."""

from __future__ import annotations

import numpy as np

from rl_lab.analysis.rewards.ranks import Floats, spearman
from rl_lab.analysis.rewards.table import RewardColumns
from rl_lab.core.workbench.bench_summaries import TermInfluence


def find_influences(columns: RewardColumns) -> list[TermInfluence]:
    """The term with the largest share of the variance first."""
    terms = columns.terms
    sums = _shares({name: float(np.abs(values).sum()) for name, values in terms.items()})
    variances = _shares({name: float(values.var()) for name, values in terms.items()})
    found = [
        TermInfluence(
            name=name,
            share_of_sum=sums[name],
            share_of_variance=variances[name],
            spearman_without=_correlation(columns, _sum_without(columns, name)),
            spearman_doubled=_correlation(columns, columns.own + values),
        )
        for name, values in terms.items()
    ]
    return sorted(found, key=lambda term: -term.share_of_variance)


def _sum_without(columns: RewardColumns, name: str) -> Floats:
    """Added up again: subtracting the term would leave what was rounded, and its order means nothing."""
    others = [values for other, values in columns.terms.items() if other != name]
    return np.sum(others, axis=0) if others else np.zeros(len(columns))


def _correlation(columns: RewardColumns, own: Floats) -> float | None:
    return spearman(columns.env, own)


def _shares(amounts: dict[str, float]) -> dict[str, float]:
    whole = sum(amounts.values())
    return {name: amount / whole if whole > 0 else 0.0 for name, amount in amounts.items()}
