"""All statistics of a bench, from its scored episodes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from rl_lab.analysis.rewards.flips import by_outcome, find_flips
from rl_lab.analysis.rewards.ranks import kendall, spearman
from rl_lab.analysis.rewards.suspicions import find_suspicions
from rl_lab.analysis.rewards.table import columns_of, own_returns
from rl_lab.analysis.rewards.terms import find_influences
from rl_lab.core.workbench.bench import BenchEpisode
from rl_lab.core.workbench.bench_summaries import RewardPair, RewardSummary


def summarise_rewards(episodes: Sequence[BenchEpisode], names: Sequence[str]) -> list[RewardSummary]:
    return [_summarise(episodes, place, name) for place, name in enumerate(names)]


def compare_rewards(episodes: Sequence[BenchEpisode], names: Sequence[str]) -> list[RewardPair]:
    """Each two of them, over the episodes that both have scored."""
    return [_compare(episodes, first, second) for first, second in combinations(range(len(names)), 2)]


def _summarise(episodes: Sequence[BenchEpisode], place: int, name: str) -> RewardSummary:
    columns = columns_of(episodes, place)
    return RewardSummary(
        reward=place,
        name=name,
        episodes=len(columns),
        spearman=spearman(columns.env, columns.own),
        kendall=kendall(columns.env, columns.own),
        flips=find_flips(columns.episodes, columns.env, columns.own),
        outcomes=by_outcome(columns),
        suspicions=find_suspicions(columns),
        terms=find_influences(columns),
    )


def _compare(episodes: Sequence[BenchEpisode], first: int, second: int) -> RewardPair:
    a, b = own_returns(episodes, first), own_returns(episodes, second)
    known = np.isfinite(a) & np.isfinite(b)
    both = [one for one, is_known in zip(episodes, known.tolist(), strict=True) if is_known]
    a, b = a[known], b[known]
    return RewardPair(
        first=first,
        second=second,
        episodes=len(both),
        spearman=spearman(a, b),
        kendall=kendall(a, b),
        flips=find_flips(both, a, b),
    )
