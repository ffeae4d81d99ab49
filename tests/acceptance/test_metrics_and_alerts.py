"""Derived metrics and alerts in a real browser: typed, previewed, charted, and a message when an alert fires."""

from __future__ import annotations

from playwright.sync_api import expect
from support.browser import Visitor, keep_picture
from support.server import Server


def test_a_metric_is_typed_with_its_mistake_shown_then_saved_and_charted(
    lab: Server, visitor: Visitor
) -> None:
    run = lab.create(name="measured", start=True)
    lab.wait(run["id"], "succeeded")
    page = visitor.sign_in(f"/runs/{run['id']}?tab=charts")
    page.get_by_role("link", name="New metric from these").click()
    page.get_by_label("Name", exact=True).fill("per_step")
    page.get_by_label("Expression").fill("return / lenght")
    expect(page.get_by_role("alert")).to_contain_text("There is no metric “lenght”. Did you mean length?")
    keep_picture(page, "metric-mistake")
    page.get_by_label("Expression").fill("return / ")
    page.get_by_role("button", name="length", exact=True).click()
    expect(page.get_by_label("Expression")).to_have_value("return / length")
    expect(page.get_by_role("img", name="per_step")).to_be_visible()
    keep_picture(page, "metric-preview")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="per_step")).to_be_visible()
    page.goto(f"/runs/{run['id']}?tab=charts&find=per_step")
    expect(page.get_by_role("img", name="Per step")).to_be_visible()
    page.goto("/workbench?tab=metrics")
    page.get_by_role("link", name="per_step").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("link", name="per_step")).to_have_count(0)


def test_an_alert_from_a_chart_fires_and_is_shown(lab: Server, visitor: Visitor) -> None:
    run = lab.create(
        name="watched", start=True, total_timesteps=10_000_000, params={"steps_per_second": 2000}
    )
    page = visitor.sign_in(f"/runs/{run['id']}?tab=charts&find=length")
    page.get_by_role("button", name="Episode length: settings").click()
    page.get_by_role("button", name="Alert me when…").click()
    form = page.get_by_role("dialog", name="Alert me when…")
    expect(form.get_by_label("Metric or expression")).to_have_value("length")
    form.get_by_label("Value", exact=True).fill("1")
    form.get_by_label("Execute a command").fill("echo 'hello'")
    expect(form.get_by_role("button", name="Save")).to_have_attribute("aria-disabled", "true")
    form.get_by_label("Execute a command").fill("")
    keep_picture(page, "alert-form")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").get_by_text("Alert: watched: length is above 1")).to_be_visible()
    keep_picture(page, "alert-fired")
    page.goto("/workbench?tab=metrics")
    expect(page.get_by_role("list", name="Fired alerts")).to_contain_text("watched: length is above 1")
    page.get_by_role("button", name="Edit length is above 1").click()
    page.get_by_role("textbox", name="Value").fill("1000")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("list", name="Alerts", exact=True)).to_contain_text("length is above 1,000")
    keep_picture(page, "workbench-metrics")
    page.get_by_role("button", name="Delete length is above 1").click()
    expect(page.get_by_role("list", name="Alerts")).to_have_count(0)
    lab.client.post("/api/derived-metrics", json={"name": "twice", "expression": "2 * cumsum(length)"})
    page.goto(f"/runs/{run['id']}?tab=charts&find=twice")
    chart = page.get_by_role("img", name="Twice")
    first = chart.get_attribute("aria-label")
    expect(chart).not_to_have_attribute("aria-label", str(first))  # it grows with the run
    lab.client.delete("/api/derived-metrics/twice")
    lab.client.post(f"/api/runs/{run['id']}/stop")
    lab.wait(run["id"], "stopped", "succeeded")
