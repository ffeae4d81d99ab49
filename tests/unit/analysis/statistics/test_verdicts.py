"""Verdicts: their error rate, their sentences, what would settle them, and how many comparisons are corrected."""

from __future__ import annotations

import numpy as np
import pytest

from rl_lab.analysis.statistics.corrections import describe_correction, holm
from rl_lab.analysis.statistics.improvement import probability_of_improvement
from rl_lab.analysis.statistics.permutation import least_p, p_value, permutation_test
from rl_lab.analysis.statistics.power import least_seeds, seeds_needed
from rl_lab.analysis.statistics.verdicts import SeedValues, judge
from rl_lab.core.studies.comparisons import GroupVerdict


def _verdict(first: list[float], second: list[float]) -> GroupVerdict:
    [found], _ = judge(
        [SeedValues("A", np.array(first)), SeedValues("B", np.array(second))], 0, is_best=False
    )
    return found


def _skewed(rng: np.random.Generator, count: int) -> np.ndarray:
    """Most seeds are near the top, one in six crashes: as returns of a trained agent are."""
    return np.where(rng.random(count) < 1 / 6, rng.uniform(9, 100, count), 500 - rng.gamma(2, 10, count))


@pytest.mark.parametrize("seeds", [5, 7])
def test_equal_configurations_rarely_get_a_verdict(seeds: int) -> None:
    rng = np.random.default_rng(seeds)
    p = [p_value(_skewed(rng, seeds), _skewed(rng, seeds)) for _ in range(400)]
    assert np.mean(np.array(p) <= 0.05) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)


def test_the_interval_excludes_zero_exactly_where_p_is_small() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        found = permutation_test(rng.normal(rng.uniform(0, 3), 1, 5), rng.normal(0, 1, 6))
        assert (found.p <= 0.05) == (not found.low <= 0 <= found.high)
        assert found.low <= found.difference <= found.high


def test_a_difference_is_stated_with_its_numbers() -> None:
    found = _verdict([100, 110, 120, 115, 105], [160, 150, 170, 155, 165])
    assert found.outcome == "better" and found.difference == 50.0
    assert found.sentence.startswith("B is better than A by 50 (95 % interval ")
    assert found.sentence.endswith("; p = 0.008, 5 seeds each).")
    assert (found.seeds_needed, found.more_seeds, found.advice) == (None, None, None)
    worse = _verdict([160, 150, 170, 155, 165], [100, 110, 120, 115, 105])
    assert worse.outcome == "worse" and worse.interval is not None and worse.interval[1] < 0
    assert worse.sentence.startswith("B is worse than A by 50 (95 % interval ")
    assert "\N{MINUS SIGN}" not in worse.sentence


def test_an_open_question_says_how_many_more_seeds_would_settle_it() -> None:
    found = _verdict([100, 110, 120, 130, 140], [110, 125, 128, 150, 149])
    assert found.outcome == "not established"
    assert found.sentence.startswith(
        "Whether B is better than A is not established: the difference is 12.4 ("
    )
    assert found.seeds_needed is not None and found.more_seeds == found.seeds_needed - 5 > 5
    assert found.advice is not None and f"About {found.more_seeds} more seeds per variant" in found.advice


def test_a_tiny_difference_is_called_hopeless() -> None:
    found = _verdict([100, 110, 120, 130, 140], [100, 110, 120, 130, 141])
    assert (found.seeds_needed, found.more_seeds) == (None, None)
    assert found.advice == "Even 100 more seeds per variant would hardly settle it: the difference is small."


def test_a_single_seed_gets_no_verdict_no_interval_and_the_number_that_is_missing() -> None:
    found = _verdict([100, 110, 120, 130, 140], [500])
    assert (found.outcome, found.interval, found.p, found.level) == ("not established", None, None, None)
    assert "B has 1 seed, and a verdict needs 5 ended seeds of each" in found.sentence
    assert (found.seeds_needed, found.more_seeds) == (5, 4)
    nothing = _verdict([100, 110, 120, 130, 140], [])
    assert "B has no value" in nothing.sentence
    assert (nothing.difference, nothing.chance_better, nothing.more_seeds) == (None, None, 5)


def test_equal_values_are_no_verdict_and_constant_groups_are() -> None:
    same = _verdict([500] * 5, [500] * 5)
    assert same.outcome == "not established" and "all values are equal (500, 5 seeds each)" in same.sentence
    apart = _verdict([200] * 5, [500] * 5)
    assert apart.outcome == "better" and apart.interval == (300, 300)
    assert "no spread within the groups" in apart.sentence


def test_seeds_that_have_not_ended_are_waited_for() -> None:
    groups = [SeedValues("A", np.arange(5.0)), SeedValues("B", np.array([1.0]), training=4)]
    [found], _ = judge(groups, 0, is_best=False)
    assert "B has 1 seed (4 not ended yet)" in found.sentence
    assert found.advice == "4 seeds of the two have not ended: wait for them." and found.more_seeds is None


def test_several_comparisons_are_corrected_and_the_text_says_how() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.01, 0.04], comparisons=6) == pytest.approx([0.06, 0.2])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    base = np.array([100.0, 110, 120, 115, 105])
    groups = [SeedValues(name, base + shift) for name, shift in (("A", 0), ("B", 13), ("C", 40), ("D", 13))]
    found, text = judge(groups, 0, is_best=False)
    assert [one.outcome for one in found] == ["not established", "better", "not established"]
    assert "corrected for 3 comparisons by Holm's method" in text
    assert found[0].p is not None and found[0].p_corrected is not None and found[0].p_corrected > found[0].p
    best, words = judge(groups, 2, is_best=True)
    assert "all 6 pairs of the 4 groups" in words
    assert best[0].p_corrected is not None and best[0].p is not None
    assert best[0].p_corrected >= 6 * best[0].p - 1e-12
    assert describe_correction(1, 2, is_best=False) == "One comparison: nothing to correct."


def test_the_seeds_that_are_proposed_find_the_difference() -> None:
    rng = np.random.default_rng(7)
    needed = seeds_needed(1.5, (1.0, 1.0), 0.05)
    assert needed is not None and 8 <= needed <= 10
    found = [p_value(rng.normal(1.5, 1, needed), rng.normal(0, 1, needed)) for _ in range(100)]
    assert 0.65 <= np.mean(np.array(found) <= 0.05) <= 0.97
    assert seeds_needed(0.0, (1.0, 1.0), 0.05) is None
    assert seeds_needed(10.0, (0.0, 0.0), 0.05) == least_seeds(0.05) == 5
    assert least_p(5, 5) == pytest.approx(2 / 252) and least_seeds(0.001) == 7


def test_the_probability_of_improvement_is_never_certain_from_few_seeds() -> None:
    chance, ends = probability_of_improvement([6.0, 7, 8, 9, 10], [1.0, 2, 3, 4, 5])
    assert chance == 1.0 and ends is not None and 0.5 < ends[0] < 0.8 and ends[1] == 1.0
    assert probability_of_improvement([1.0, 2], [1.0, 2]) == (0.5, None)
