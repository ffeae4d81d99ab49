"""The insights about recorded, hand-made and random runs."""

import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.analysis import recorded

from rl_lab.analysis.curves import RunCurves, Series
from rl_lab.analysis.insights.detect import EXCLUDES, find_insights
from rl_lab.core.insights import Insight, InsightChange


def run_of(reward: Any, **changes: Any) -> RunCurves:
    """A run with 100-step episodes; `changes` are fields of RunCurves, or series as `metric=values`."""
    steps = 100 * np.arange(1, len(reward) + 1)
    series = {"reward": Series.of(steps, reward)}
    for name in [key for key in changes if isinstance(changes[key], np.ndarray)]:
        values = changes.pop(name)
        series[name] = Series.of(np.linspace(100, max(100, 100 * len(reward)), len(values)), values)
    defaults: dict[str, Any] = {"env_id": "Made-v0", "algorithm": "PPO", "runner": "sb3"}
    return RunCurves(**(defaults | changes), series=series)


def ids(curves: RunCurves) -> list[str]:
    return [insight.id for insight in find_insights(curves)]


def insight_of(curves: RunCurves, name: str) -> Insight:
    return next(insight for insight in find_insights(curves) if insight.id == name)


RNG = np.random.default_rng(5)
FLAT = RNG.normal(20, 5, 900)
RISEN = np.concatenate([np.linspace(20, 200, 100), np.full(200, 200.0)]) + RNG.normal(0, 5, 300)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ppo_cartpole_30k", ["improving"]),
        ("ppo_cartpole_80k", ["at_threshold", "converged"]),
        ("ppo_cartpole_1k", ["too_short"]),
        ("ppo_cartpole_lr_0.1", ["learning_rate_too_high", "stuck"]),
        ("ppo_cartpole_lr_1e-6", ["stuck", "learning_rate_too_low", "value_not_learning"]),
        ("dqn_mountaincar_30k", ["improving"]),
        ("ppo_frozenlake_40k", ["exploration_collapsed", "stuck"]),
    ],
)
def test_recorded_run_gets_its_insights(name: str, expected: list[str]) -> None:
    assert ids(recorded.load(name)) == expected


def test_page_lists_the_insights_about_the_recorded_runs() -> None:
    page = (recorded.FIXTURES.parents[3] / "docs" / "insights.md").read_text(encoding="utf-8")
    for fixture in recorded.FIXTURES.glob("*.json"):
        assert f"| {', '.join(f'`{name}`' for name in ids(recorded.load(fixture.stem)))} |\n" in page


def test_too_high_learning_rate_names_a_lower_one() -> None:
    insight = insight_of(recorded.load("ppo_cartpole_lr_0.1"), "learning_rate_too_high")
    assert insight.param == "learning_rate"
    assert insight.hint == "Consider adjusting learning_rate: lower it from 0.1 to 0.001."
    assert "34.2" in insight.text


def test_stuck_with_vanishing_updates_proposes_a_higher_learning_rate() -> None:
    insight = insight_of(recorded.load("ppo_cartpole_lr_1e-6"), "stuck")
    assert insight.hint == "Consider adjusting learning_rate: raise it from 1e-6 to 0.0001."


def test_stuck_hint_uses_the_librarys_parameter_name() -> None:
    insight = insight_of(run_of(FLAT, params={"entropy_coefficient": 0.02}), "stuck")
    assert insight.hint == "Consider adjusting entropy_coefficient: raise it from 0.02 to 0.06."


def test_stuck_without_known_parameters_proposes_more_steps() -> None:
    insight = insight_of(run_of(FLAT, total_timesteps=90_000), "stuck")
    assert insight.hint == "Consider training longer: raise total_timesteps from 90,000 to 180,000."


def test_stuck_is_not_reported_early_in_a_long_run() -> None:
    assert "stuck" not in ids(run_of(FLAT, total_timesteps=1_000_000))


def test_plateau_under_the_threshold_is_stuck_and_without_one_converged() -> None:
    assert "stuck" in ids(run_of(RISEN, reward_threshold=500.0))
    assert "converged" in ids(run_of(RISEN))


def test_slope_is_reported_per_ten_thousand_steps_with_its_interval() -> None:
    insight = insight_of(run_of(np.linspace(0, 100, 500) + RNG.normal(0, 5, 500)), "improving")
    low, slope, high = (
        float(insight.evidence[key]) for key in ("slope_low", "slope_per_10000_steps", "slope_high")
    )
    assert low < 20.04 < high
    assert slope == pytest.approx(20.04, rel=0.15)


