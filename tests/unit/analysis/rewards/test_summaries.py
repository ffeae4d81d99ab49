from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from rl_lab.analysis.rewards.summaries import compare_rewards, summarise_rewards
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.workbench.bench import BenchEpisode, EpisodeOutcome, RewardScore
from rl_lab.core.workbench.bench_summaries import RewardSummary, Suspicion, SuspicionKind

DRAW = np.random.default_rng(0)
Own = Callable[[int, float, int], float]


def episode(
    number: int,
    env: float,
    *scores: RewardScore | None,
    length: int = 10,
    outcome: EpisodeOutcome = "terminated",
) -> BenchEpisode:
    return BenchEpisode(
        run_id="a" * 12,
        episode=number,
        kind=RunKind.train,
        timestep=number * 100,
        outcome=outcome,
        length=length,
        env_return=env,
        scores=list(scores),
    )


def scored(envs: Sequence[float], own: Own, lengths: Sequence[int] | None = None) -> list[BenchEpisode]:
    """Episodes in their order, each under one reward that is given number, return and length."""
    steps = lengths or [10] * len(envs)
    return [
        episode(n, env, RewardScore(own_return=own(n, env, length)), length=length)
        for n, (env, length) in enumerate(zip(envs, steps, strict=True))
    ]


def with_terms(rows: Sequence[tuple[float, dict[str, float]]]) -> list[BenchEpisode]:
    return [
        episode(n, env, RewardScore(own_return=sum(terms.values()), terms=terms))
        for n, (env, terms) in enumerate(rows)
    ]


def summary_of(episodes: Sequence[BenchEpisode]) -> RewardSummary:
    (found,) = summarise_rewards(episodes, ["tried"])
    return found


def suspected(episodes: Sequence[BenchEpisode]) -> dict[SuspicionKind, Suspicion]:
    return {one.kind: one for one in summary_of(episodes).suspicions}


def test_a_reversed_reward_flips_the_best_with_the_worst() -> None:
    found = summary_of(scored([5.0, 1.0, 3.0], lambda _, env, __: -env))
    assert (found.spearman, found.kendall) == (-1.0, -1.0)
    assert [(one.episode, one.first_rank, one.second_rank) for one in found.flips] == [(0, 1, 3), (1, 3, 1)]
    assert found.flips[0].first_return == 5.0
    assert found.flips[0].second_return == -5.0


def test_the_flips_that_differ_most_come_first() -> None:
    own = [10.0, 9.0, 8.0, 0.0, 7.0, 7.5]
    found = summary_of(scored([10.0, 9.0, 8.0, 7.0, 6.0, 5.0], lambda n, _, __: own[n]))
    assert [one.episode for one in found.flips] == [3, 5]


def test_returns_are_described_by_outcome() -> None:
    episodes = [
        episode(n, float(n), RewardScore(own_return=2.0 * n), outcome="success" if n > 2 else "truncated")
        for n in range(6)
    ]
    success, truncated = summary_of(episodes).outcomes
    assert (success.outcome, success.episodes, success.env.median, success.own.median) == ("success", 3, 4, 8)
    assert (truncated.outcome, truncated.own.low, truncated.own.high, truncated.own.mean) == (
        "truncated",
        0,
        4,
        2,
    )


def test_a_reward_that_failed_is_summarised_as_far_as_it_came() -> None:
    good, half = RewardScore(own_return=1.0), RewardScore(own_return=2.0)
    episodes = [episode(0, 1.0, good, half), episode(1, 2.0, good, None)]
    first, second = summarise_rewards(episodes, ["good", "half"])
    assert (first.episodes, second.episodes) == (2, 1)
    (pair,) = compare_rewards(episodes, ["good", "half"])
    assert (pair.first, pair.second, pair.episodes, pair.spearman) == (0, 1, 1, None)


