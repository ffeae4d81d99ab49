"""Signs that a policy could collect a reward without doing the task; each only with enough episodes to rest on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rl_lab.analysis.rewards.ranks import Floats, percentiles, spearman
from rl_lab.analysis.rewards.table import RewardColumns
from rl_lab.analysis.rewards.terms import find_influences
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.workbench.bench_summaries import Suspicion, SuspicionKind

FEWEST = 30
"""Episodes, of a training or of all runs."""
WEAKEST_TREND = 0.3
DEVIATIONS = 3.0
"""How far a correlation must be from what chance gives."""
BEST_SHARE = 0.1
LEAST_BEST = 5
HIGHEST_PERCENTILE = 40.0
PERCENTILE_DEVIATION = 28.9
"""Of one percentile that is drawn at random."""
DOMINANT = 0.9
AGREEING = 0.9
"""Rank correlation with the environment's return."""
CONSTANT = 0.1
"""A reward per step varies less than this part of its mean."""
VARIED = 0.1
"""Lengths vary by at least this part of their mean."""


def find_suspicions(columns: RewardColumns) -> list[Suspicion]:
    if len(columns) < FEWEST:
        return []
    return [
        *opposite_trends(columns),
        *best_are_bad(columns),
        *dominant_term(columns),
        *length_wins(columns),
    ]


def opposite_trends(columns: RewardColumns) -> Iterator[Suspicion]:
    """Per training: the rank correlation of both returns with the training step."""
    for run_id in dict.fromkeys(one.run_id for one in columns.episodes if one.kind == RunKind.train):
        here = np.array([one.run_id == run_id and one.timestep is not None for one in columns.episodes], bool)
        n = int(here.sum())
        steps = np.array([one.timestep or 0 for one in columns.episodes], np.float64)[here]
        own, env = spearman(steps, columns.own[here]), spearman(steps, columns.env[here])
        if n < FEWEST or own is None or env is None:
            continue
        least = max(WEAKEST_TREND, DEVIATIONS / (n - 1) ** 0.5)
        if own >= least and env <= -least:
            yield Suspicion(
                kind=SuspicionKind.opposite_trend,
                message=f"During this training the return under this reward rises (ρ = {own:.2f} with the step) "
                f"while the environment's falls (ρ = {env:.2f}); {n} episodes.",
                numbers={"own_trend": own, "env_trend": env},
                episodes=n,
                run_id=run_id,
            )


def best_are_bad(columns: RewardColumns) -> Iterator[Suspicion]:
    """Where the best tenth under this reward is among the environment's returns."""
    n = len(columns)
    count = max(LEAST_BEST, round(n * BEST_SHARE))
    # Equals of the last one of the best are as good as it is.
    best = columns.own >= np.sort(columns.own)[-count]
    count = int(best.sum())
    if count > n / 2:
        return
    mean = float(percentiles(columns.env)[best].mean())
    if mean <= min(HIGHEST_PERCENTILE, 50 - 2 * PERCENTILE_DEVIATION / count**0.5):
        yield Suspicion(
            kind=SuspicionKind.best_are_bad,
            message=f"The best {count} of {n} episodes under this reward are bad under the environment's: "
            f"on average only {mean:.0f} % of all episodes are worse.",
            numbers={"mean_percentile": mean, "best": count},
            episodes=n,
        )


def dominant_term(columns: RewardColumns) -> Iterator[Suspicion]:
    """Not said where the episodes are ranked as by the environment: then that term does its work."""
    influences, agreement = find_influences(columns), spearman(columns.own, columns.env)
    if len(influences) < 2 or influences[0].share_of_variance < DOMINANT:
        return
    if agreement is not None and agreement >= AGREEING:
        return
    first = influences[0]
    yield Suspicion(
        kind=SuspicionKind.dominant_term,
        message=f"The term “{first.name}” decides nearly everything: it has {first.share_of_variance:.0%} of the "
        f"variance between {len(columns)} episodes and {first.share_of_sum:.0%} of the absolute sum.",
        numbers={"share_of_variance": first.share_of_variance, "share_of_sum": first.share_of_sum},
        episodes=len(columns),
    )


def length_wins(columns: RewardColumns) -> Iterator[Suspicion]:
    """Not said where the environment's own reward is as constant: then length is the task."""
    lengths = columns.lengths
    if lengths.std() < VARIED * lengths.mean() or _variation(columns.env, lengths) < CONSTANT:
        return
    variation, own = _variation(columns.own, lengths), spearman(lengths, columns.own)
    if variation >= CONSTANT or own is None:
        return
    per_step, env = float((columns.own / lengths).mean()), spearman(lengths, columns.env)
    longest = "long" if per_step > 0 else "short"
    yield Suspicion(
        kind=SuspicionKind.length_wins,
        message=f"The reward per step is nearly constant ({per_step:.3g} ± {variation:.0%}), so {longest} episodes "
        f"get the highest return, independent of what happens in them; {len(columns)} episodes.",
        numbers={
            "per_step": per_step,
            "variation": variation,
            "own_with_length": own,
            **({} if env is None else {"env_with_length": env}),
        },
        episodes=len(columns),
    )


def _variation(returns: Floats, lengths: Floats) -> float:
    """Of the mean reward per step between episodes, relative to its size."""
    per_step = returns / np.maximum(lengths, 1)
    size = float(np.abs(per_step).mean())
    return float(per_step.std()) / size if size > 0 else float("inf")
