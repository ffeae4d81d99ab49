"""Comparisons across seeds: groups, intervals, thresholds, differences."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from rl_lab.analysis.comparison import compare_groups, compare_runs
from rl_lab.analysis.curves import RunCurves, Series
from rl_lab.analysis.statistics import difference
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run, Summary
from rl_lab.core.studies.comparisons import ComparisonQuestion
from rl_lab.core.studies.evaluation_scores import NO_SCORES, ChosenScores
from rl_lab.core.workbench.protocols import CitedProtocol

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def _run(run_id: str, seed: int, lr: float, final: float | None) -> Run:
    config = TrainConfig(algorithm="ppo", env_id="CartPole-v1", seed=seed, params={"learning_rate": lr})
    name = f"PPO on CartPole-v1 · learning rate {lr} · seed {seed}"
    summary = Summary(mean_reward=final, best_mean_reward=final)
    return Run(id=run_id, name=name, config=config, summary=summary, created_at=NOW, updated_at=NOW)


def _curves(values: list[float], metric: str = "reward") -> RunCurves:
    steps = np.arange(len(values)) * 100
    return RunCurves(
        env_id="CartPole-v1",
        algorithm="ppo",
        runner="sb3",
        params={},
        total_timesteps=1000,
        reward_threshold=475.0,
        status="succeeded",
        series={metric: Series.of(steps, values, steps)},
    )


RUNS = [
    *(_run(f"a{seed}", seed, 0.1, 400.0 + seed) for seed in range(5)),
    *(_run(f"b{seed}", seed, 0.2, 100.0 + seed) for seed in range(5)),
    _run("c", 1, 0.3, None),
]


def test_runs_that_differ_only_in_their_seed_are_one_group() -> None:
    found = compare_runs(RUNS, {}, ChosenScores(returns={"a0": 500.0}))
    assert [(group.label, len(group.run_ids)) for group in found.groups] == [
        ("learning rate 0.1", 5),
        ("learning rate 0.2", 5),
        ("learning rate 0.3 · seed 1", 1),
    ]
    final = found.groups[0].statistics["final"]
    assert (final.seeds, final.mean, final.median, final.low, final.high) == (5, 402.0, 402.0, 400.0, 404.0)
    assert final.mean_interval is not None and final.mean_interval[0] < 402 < final.mean_interval[1]
    assert final.mean_level == 0.9
    alone = found.groups[0].statistics["evaluation"]
    assert (alone.mean_interval, alone.mean_level) == (None, None)
    assert found.groups[2].statistics == {}


def test_returns_that_the_lab_cannot_check_are_mentioned_with_their_group() -> None:
    own = RUNS[5].config.model_copy(update={"env_id": "own:grid-v1"})
    unchecked = Run(**{**RUNS[5].model_dump(), "config": own})
    found = compare_runs([RUNS[0], unchecked], {})
    assert [any("cannot check" in note for note in group.notes) for group in found.groups] == [False, True]


def test_a_difference_has_an_interval_that_excludes_zero_when_the_groups_are_apart() -> None:
    [gap] = [d for d in compare_runs(RUNS, {}).differences if d.measure == "final"]
    assert (gap.first, gap.second, gap.mean) == ("learning rate 0.1", "learning rate 0.2", 300.0)
    assert gap.interval is not None and 290 < gap.interval[0] < 300 < gap.interval[1] < 310
    assert (gap.level, gap.chance_first_better) == (0.9, 1.0)


def test_fewer_than_five_seeds_have_no_interval() -> None:
    found = compare_runs([*RUNS[:3], *RUNS[5:10]], {})
    assert found.groups[0].statistics["final"].mean_interval is None
    assert found.differences[0].interval is None


def test_the_step_at_which_the_threshold_was_reached_is_the_median_over_seeds() -> None:
    early, late = [480.0] * 100, [0.0] * 100 + [480.0] * 100
    curves = {"a0": _curves(early), "a1": _curves(late), "a2": _curves([500.0] * 99)}
    group = compare_runs(RUNS[:3], curves).groups[0]
    # At step 100 * the index of the episode with which the last 100 reach 475: 99 and, with one zero left, 198.
    assert (group.threshold, group.solved, group.solved_step) == (475.0, 2, 100 * (99 + 198) / 2)


def test_an_adopted_run_without_episodes_is_solved_by_the_mean_that_it_reported() -> None:
    curves = {"a0": _curves([0, 480], "mean_reward"), "a1": _curves([0, 0], "mean_reward")}
    group = compare_runs(RUNS[:2], curves).groups[0]
    assert (group.solved, group.solved_step) == (1, 100.0)


def test_a_difference_of_single_values_has_no_interval() -> None:
    estimate, chance = difference([3.0], [1.0])
    assert (estimate.value, chance) == (2.0, 1.0)
    assert estimate.low == -np.inf


@pytest.mark.parametrize("shift", [0.0, 5.0])
def test_the_interval_of_a_difference_covers_the_truth(shift: float) -> None:
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(100):
        estimate, _ = difference(rng.normal(shift, 1, 5), rng.normal(0, 1, 5))
        covered += estimate.low <= shift <= estimate.high
    assert covered >= 85


NIGHTLY = CitedProtocol(name="nightly", version=2, sha256="n2", text="protocol nightly@v2")


def test_numbers_of_evaluation_code_and_derived_metrics_have_the_statistics_of_every_measure() -> None:
    values = {"soft": {run.id: float(i) for i, run in enumerate(RUNS[:10])}}
    scores = ChosenScores(numbers=values, derived={"metrics.speed": values["soft"]}, protocol=NIGHTLY)
    found = compare_runs(RUNS, {}, scores, ComparisonQuestion(measure="soft"))
    assert found.measures["soft"] == "mean soft of the newest evaluation (protocol nightly@v2)"
    assert found.measures["metrics.speed"] == "last value of speed"
    first, second, without = found.groups
    assert (first.statistics["soft"].iqm, second.statistics["metrics.speed"].iqm) == (2.0, 7.0)
    assert "soft" not in without.statistics
    (gap,) = [one for one in found.differences if one.measure == "soft"]
    assert (gap.mean, gap.chance_first_better) == (-5.0, 0.0)
    named = compare_runs(RUNS, {}, scores, ComparisonQuestion(measure="speed"))
    assert named.measure == "metrics.speed", "a derived metric is found by its name alone"


def test_a_measure_that_no_run_has_is_refused_unless_its_study_is_judged_by_it() -> None:
    with pytest.raises(InvalidInput, match="none of the runs has “soft”"):
        compare_runs(RUNS, {}, NO_SCORES, ComparisonQuestion(measure="soft"))
    waiting = compare_groups([], ComparisonQuestion(), "soft")
    assert waiting.measure == "soft" and "soft" in waiting.measures
    # A study of a pack may be judged by anything.
    assert compare_groups([], ComparisonQuestion(), "at_step").measure == "at_step"