def test_each_weight_is_tried_at_zero_and_at_two() -> None:
    rows = [(float(n), {"task": float(n), "noise": -1.5 * n}) for n in range(10)]
    by_name = {term.name: term for term in summary_of(with_terms(rows)).terms}
    assert (by_name["noise"].spearman_without, by_name["noise"].spearman_doubled) == (1.0, -1.0)
    assert (by_name["task"].spearman_without, by_name["task"].spearman_doubled) == (-1.0, 1.0)
    assert by_name["noise"].share_of_sum == pytest.approx(0.6)
    assert by_name["noise"].share_of_variance == pytest.approx(2.25 / 3.25)


def test_without_a_term_constant_ones_rank_nothing() -> None:
    """Subtracting the term from the sum would leave what was rounded, which has an order."""
    rows = [(float(n), {"task": n / 7, "fee": -0.3, "bonus": 0.1}) for n in range(10)]
    by_name = {term.name: term for term in summary_of(with_terms(rows)).terms}
    assert by_name["task"].spearman_without is None
    assert by_name["fee"].spearman_without == 1.0


def test_nothing_is_suspected_of_few_episodes() -> None:
    assert suspected(scored(range(29), lambda _, env, __: -env)) == {}


def test_nothing_is_suspected_of_the_environments_own_reward() -> None:
    envs = [float(one) for one in DRAW.normal(100, 30, 200)]
    lengths = [int(one) for one in DRAW.integers(10, 200, 200)]
    assert suspected(scored(envs, lambda _, env, __: env, lengths)) == {}


def test_a_return_that_rises_while_the_real_one_falls_is_suspected() -> None:
    envs = [-n + float(DRAW.normal(0, 5)) for n in range(60)]
    found = suspected(scored(envs, lambda n, *_: float(n)))[SuspicionKind.opposite_trend]
    assert found.episodes == 60
    assert found.run_id == "a" * 12
    assert found.numbers["own_trend"] == 1.0
    assert found.numbers["env_trend"] < -0.9
    assert "60 episodes" in found.message


def test_the_best_that_are_bad_are_suspected() -> None:
    envs = [float(n) for n in range(100)]
    # Only the ten worst episodes are paid.
    found = suspected(scored(envs, lambda n, *_: 100.0 if n < 10 else n / 100))[SuspicionKind.best_are_bad]
    assert (found.numbers["mean_percentile"], found.numbers["best"], found.episodes) == (5.0, 10, 100)


def test_a_reward_that_ranks_nothing_is_not_called_bad_at_its_best() -> None:
    envs = [float(n) for n in range(100)]
    assert SuspicionKind.best_are_bad not in suspected(scored(envs, lambda *_: 1.0))


def test_a_term_that_decides_everything_is_suspected() -> None:
    rows = [(float(n * 7 % 40), {"big": 100.0 * n, "small": float(n % 7)}) for n in range(40)]
    found = suspected(with_terms(rows))[SuspicionKind.dominant_term]
    assert "big" in found.message
    assert found.numbers["share_of_variance"] > 0.99


def test_a_term_that_ranks_as_the_environment_does_is_not_suspected() -> None:
    rows = [(float(n), {"big": 100.0 * n, "small": float(n % 7)}) for n in range(40)]
    assert SuspicionKind.dominant_term not in suspected(with_terms(rows))


def test_a_constant_reward_per_step_is_suspected_unless_length_is_the_task() -> None:
    lengths = [10 + n for n in range(60)]
    unrelated = [float(one) for one in DRAW.normal(0, 50, 60)]
    found = suspected(scored(unrelated, lambda *given: 0.5 * given[2], lengths))[SuspicionKind.length_wins]
    assert found.numbers["per_step"] == pytest.approx(0.5)
    assert "long episodes get the highest return, independent of what happens in them" in found.message
    short = suspected(scored(unrelated, lambda *given: -1.0 * given[2], lengths))[SuspicionKind.length_wins]
    assert "short episodes get the highest return" in short.message
    as_long = [float(length) for length in lengths]
    assert SuspicionKind.length_wins not in suspected(scored(as_long, lambda *given: 0.5 * given[2], lengths))