def test_variance_reduction_reports_its_share_and_window() -> None:
    reward = np.concatenate([RNG.normal(100, 20, 300), RNG.normal(100, 5, 100)])
    insight = insight_of(run_of(reward, reward_threshold=95.0), "variance_reduced")
    assert insight.evidence["reduction"] == pytest.approx(0.9375, abs=0.05)
    assert insight.evidence["episodes"] == 100
    assert insight.window is not None
    assert (insight.window.from_step, insight.window.to_step) == (30_100, 40_000)


def test_drop_points_to_the_step_before_it() -> None:
    reward = np.concatenate([RISEN, RNG.normal(30, 5, 60)])
    insight = insight_of(run_of(reward), "catastrophic_drop")
    assert 10_000 <= int(insight.evidence["best_step"]) <= 30_000
    assert insight.window is not None
    assert insight.window.to_step == 36_000
    assert not {"converged", "stuck", "variance_reduced"} & set(ids(run_of(reward)))


def test_recovered_dip_is_not_a_drop() -> None:
    dip = RISEN.copy()
    dip[180:200] = 40
    assert "catastrophic_drop" not in ids(run_of(dip))


def test_nan_loss_is_the_first_insight() -> None:
    loss = np.concatenate([np.ones(20), np.full(5, np.nan)])
    insight = find_insights(run_of(RISEN, loss=loss))[0]
    assert insight.id == "diverged"
    assert insight.evidence["metric"] == "loss"
    assert "5 of 25" in insight.text


def test_nan_explained_variance_is_not_a_divergence() -> None:
    assert "diverged" not in ids(run_of(RISEN, explained_variance=np.full(20, np.nan)))


def test_gaussian_policy_that_grows_confident_has_not_collapsed() -> None:
    shrinking = np.linspace(1.4189385, 0.05, 40)
    assert "exploration_collapsed" not in ids(run_of(FLAT, entropy=shrinking))
    assert "exploration_collapsed" in ids(run_of(FLAT, entropy=np.linspace(1.4189385, -5, 40)))


def test_low_entropy_is_fine_once_the_goal_is_reached() -> None:
    collapsed = np.concatenate([np.full(5, 0.69), np.full(35, 0.001)])
    assert "exploration_collapsed" in ids(run_of(FLAT, entropy=collapsed))
    assert "exploration_collapsed" not in ids(run_of(RISEN, entropy=collapsed, reward_threshold=190.0))


def test_value_loss_that_grows_with_the_reward_is_not_a_divergence() -> None:
    reward = np.geomspace(1, 500, 300)
    assert "value_divergence" not in ids(run_of(reward, value_loss=np.geomspace(0.1, 0.1 * 500**2, 60)))
    assert "value_divergence" in ids(run_of(FLAT, value_loss=np.geomspace(0.1, 10_000, 60)))


def test_run_without_episodes_is_too_short() -> None:
    insight = find_insights(RunCurves("Made-v0", "PPO", "sb3"))[0]
    assert insight.id == "too_short"
    assert "0 episodes" in insight.text


def test_waiting_for_learning_to_start_is_too_short() -> None:
    assert ids(run_of(FLAT, params={"learning_starts": 50_000})) == ["too_short"]


def test_a_million_episodes_give_the_same_insights_as_a_thousand() -> None:
    reward = np.minimum(500, RNG.gamma(2, np.linspace(20, 250, 1_000_000)))
    whole, thinned = (run_of(r, reward_threshold=475.0) for r in (reward, reward[::1000]))
    assert ids(whole) == ids(thinned) == ["improving"]


VALUES = st.lists(st.floats(allow_nan=True, allow_infinity=True, width=32), max_size=120).map(np.array)


@settings(max_examples=60, deadline=None)
@given(reward=VALUES, kl=VALUES, entropy=VALUES, loss=VALUES, threshold=st.none() | st.floats(-1e3, 1e3))
def test_any_curves_give_consistent_insights(
    reward: Any, kl: Any, entropy: Any, loss: Any, threshold: float | None
) -> None:
    curves = run_of(reward, kl=kl, entropy=entropy, loss=loss, reward_threshold=threshold)
    with np.errstate(all="ignore"):
        found = find_insights(curves)
    assert found
    names = {insight.id for insight in found}
    assert all(not names & untrue for name, untrue in EXCLUDES.items() if name in names)
    assert all(Insight.model_validate_json(insight.model_dump_json()).id == insight.id for insight in found)


