import numpy as np
import pytest

from rl_lab.analysis.curves import Bins, Series
from rl_lab.analysis.sweeps.pruning import MeanCurve, check_due, judge, mean_curve


def flat(mean: float, last_step: float = 100_000) -> MeanCurve:
    return MeanCurve(np.array([0.0, last_step]), np.array([mean, mean]))


OTHERS = {number: [flat(mean)] for number, mean in enumerate([60, 80, 84, 84, 90, 100], 1)}


def test_the_reason_has_the_numbers():
    assert judge([flat(31)], OTHERS, step=20_000, complete=5) == (
        "Stopped at step 20,000: its mean reward 31 is below the median 84 of 6 other variants at that step."
    )


def test_the_reason_counts_the_seeds_that_have_come_so_far():
    own = [flat(30), flat(40), flat(90, last_step=10)]
    reason = judge(own, OTHERS, step=20_000, complete=5, seeds=3)
    assert reason is not None and "its mean reward 35 over 2 of 3 seeds is below" in reason
    reason = judge(own[:2], OTHERS, step=20_000, complete=5, seeds=2)
    assert reason is not None and "its mean reward 35 over 2 seeds is below" in reason


@pytest.mark.parametrize("mean", [84, 84.001, 200])
def test_a_variant_at_the_median_or_above_continues(mean):
    assert judge([flat(mean)], OTHERS, step=20_000, complete=5) is None


def test_nothing_is_stopped_before_enough_variants_are_complete():
    assert judge([flat(31)], OTHERS, step=20_000, complete=3) is None
    few = {number: OTHERS[number] for number in (1, 2, 3)}
    assert judge([flat(31)], few, step=20_000, complete=5) is None


def test_only_others_that_have_come_to_the_step_count():
    early = {number: [flat(100, last_step=10_000)] for number in range(6)}
    assert judge([flat(31)], early, step=20_000, complete=5) is None


def test_a_variant_without_an_episode_continues():
    assert judge([mean_curve(Series.of([], []), 30_000)], OTHERS, step=20_000, complete=5) is None


def test_checks_are_due_after_each_tenth_from_the_second_on():
    assert check_due(0.19, 0) is None
    assert check_due(0.2, 0) == 2
    assert check_due(0.29, 2) is None
    assert check_due(0.55, 2) == 5
    assert check_due(0.99, 5) == 9
    assert check_due(0.99, 9) is None


def test_a_run_at_its_end_is_not_stopped():
    assert check_due(1.0, 5) is None


def test_the_curve_is_the_mean_of_the_last_hundred_episodes():
    rewards = Series.of(np.arange(1, 1001) * 10, np.arange(1, 1001))
    curve = mean_curve(rewards, 10_500)
    assert curve.at(10_000) == pytest.approx(np.arange(901, 1001).mean())
    assert curve.at(10_500) == pytest.approx(np.arange(901, 1001).mean())
    assert curve.at(10_501) is None
    assert curve.at(9) is None
    assert curve.at(10) == 1


def test_binned_rewards_count_with_all_their_episodes():
    n = np.array([1.0, 1000.0, 1.0, 1.0])
    bins = Bins(n, np.zeros(4), np.zeros(4), np.zeros(4))
    curve = mean_curve(Series.of([10, 1000, 1010, 1020], [0.0, 50.0, 100.0, 200.0], bins=bins), 1020)
    assert 50 < curve.at(1020) < 55


def test_rewards_that_are_not_finite_are_left_out():
    curve = mean_curve(Series.of([10, 20, 30], [1.0, float("nan"), 3.0]), 30)
    assert curve.at(30) == 2
