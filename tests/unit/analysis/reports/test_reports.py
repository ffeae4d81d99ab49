"""The report of a run in its three forms."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from unit.analysis import recorded

from rl_lab.analysis.curves import RunCurves, Series
from rl_lab.analysis.insights.detect import find_insights
from rl_lab.analysis.reports.report import (
    Filmstrip,
    Report,
    ReportFile,
    ReportInput,
    ReportSetup,
    StripFrame,
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
    evaluation = {
        "episodes": 7,
        "return_mean": 412.3,
        "return_std": 3.5,
        "return_ci": [400.0, 420.0],
        "return_ci_level": 0.9,
        "successes": 1,
        "deterministic": True,
        "seeds": [448_000_001, 1_630_000_000],
        "returns": [412.0, 412.6],
        "checkpoint_role": "best",
        "checkpoint_timestep": 20_480,
    }
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
        if tag not in ("meta", "img"):
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
    assert "Best episode  9.5" in text
    assert "sparkline" not in text
    assert "loss  –" not in text


def test_text_contains_insights_evaluations_settings_and_events(report: Report) -> None:
    text = report_text(report)
    assert "! Training may be stuck, try a different learning rate (confidence" in text
    assert "→ Consider adjusting learning_rate: lower it from 0.1 to 0.001." in text
    assert re.search(r"^Learning rate +learning_rate +0\.1$", text, re.M)
    assert "best, step 20,480" in text
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
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'; img-src data:") in page.attributes


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


def test_returns_that_the_lab_cannot_check_are_mentioned_in_every_form() -> None:
    curves, note = recorded.load("ppo_cartpole_lr_0.1"), "The lab cannot check these returns."
    report = report_of(curves, returns_note=note)
    assert note in report_text(report)
    assert note in report_html(report)
    assert report.returns_note == note
    assert "Not checked" not in report_text(report_of(curves))


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
        "unit": "",
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


SETUP = ReportSetup(
    command="rl-lab train CartPole-v1 --seed 3",
    changed=["learning_rate"],
    labels={"learning_rate": "Learning rate", "n_envs": "Parallel environments"},
    versions={"python": "3.13.1", "rl-lab": "0.1.0"},
    hardware={"cpu": "A processor", "cores": 2},
    files=[ReportFile(path="model.zip", size=12_345, sha256="ab" * 32)],
    strips=[
        Filmstrip(
            title=title,
            episode=number,
            seed=448_000_001,
            timestep=61_440,
            reward=500.0,
            length=500,
            frames=[StripFrame(step=500, returned=-12.5, jpeg="QUJD")],
        )
        for title, number in (("First episode", 0), ("Best episode", 264))
    ],
)


def handed_in() -> Report:
    curves = recorded.load("ppo_cartpole_30k")
    run = {
        "id": "0abc",
        "config": {"seed": 1_630_000_000, "params": {"learning_rate": 0.0003, "n_envs": 8}},
    }
    return build_report(ReportInput(run, curves, setup=SETUP))


@pytest.mark.parametrize("write", [report_text, report_html])
def test_a_report_has_what_is_needed_to_repeat_the_run(write: Callable[[Report], str]) -> None:
    text = write(handed_in())
    for wanted in (
        "rl-lab train CartPole-v1 --seed 3",
        "1630000000",
        "0.0003",
        "Parallel environments",
        "python",
        "3.13.1",
        "A processor",
        "ab" * 32,
        "Best episode: number 264, reward 500, 500 steps, seed 448000001, after 61,440 steps of training",
    ):
        assert wanted in text
    assert "params." not in text
    assert "return_ci" not in text


def test_evaluations_have_exact_seeds_and_readable_columns(report: Report) -> None:
    for text in (report_text(report), report_html(report)):
        assert "Seeds: 448000001, 1630000000." in text.replace("\n  ", " ")
        assert "412.3 ± 3.50" in text
        assert "400 to 420 (about 90 %)" in text
        assert "the most probable action" in text


def test_pictures_of_the_agent_are_inside_the_page() -> None:
    page = page_of(report_html(handed_in()))
    assert page.tags.count("img") == 2
    sources = [value for name, value in page.attributes if name == "src"]
    assert sources == ["data:image/jpeg;base64,QUJD"] * 2
    assert "return \N{MINUS SIGN}12.5" in report_html(handed_in())


def test_figures_have_a_title_axes_with_units_and_a_legend() -> None:
    chart = next(c for c in report_of(recorded.load("ppo_cartpole_30k")).charts if c.metric == "reward")
    svg = draw_chart(chart.model_dump())
    for wanted in ("Episode reward (per episode)", "Training (environment steps)", "solved at 475", ">mean<"):
        assert wanted in svg


def test_a_constant_learning_rate_is_drawn_at_its_value() -> None:
    rate = Series.of(np.arange(50), np.full(50, 0.001))
    curves = RunCurves("Made-v0", "PPO", "sb3", series={"learning_rate": rate})
    svg = draw_chart(build_report(ReportInput({"id": "0abc"}, curves)).charts[0].model_dump())
    assert ">0.001<" in svg
    assert svg.count(">0<") == 1, "only the first step is 0"
