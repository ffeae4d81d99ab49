"""A reward of one's own in a real browser: from an example to a training, and its terms in the replay."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from support.browser import Visitor, keep_picture, scrolls_sideways
from support.server import Server
from support.waiting import wait_until

from .test_accessible import AXE, LOOK, RULES

NAME = "centred"
TERMS = f"Terms of {NAME}@v1"

pytestmark = pytest.mark.timeout(600)


def test_a_reward_is_written_tried_trained_with_and_watched(
    browser: Browser, lab: Server, solved: dict[str, Any]
) -> None:
    # axe is a foreign script, which the page's security policy would block.
    visitor = Visitor(browser, lab, bypass_csp=True)
    visitor.context.add_init_script(path=AXE)
    page = visitor.sign_in("/workbench")
    editor = _begin_with_an_example(page)
    _see_an_error_at_its_line_and_fix_it(page, editor)
    _save(page)
    _try_on_recorded_episodes(page, solved)
    keep_picture(page, "workbench-bench")
    assert page.evaluate(LOOK, {"type": "tag", "values": RULES}) == []
    assert not scrolls_sideways(page)
    run = _train_with_it(page, lab)
    page.goto(f"/runs/{run['id']}?tab=episodes&episode=1&frame=3")
    expect(page.get_by_role("region", name=TERMS, exact=True)).to_contain_text("centre")
    page.goto(f"/runs/{run['id']}?tab=config")
    page.get_by_role("button", name="Edit and run").click()
    expect(page.get_by_role("textbox", name=f"Code of {NAME}@v1")).to_contain_text("reward_function")
    expect(page.get_by_role("list", name="Chosen runs")).to_contain_text(run["name"])
    visitor.end()


def _begin_with_an_example(page: Page) -> Locator:
    page.get_by_role("button", name="New reward").click()
    page.get_by_label("Environment", exact=True).select_option("CartPole-v1")
    page.get_by_role("button", name="Balance in the middle of the track").click()
    expect(page.get_by_text("It works")).to_be_visible()
    return page.get_by_role("textbox", name="Code of New reward")


def _see_an_error_at_its_line_and_fix_it(page: Page, editor: Locator) -> None:
    editor.press("Control+End")
    editor.press_sequentially("oops oops")
    expect(page.get_by_text("It does not work yet.")).to_be_visible()
    expect(page.locator(".cm-lint-marker-error")).to_be_visible()
    page.reload()  # what was typed and not saved is kept
    expect(editor).to_contain_text("oops oops")
    page.get_by_role("list", name="Remarks").get_by_role("button", name=re.compile(r"line \d+")).click()
    expect(editor).to_be_focused()
    editor.press("Shift+End")
    editor.press("Delete")
    expect(page.get_by_text("It works")).to_be_visible()
    editor.press("Escape")
    editor.press("Tab")
    expect(editor).not_to_be_focused()


def _save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(NAME)
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name=f"{NAME}@v1")).to_be_visible()


def _try_on_recorded_episodes(page: Page, run: dict[str, Any]) -> None:
    page.get_by_role("button", name="Add a run").click()
    page.get_by_role("list", name="Runs").get_by_role("button", name=run["name"]).click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=f"Remove {run['name']}")).to_be_visible()
    page.get_by_label("Episodes, at most").select_option("50")
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_text(re.compile("^50 episodes from 1 run"))).to_be_visible()
    result = page.get_by_role("region", name=f"Result of {NAME}@v1")
    expect(result).to_contain_text("rank correlation")
    result.get_by_role("slider", name="Weight of environment").press("Home")
    expect(result).to_contain_text("× 0")
    result.get_by_role("button", name="Reset weights").click()
    page.get_by_role("button", name=re.compile("^Watch episode")).first.click()
    expect(page.get_by_role("region", name=TERMS, exact=True)).to_contain_text("environment’s reward")


def _train_with_it(page: Page, lab: Server) -> dict[str, Any]:
    page.get_by_role("button", name="Train with it").click()
    expect(page.get_by_label("Reward", exact=True)).to_have_value(f"{NAME}@v1")
    page.get_by_label("Total Timesteps").first.fill("2000")
    # The environment is named where the stage shows a run of another one.
    page.get_by_role("button", name=re.compile(r"^Train( Cart Pole)?$")).click()
    run = wait_until(lambda: _trained(lab), "the training to be created")
    return lab.wait(run["id"], "succeeded")


def _trained(lab: Server) -> dict[str, Any] | None:
    found: list[dict[str, Any]] = lab.client.get("/api/runs", params={"kind": "train"}).json()["items"]
    return next((run for run in found if (run["config"].get("reward") or {}).get("name") == NAME), None)
