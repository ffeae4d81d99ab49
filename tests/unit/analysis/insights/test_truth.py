"""Sentences that were wrong about real runs, each as it was found."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from unit.analysis.insights.test_insights import ids, insight_of, run_of
from unit.analysis.synthetic import as_means

from rl_lab.analysis.curves import RunCurves
from rl_lab.analysis.insights.detect import find_insights
from rl_lab.core.protocol.points import EPISODE, MEAN, UPDATE, VALUE, point_of

RNG = np.random.default_rng(42)
DIRECTIONS = {"catastrophic_drop", "getting_worse", "improving", "converged", "plateau", "stuck", "unclear"}


def logged(reward: Any, *, threshold: float | None = None) -> RunCurves:
    """The run as SB3 logs it: a mean over 100 episodes every ten episodes."""
    series = as_means(100.0 * np.arange(1, len(reward) + 1), np.asarray(reward), 1000)
    return RunCurves(
        "Made-v0", "PPO", "adopted", reward_threshold=threshold, series=series, points={"reward": MEAN}
    )


@pytest.mark.parametrize("seed", range(8))
def test_logged_means_of_a_stationary_reward_are_no_trend(seed: int) -> None:
    reward = np.random.default_rng(seed).normal(-1200, 250, 2000)
    assert set(ids(logged(reward))) <= {"stuck", "unclear"}


def test_logged_means_are_never_called_episodes() -> None:
    rising = insight_of(logged(np.linspace(0, 400, 3000) + RNG.normal(0, 60, 3000)), "improving")
    assert rising.text.endswith("logged means, which lag behind.")
    assert "episode" not in rising.text
    assert "logged_means" in rising.evidence
    assert "episodes" not in rising.evidence


def test_a_collapse_shows_in_logged_means_too() -> None:
    reward = np.concatenate([np.linspace(20, 400, 1000), np.full(1500, 400), np.full(1200, 30)])
    assert "catastrophic_drop" in ids(logged(reward + RNG.normal(0, 40, len(reward))))


def test_few_logged_means_are_too_few() -> None:
    insight = insight_of(logged(RNG.normal(50, 5, 150)), "too_short")
    assert "Still needed: 1 more mean over other episodes." in insight.text


def test_means_without_their_own_reward_series_are_read() -> None:
    run = logged(np.linspace(0, 400, 3000) + RNG.normal(0, 60, 3000))
    series = {name: one for name, one in run.series.items() if name != "reward"}
    assert ids(replace(run, series=series, points={})) == ["improving"]


def test_the_last_logged_mean_reaches_the_threshold_as_a_fact() -> None:
    insight = insight_of(logged(np.full(500, 500.0) + RNG.normal(0, 5, 500), threshold=475), "at_threshold")
    assert insight.confidence is None
    assert "mean reward of the last 100 episodes, as logged, is 500" in insight.text


def test_what_a_point_is_follows_from_its_name_and_the_run() -> None:
    assert point_of("reward", has_episodes=True, has_means=True) == EPISODE
    assert point_of("reward", has_episodes=False, has_means=True) == MEAN
    assert point_of("reward", has_episodes=False, has_means=False) == VALUE
    assert point_of("mean_reward", has_episodes=True, has_means=True) == MEAN
    assert point_of("kl", has_episodes=True, has_means=False) == UPDATE
    assert point_of("eval/mean_reward", has_episodes=True, has_means=False).kind == "evaluation"


def test_a_run_that_sinks_from_the_start_is_getting_worse_and_lost_no_gain() -> None:
    found = ids(run_of(np.linspace(-120, -480, 400) + RNG.normal(0, 30, 400), reward_threshold=-100.0))
    assert found == ["getting_worse"]
    falling = run_of(np.linspace(200, 20, 400) + RNG.normal(0, 30, 400), reward_threshold=250.0)
    assert "gain" not in insight_of(falling, "getting_worse").text


def test_a_slow_learner_is_not_called_stuck() -> None:
    deciles = [20, 29, 41, 60, 71, 120, 185, 168, 237, 242]
    lengths = np.repeat(deciles, [100, 70, 50, 34, 28, 17, 11, 12, 9, 8])
    reward = np.minimum(500, RNG.gamma(2, lengths / 2))
    run = run_of(reward, reward_threshold=475.0)
    steps = np.cumsum(np.maximum(1, reward))
    series = {"reward": replace(run.series["reward"], step=steps, t=steps)}
    assert "stuck" not in ids(replace(run, series=series))


def test_a_reward_that_moves_does_not_stay() -> None:
    """Quoted: “The reward stays at 67.2 … and moved by −86.9 over the last 120 episodes.”"""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        reward = np.concatenate([np.linspace(20, 240, 60), np.linspace(240, 140, 40)]) + rng.normal(
            0, 80, 100
        )
        for insight in find_insights(run_of(reward, reward_threshold=475.0)):
            assert insight.id != "stuck" or abs(float(insight.evidence["change"])) < 0.11 * 455


def test_noisy_episodes_that_do_not_exclude_progress_are_unclear() -> None:
    assert ids(run_of(RNG.normal(100, 120, 60), reward_threshold=475.0)) == ["unclear"]


@pytest.mark.parametrize("periods", [1.5, 2.0, 2.5, 3.25])
def test_ups_and_downs_get_one_verdict(periods: float) -> None:
    reward = 200 - 180 * np.cos(2 * np.pi * periods * np.linspace(0, 1, 900)) + RNG.normal(0, 30, 900)
    assert len(set(ids(run_of(reward))) & DIRECTIONS) == 1


def test_a_learning_rate_is_not_too_low_while_something_is_learnt() -> None:
    kl = np.full(40, 1e-5)
    risen = np.linspace(19, 69, 700) + RNG.normal(0, 12, 700)
    assert "learning_rate_too_low" not in ids(run_of(risen, kl=kl, reward_threshold=475.0))
    flat = RNG.normal(19, 6, 700)
    assert "learning_rate_too_low" in ids(run_of(flat, kl=kl, reward_threshold=475.0))


@pytest.mark.parametrize("weight", [-0.0, 0.0, 0.001, 0.01])
def test_the_share_of_entropy_in_a_loss_is_no_collapse(weight: float) -> None:
    entropy = weight * np.linspace(0.69, 0.4, 40)
    flat = RNG.normal(20, 5, 300)
    assert "exploration_collapsed" not in ids(run_of(flat, entropy=entropy, reward_threshold=475.0))


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_a_reward_that_is_not_finite_has_diverged(bad: float) -> None:
    reward = np.append(np.linspace(0, 100, 399), bad)
    insight = insight_of(run_of(reward), "diverged")
    assert (insight.evidence["metric"], insight.evidence["first_step"]) == ("reward", 40_000)