def test_an_unclear_change_is_called_chance_only_if_it_may_be() -> None:
    slow_but_sure = insight_of(run_of(np.arange(50.0), reward_threshold=475.0), "unclear")
    assert "may be anything" not in slow_but_sure.text
    assert "is 39.5. It rose by 19.0, which is small compared with the" in slow_but_sure.text
    constant = insight_of(run_of(np.full(30, 7.0)), "unclear")
    assert constant.text.endswith("is 7. It went up as often as down. It started at 7.")
    noisy = insight_of(run_of(RNG.normal(50, 60, 30)), "unclear")
    assert re.search(r"may be anything from \N{MINUS SIGN}[\d.]+ to \+[\d.]+\. It started at", noisy.text)


SPIKES = np.where(np.arange(40) % 10 == 9, 0.9, 0.005)


def test_a_solved_run_is_not_greeted_by_a_warning() -> None:
    assert "unstable" in ids(run_of(RISEN, kl=SPIKES, reward_threshold=500.0))
    found = find_insights(run_of(RISEN, kl=SPIKES, reward_threshold=190.0))
    assert [insight.id for insight in found][:2] == ["at_threshold", "converged"]
    assert {insight.level for insight in found} == {"good"}


def test_good_news_comes_first_once_solved() -> None:
    loss = np.concatenate([np.ones(20), np.full(5, np.nan)])
    levels = [insight.level for insight in find_insights(run_of(RISEN, loss=loss, reward_threshold=190.0))]
    assert levels == ["good", "warning"]


def test_a_plateau_below_the_threshold_is_not_good_news() -> None:
    insight = insight_of(run_of(RISEN, reward_threshold=220.0, params={"learning_rate": 0.003}), "plateau")
    assert insight.level == "info"
    assert "below the 220 that counts as solved" in insight.text
    assert insight.change == InsightChange(params={"learning_rate": 0.001})
    assert "converged" not in ids(run_of(RISEN, reward_threshold=220.0))


def test_facts_carry_no_confidence_and_tests_say_what_they_rest_on() -> None:
    solved = find_insights(run_of(RISEN, reward_threshold=190.0))
    assert [insight.confidence is None for insight in solved[:2]] == [True, False]
    assert insight_of(run_of(FLAT[:5]), "too_short").confidence is None
    for fixture in recorded.FIXTURES.glob("*.json"):
        for insight in find_insights(recorded.load(fixture.stem)):
            assert insight.confidence is None or {"episodes", "updates"} & set(insight.evidence), insight.id


@pytest.mark.parametrize("reward", [500.0, 1.0, 0.0, -200.0])
@pytest.mark.parametrize("threshold", [None, 475.0])
def test_a_constant_reward_has_insights(reward: float, threshold: float | None) -> None:
    found = find_insights(run_of(np.full(200, reward), reward_threshold=threshold))
    assert "catastrophic_drop" not in [insight.id for insight in found]
    assert json.dumps([insight.model_dump() for insight in found], allow_nan=False)


def test_titles_follow_the_hint() -> None:
    stuck = insight_of(run_of(FLAT, params={"learning_rate": 0.1}, kl=np.full(20, 0.5)), "stuck")
    assert stuck.title == "Training may be stuck, try a different learning rate"
    assert insight_of(run_of(FLAT, params={"ent_coef": 0.0}), "stuck").title.endswith("try more exploration")


def test_a_hint_for_a_whole_number_stays_one() -> None:
    steadier = insight_of(run_of(FLAT, params={"n_epochs": 10}, kl=SPIKES), "unstable")
    assert steadier.change is not None
    assert repr(steadier.change.params) == "{'n_epochs': 5}"


def test_a_run_that_plays_no_episodes_is_judged_by_its_evaluations() -> None:
    curves = run_of(np.array([]), **{"evaluation/return_mean": np.array([20.0, 80.0, 60.0])})
    insight = insight_of(curves, "too_short")
    assert insight.title == "Judged by its evaluations"
    assert (
        "3 evaluations of its checkpoints: the last has a mean return of 60, the best one of 80."
        in insight.text
    )
