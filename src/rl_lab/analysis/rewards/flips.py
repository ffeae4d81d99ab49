"""The episodes whose rank differs most between two rewards, and the returns by outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np

from rl_lab.analysis.rewards.ranks import Floats, descending_ranks
from rl_lab.analysis.rewards.table import RewardColumns
from rl_lab.core.workbench.bench import BenchEpisode, EpisodeOutcome
from rl_lab.core.workbench.bench_summaries import OutcomeReturns, RankFlip, Spread

MOST_FLIPS = 50


def find_flips(episodes: Sequence[BenchEpisode], first: Floats, second: Floats) -> list[RankFlip]:
    """Those whose rank differs, most first."""
    ranks, others = descending_ranks(first), descending_ranks(second)
    change = np.abs(ranks - others)
    order = np.argsort(-change, kind="stable")[:MOST_FLIPS]
    return [
        RankFlip(
            run_id=episodes[place].run_id,
            episode=episodes[place].episode,
            first_rank=float(ranks[place]),
            second_rank=float(others[place]),
            first_return=float(first[place]),
            second_return=float(second[place]),
        )
        for place in order.tolist()
        if change[place] > 0
    ]


def by_outcome(columns: RewardColumns) -> list[OutcomeReturns]:
    outcomes = np.array([one.outcome for one in columns.episodes])
    found = []
    for outcome in get_args(EpisodeOutcome):
        here = outcomes == outcome
        if here.any():
            own, env = (spread_of(values[here]) for values in (columns.own, columns.env))
            found.append(OutcomeReturns(outcome=outcome, episodes=int(here.sum()), own=own, env=env))
    return found


def spread_of(values: Floats) -> Spread:
    low, q25, median, q75, high = np.quantile(values, (0.0, 0.25, 0.5, 0.75, 1.0)).tolist()
    return Spread(low=low, q25=q25, median=median, q75=q75, high=high, mean=float(values.mean()))
