"""No series breaks a detector, a report or the comparison of seeds; and a broken detector breaks nothing else."""

import json
import logging
import re

import numpy as np
import pytest
from unit.analysis.reports.test_reports import report_of
from unit.analysis.shapes import SHAPES, run_of_shape

from rl_lab.analysis.curves import RunCurves
from rl_lab.analysis.insights import detect
from rl_lab.analysis.insights.detect import DETECTORS, find_insights
from rl_lab.analysis.insights.reward_curve import RewardCurve
from rl_lab.analysis.insights.seeds import compare_seeds
from rl_lab.analysis.reports.report import report_html, report_json, report_text
from rl_lab.core.insights import Insight

THRESHOLDS = (None, 0.0, 475.0)


@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_no_series_breaks_a_detector(shape: str, threshold: float | None) -> None:
    curves = run_of_shape(shape, threshold=threshold)
    rewards = RewardCurve(curves)
    for detector in DETECTORS.values():
        with np.errstate(all="ignore"):
            detector(curves, rewards)


@pytest.mark.parametrize("shape", SHAPES)
def test_points_at_one_step_break_no_detector(shape: str) -> None:
    curves = run_of_shape(shape, apart=0)
    for detector in DETECTORS.values():
        with np.errstate(all="ignore"):
            detector(curves, RewardCurve(curves))


@pytest.mark.parametrize("shape", SHAPES)
def test_insights_of_any_series_are_valid_json(shape: str) -> None:
    found = find_insights(run_of_shape(shape, threshold=475.0))
    assert found
    assert json.dumps([insight.model_dump() for insight in found], allow_nan=False)


@pytest.mark.parametrize("shape", SHAPES)
def test_no_series_breaks_the_report(shape: str) -> None:
    report = report_of(run_of_shape(shape, threshold=475.0))
    assert json.loads(report_json(report))["name"] == "first try"
    assert "first try" in report_text(report)
    assert not re.search(r'(points|d|[xy]\d?)="[^"]*(nan|inf)', report_html(report))


@pytest.mark.parametrize("shape", SHAPES)
def test_no_series_breaks_the_comparison_of_seeds(shape: str) -> None:
    with np.errstate(all="ignore"):
        compare_seeds([run_of_shape(shape, threshold=threshold) for threshold in THRESHOLDS])


def test_a_detector_that_fails_costs_its_own_sentence_only(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
        raise ZeroDivisionError

    curves = run_of_shape("constant", threshold=475.0)
    before = [insight.id for insight in find_insights(curves)]
    monkeypatch.setattr(detect, "DETECTORS", {**DETECTORS, "converged": fail})
    with caplog.at_level(logging.ERROR):
        after = [insight.id for insight in find_insights(curves)]
    assert after == [name for name in before if name != "converged"]
    assert "converged" in caplog.text
