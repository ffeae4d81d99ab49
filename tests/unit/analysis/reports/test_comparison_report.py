"""The report of a comparison in its four forms."""

from __future__ import annotations

import dataclasses
import json
import re
from datetime import UTC, datetime

import numpy as np
import pytest

from rl_lab.analysis.comparison import compare_runs
from rl_lab.analysis.curves import RunCurves, Series
from rl_lab.analysis.reports.comparison_html import comparison_html
from rl_lab.analysis.reports.comparison_markdown import comparison_markdown
from rl_lab.analysis.reports.comparison_report import (
    ComparedLine,
    ComparisonInput,
    ComparisonReport,
    build_comparison,
)
from rl_lab.analysis.reports.comparison_text import comparison_text
from rl_lab.analysis.reports.report import ReportSetup
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run, RunStatus, Summary
from rl_lab.core.studies.evaluation_scores import ChosenScores

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NASTY = "<script>alert('x')</script>"


def _run(run_id: str, seed: int, rate: float, final: float, name: str = "") -> Run:
    config = TrainConfig(algorithm="ppo", env_id="CartPole-v1", seed=seed, params={"learning_rate": rate})
    return Run(
        id=run_id,
        name=name or f"PPO on CartPole-v1 · learning rate {rate} · seed {seed}",
        config=config,
        summary=Summary(mean_reward=final, best_mean_reward=final + 5),
        created_at=NOW,
        updated_at=NOW,
    )


def _curves(first: float, last: float, steps: int = 1000) -> RunCurves:
    step = np.linspace(0, steps, 300)
    values = np.append(np.linspace(first, last, 200), np.full(100, last))
    return RunCurves(
        env_id="CartPole-v1",
        algorithm="ppo",
        runner="sb3",
        reward_threshold=475.0,
        series={"reward": Series.of(step, values), "length": Series.of(step, values)},
    )


def report_of(runs: list[Run], *, is_grouped: bool = True) -> ComparisonReport:
    curves = {run.id: _curves(run.summary.mean_reward or 0, 480 + number) for number, run in enumerate(runs)}
    evaluations = {runs[0].id: 490.0}
    versions = {run.id: "2.5" if run.id == "b2" else "2.4" for run in runs}
    return build_comparison(
        ComparisonInput(
            runs=runs,
            curves=curves,
            comparison=compare_runs(runs, curves, ChosenScores(returns=evaluations)),
            evaluations=evaluations,
            setups={
                run.id: ReportSetup(
                    command=f"rl-lab train CartPole-v1 --seed {getattr(run.config, 'seed', 0)}",
                    labels={"learning_rate": "Learning rate"},
                    versions={"torch": versions[run.id], "python": "3.12"},
                )
                for run in runs
            },
            written_at=NOW,
            is_grouped=is_grouped,
        )
    )


RUNS = [
    _run("a1", 448_000_001, 0.1, 400),
    _run("a2", 2, 0.1, 410),
    _run("b1", 1, 0.2, 100),
    _run("b2", 2, 0.2, 90),
]


def test_seeds_of_one_configuration_are_one_line_with_a_band() -> None:
    report = report_of(RUNS)
    assert report.title == "Comparison of 4 runs in 2 configurations"
    chart = report.charts[0]
    assert (chart.metric, chart.reference) == ("reward", 475.0)
    assert [line.label for line in chart.lines] == [
        "learning rate 0.1, mean of 2 seeds",
        "learning rate 0.2, mean of 2 seeds",
    ]
    line = chart.lines[0]
    assert all(low <= mean <= high for low, mean, high in zip(line.low, line.mean, line.high, strict=True))
    assert line.low[0] < line.high[0]
    page = comparison_html(report)
    assert page.count('class="band c') == 2 * len(report.charts)
    assert "solved at 475" in page


def test_without_groups_every_run_is_a_line() -> None:
    report = report_of(RUNS, is_grouped=False)
    assert [line.runs for line in report.charts[0].lines] == [1, 1, 1, 1]
    assert 'class="band c' not in comparison_html(report)


def _line_of_two(first: RunStatus, second: RunStatus, known: int = 2) -> ComparedLine:
    """A run of 1,000 steps with rewards of 100, and one of 500 steps with 300."""
    runs = [
        run.model_copy(update={"status": status})
        for run, status in zip(RUNS[:2], (first, second), strict=True)
    ]
    curves = {"a1": _curves(100, 100, steps=1000), "a2": _curves(300, 300, steps=500)}
    if known == 1:
        curves["a2"] = dataclasses.replace(curves["a2"], series={})
    none = {run.id: ReportSetup() for run in runs}
    source = ComparisonInput(runs, curves, compare_runs(runs, curves), {}, none, NOW)
    report = build_comparison(source)
    assert "a run that ended early keeps its last value" in comparison_html(report) or known == 1
    [line] = report.charts[0].lines
    return line


def test_a_run_that_ended_early_keeps_its_last_value_in_the_mean() -> None:
    line = _line_of_two(RunStatus.succeeded, RunStatus.succeeded)
    assert set(line.mean) == {200.0}
    assert line.step[-1] > 990


