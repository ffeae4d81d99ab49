"""The second way into the lab: use a trained agent."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect
from support.browser import Visitor, keep_picture
from support.server import Server
from support.waiting import DEADLINE_S


def test_a_trained_model_is_found_watched_and_tested(visitor: Visitor, solved: dict[str, Any]) -> None:
    page = visitor.sign_in("/?env=CartPole-v1")
    page.get_by_role("button", name="Use trained").click()
    expect(page).to_have_url(re.compile("way=trained"))
    models = page.get_by_role("region", name="Trained models")
    model = models.get_by_role("group", name="solved", exact=True)
    model.get_by_role("button", name="Watch").click()
    expect(page).to_have_url(re.compile(f"run={solved['id']}"))
    expect(model.get_by_role("button", name="Watch")).to_have_attribute("aria-pressed", "true")
    expect(model.get_by_role("button", name="Continue")).to_have_attribute("aria-disabled", "true")
    keep_picture(page, "use-trained")
    model.get_by_role("button", name="Test").click()
    expect(page).to_have_url(re.compile("evaluation="))

    page.get_by_label("Filter environments").fill("acrobot")
    page.get_by_role("button", name=re.compile("^Acrobot")).click()
    expect(models).to_contain_text("No model for Acrobot yet")
    models.get_by_role("button", name="Train one").click()
    expect(page.get_by_role("button", name=re.compile("^Train Acrobot"))).to_be_visible()


def test_a_run_shows_its_command_and_its_report_is_named_after_it(
    visitor: Visitor, solved: dict[str, Any]
) -> None:
    page = visitor.sign_in(f"/runs/{solved['id']}?tab=config")
    expect(page.locator("pre")).to_contain_text("rl-lab train CartPole-v1 --algorithm ppo --runner turbo")
    page.get_by_role("button", name="Share").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Download report (HTML)").click()
    assert download.value.suggested_filename == "solved-report.html"


def test_a_run_is_certified_and_wears_the_badge(visitor: Visitor, lab: Server) -> None:
    wanted = {
        "env_id": "CartPole-v1",
        "runner": "turbo",
        "algorithm": "ppo",
        "seed": 2,
        "total_timesteps": 20_000,
    }
    run = lab.client.post("/api/runs", json=wanted).json()
    page = visitor.sign_in(f"/runs/{run['id']}")
    panel = page.get_by_role("region", name="Exact resume")
    expect(panel).to_contain_text("identical, or the first difference")
    panel.get_by_role("button", name="Certify").click()
    expect(panel).to_contain_text("Identical: broken and resumed 3 times", timeout=DEADLINE_S * 1000)
    expect(panel).to_contain_text("Killed (SIGKILL) at step")
    expect(panel.get_by_role("link", name="Certificate")).to_be_visible()
    expect(page.get_by_text("Exact resume: certified")).to_be_visible()
    keep_picture(page, "certified")
