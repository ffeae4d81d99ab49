"""The report of a run in its three forms."""

import json
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from unit.analysis import recorded

from rl_lab.analysis.curves import RunCurves, Series
from rl_lab.analysis.insights.detect import find_insights
from rl_lab.analysis.reports.report import (
    Report,
    ReportInput,
    build_report,
    report_html,
    report_json,
    report_text,
)
from rl_lab.analysis.reports.svg import draw_chart

NASTY = "<script>alert('x')</script>\"&"


def report_of(curves: RunCurves, **changes: Any) -> Report:
    run = {
        "id": "0abc",
        "name": "first try",
        "status": "succeeded",
        "reason": {"cause": "done", "message": "All steps were made.", "next_step": "Evaluate it."},
        "config": {"env_id": curves.env_id, "params": dict(curves.params)},
        "summary": {"mean_reward": float("nan"), "sparkline": list(range(40))},
        "created_at": datetime(2030, 1, 2, 3, 4, tzinfo=UTC),
        "started_at": datetime(2030, 1, 2, 3, 5, tzinfo=UTC),
        "ended_at": datetime(2030, 1, 2, 3, 6, 30, tzinfo=UTC),
    }
    event = {
        "at": "2030-01-02T03:05:00Z",
        "level": "warning",
        "type": "memory",
        "message": "Memory is short.",
    }
    evaluation = {"episodes": 10, "return_mean": 412.3, "ended": {"terminated": 3, "truncated": 7}}
    source = ReportInput(run | changes, curves, find_insights(curves), [evaluation], [event])
    return build_report(source)


@pytest.fixture
def report() -> Report:
    return report_of(recorded.load("ppo_cartpole_lr_0.1"))


class Page(HTMLParser):
    """Collects tags and attributes, and checks that every tag is closed by its own kind."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of(html: str) -> Page:
    page = Page()
    page.feed(html)
    assert page.open == []
    return page


def test_json_is_read_back_as_the_same_report(report: Report) -> None:
    assert Report.model_validate_json(report_json(report)) == report


def test_json_has_no_nan(report: Report) -> None:
    assert json.loads(report_json(report), parse_constant=pytest.fail)["summary"]["mean_reward"] is None


def test_headline_numbers_come_from_the_curves(report: Report) -> None:
    assert (report.episodes, report.steps, report.duration_s) == (3157, 30_720, 90.0)
    assert report.mean_reward == pytest.approx(9.35, abs=0.01)
    assert report.reason == "All steps were made. Evaluate it."


def test_steps_after_the_last_episode_count_too() -> None:
    curves = recorded.load("ppo_cartpole_lr_0.1")
    assert report_of(curves, progress={"timestep": 31_000}).steps == 31_000


def test_the_summary_leaves_out_the_sparkline_and_unknown_values() -> None:
    summary = {"best_reward": 9.5, "loss": None, "sparkline": [1.0, 2.0]}
    text = report_text(report_of(recorded.load("ppo_cartpole_lr_0.1"), summary=summary))
    assert "best_reward  9.5" in text
    assert "sparkline" not in text
    assert "loss  –" not in text


def test_text_contains_insights_evaluations_settings_and_events(report: Report) -> None:
    text = report_text(report)
    assert "! Training may be stuck, try a different learning rate (confidence" in text
    assert "→ Consider adjusting learning_rate: lower it from 0.1 to 0.001." in text
    assert "params.learning_rate  0.1" in text
    assert "ended.truncated" in text
    assert "2030-01-02 03:05:00 ! memory: Memory is short." in text
    assert "1 min 30 s" in text


def test_html_is_well_formed_with_a_chart_per_metric(report: Report) -> None:
    html = report_html(report)
    page = page_of(html)
    assert page.tags.count("svg") == len(report.charts) == 9
    assert "prefers-color-scheme:dark" in html


def test_html_is_self_contained(report: Report) -> None:
    page = page_of(report_html(report))
    assert not {"script", "img", "link", "iframe", "object"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name in ("src", "href") or name.startswith("on")]
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in page.attributes


def test_html_escapes_every_text_of_the_run() -> None:
    plain = recorded.load("ppo_cartpole_1k")
    curves = RunCurves(
        NASTY, NASTY, NASTY, {NASTY: NASTY}, series={**plain.series, NASTY: plain.series["loss"]}
    )
    event = {"at": NASTY, "type": NASTY, "message": NASTY, "level": NASTY}
    run = {"id": NASTY, "name": NASTY, "status": NASTY, "reason": NASTY, "config": {NASTY: [NASTY]}}
    insights = [insight.model_copy(update={"hint": NASTY}) for insight in find_insights(curves)]
    html = report_html(build_report(ReportInput(run, curves, insights, [{NASTY: NASTY}], [event])))
    assert "script" not in page_of(html).tags
    assert "alert(" in html


def test_run_without_data_still_has_a_report() -> None:
    empty = RunCurves("CartPole-v1", "PPO", "sb3", status="queued")
    report = build_report(ReportInput({"id": "0abc"}, empty, find_insights(empty)))
    assert report.charts == []
    assert report.mean_reward is None
    assert "Too early to tell" in report_text(report)
    assert page_of(report_html(report)).tags.count("article") == 1


def test_charts_of_long_runs_keep_their_extremes_in_few_points() -> None:
    values = np.zeros(100_000)
    values[77_777] = 9.0
    curves = RunCurves("Made-v0", "PPO", "sb3", series={"reward": Series.of(np.arange(100_000), values)})
    chart = build_report(ReportInput({"id": "0abc"}, curves)).charts[0]
    assert (len(chart.step), chart.points, max(chart.high)) == (240, 100_000, 9.0)


def test_flat_curve_is_drawn_inside_its_frame() -> None:
    line = {
        "title": "Loss",
        "reference": None,
        "step": [0.0, 10.0],
        **{key: [2.0, 2.0] for key in ("low", "mean", "high")},
    }
    assert "nan" not in draw_chart(line)


def test_only_the_newest_events_are_kept_and_the_rest_is_counted() -> None:
    curves = recorded.load("ppo_cartpole_1k")
    events = [{"at": "", "type": "log", "message": f"line {index}"} for index in range(250)]
    report = build_report(ReportInput({"id": "0abc"}, curves, events=events))
    assert (len(report.events), report.events_left_out) == (200, 50)
    assert report.events[-1]["message"] == "line 249"
    assert "(50 older events left out)" in report_text(report)