def test_a_run_in_progress_ends_the_mean_where_it_is() -> None:
    line = _line_of_two(RunStatus.succeeded, RunStatus.running)
    assert set(line.mean) == {200.0}
    assert 490 < line.step[-1] <= 500


def test_a_seed_without_values_is_counted_in_the_label() -> None:
    line = _line_of_two(RunStatus.succeeded, RunStatus.failed, known=1)
    assert line.label.endswith("mean of 1 of 2 seeds")


def test_settings_that_differ_are_apart_from_those_they_share() -> None:
    report = report_of(RUNS)
    assert [(one.label, one.values) for one in report.differing] == [("Learning rate", ["0.1", "0.2"])]
    assert ("Environment", ["CartPole-v1", "CartPole-v1"]) in [
        (one.label, one.values) for one in report.shared
    ]


def test_text_has_statistics_exact_seeds_versions_and_commands() -> None:
    text = comparison_text(report_of(RUNS))
    assert "448000001" in text
    assert "rl-lab train CartPole-v1 --seed 448000001" in text
    assert "2.4 (3 runs), 2.5 (1 run)" in text
    assert "learning rate 0.1 minus learning rate 0.2: +310, too few for an interval" in " ".join(
        text.split()
    )
    assert "2 of 2" in text
    assert "Median" in text and "IQM" in text and "400 to 410" in text


def test_intervals_state_their_level() -> None:
    runs = [_run(f"a{seed}", seed, 0.1, 400 + seed) for seed in range(5)]
    runs += [_run(f"b{seed}", seed, 0.2, 90 + seed) for seed in range(10)]
    text = comparison_text(report_of(runs))
    assert "learning rate 0.1 minus learning rate 0.2: +307.5, about 90 % between" in " ".join(text.split())
    assert "(about 90 %)" in text and "(95 %)" in text


def test_one_configuration_says_that_only_the_seed_differs() -> None:
    page = comparison_html(report_of(RUNS[:2]))
    assert "The runs differ only in their seed." in page
    assert "<h2>Differences</h2>" not in page


def test_the_page_escapes_names_and_loads_nothing() -> None:
    page = comparison_html(report_of([_run("x", 1, 0.1, 5.0, NASTY), _run("y", 2, 0.3, 6.0)]))
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert " src=" not in page and " href=" not in page
    assert page.count("<svg") == page.count("</svg>") == 2


@pytest.mark.parametrize("runs", [RUNS, RUNS[:1]])
def test_json_is_readable_by_programs(runs: list[Run]) -> None:
    found = json.loads(report_of(runs).model_dump_json())
    assert [one["seed"] for one in found["runs"]] == [run.config.seed for run in runs]  # type: ignore[union-attr]
    assert found["runs"][0]["evaluation"] == 490.0


def many_seeds(gap: float) -> list[Run]:
    """Two configurations with six seeds each, whose means differ by this much."""
    return [
        _run(f"{name}{seed}", seed, rate, 200 + seed + (gap if name == "b" else 0)).model_copy(
            update={"status": RunStatus.succeeded}
        )
        for name, rate in (("a", 0.1), ("b", 0.2))
        for seed in range(6)
    ]


def test_a_report_has_the_verdict_its_correction_and_a_recommendation() -> None:
    report = report_of(many_seeds(50))
    [verdict] = report.comparison.verdicts
    assert verdict.outcome == "better"
    assert report.comparison.recommendation.startswith("Use learning rate 0.2 (mean 252.5)")
    for text in (comparison_html(report), comparison_text(report), comparison_markdown(report)):
        flat = " ".join(text.replace("\\", "").split())
        assert "Verdict" in text and "Recommendation" in text
        assert verdict.sentence[:40] in flat


def test_without_an_established_difference_the_reference_is_kept() -> None:
    report = report_of(many_seeds(0.5))
    assert report.comparison.verdicts[0].outcome == "not established"
    assert report.comparison.recommendation.startswith("Keep learning rate 0.1: no other configuration")


def test_one_configuration_is_compared_with_nothing() -> None:
    assert "nothing is compared" in report_of(many_seeds(0)[:6]).comparison.recommendation


def test_the_band_is_an_interval_from_five_seeds_on_and_the_caption_says_so() -> None:
    few, many = report_of(RUNS), report_of(many_seeds(50))
    assert {line.band for line in few.charts[0].lines} == {"range"}
    assert {line.band for line in many.charts[0].lines} == {"interval"}
    line = many.charts[0].lines[0]
    assert all(low <= mean <= high for low, mean, high in zip(line.low, line.mean, line.high, strict=True))
    assert "lowest to the highest seed" in comparison_html(few)
    assert "interval of the mean at each step" in comparison_html(many)


def test_names_cannot_become_markup_in_markdown() -> None:
    runs = [_run("a1", 1, 0.1, 400, name=f"{NASTY} | **x**"), _run("b1", 1, 0.2, 90)]
    text = comparison_markdown(report_of(runs))
    assert NASTY not in text and "**x**" not in text
    rows = [line for line in text.splitlines() if line.startswith("|") and "script" in line]
    unescaped = {len(re.findall(r"(?<!\\)\|", row)) for row in rows}
    assert rows and all(count >= 3 for count in unescaped)
