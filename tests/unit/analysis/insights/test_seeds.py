"""Several seeds of one configuration."""

import numpy as np
import pytest

from rl_lab.analysis.curves import RunCurves, Series
from rl_lab.analysis.insights.seeds import compare_seeds


def seed_run(final: float, *, seed: int, episodes: int = 300) -> RunCurves:
    rng = np.random.default_rng(seed)
    reward = np.linspace(20, final, episodes).clip(max=max(final, 20)) + rng.normal(0, 8, episodes)
    reward[episodes // 2 :] = final + rng.normal(0, 8, episodes - episodes // 2)
    steps = 100 * np.arange(1, episodes + 1)
    return RunCurves(
        "Made-v0", "PPO", "sb3", reward_threshold=475.0, series={"reward": Series.of(steps, reward)}
    )


def test_one_failed_seed_is_disagreement_with_each_seeds_level() -> None:
    insight = compare_seeds([seed_run(490, seed=1), seed_run(485, seed=2), seed_run(60, seed=3)])
    assert insight is not None
    assert insight.id == "seeds_disagree"
    assert insight.evidence["seed_3"] == pytest.approx(60, abs=3)
    assert "2 of 3 are in the upper half" in insight.text
    assert insight.hint is not None
    assert insight.hint.startswith("Run ")


def test_seeds_that_end_alike_agree() -> None:
    insight = compare_seeds([seed_run(490, seed=seed) for seed in range(4)])
    assert insight is not None
    assert insight.id == "seeds_agree"


def test_seeds_are_compared_at_the_last_step_all_reached() -> None:
    insight = compare_seeds([seed_run(490, seed=1), seed_run(490, seed=2, episodes=200)])
    assert insight is not None
    assert insight.window is not None
    assert insight.window.to_step == 20_000


def test_one_usable_seed_gives_no_insight() -> None:
    assert compare_seeds([seed_run(490, seed=1), seed_run(490, seed=2, episodes=10)]) is None
