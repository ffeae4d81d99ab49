"""Datasets: made from the episodes of a run, looked at, verified, exported and deleted on the page."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from support.browser import Visitor
from support.server import Server

NAME = "pole-best"
COUNT = 4


@pytest.fixture
def forgotten(lab: Server) -> Iterator[None]:
    """The name is free again afterwards, also when the test failed in between."""
    yield
    lab.client.delete(f"/api/datasets/{NAME}")


def test_a_dataset_is_made_looked_at_verified_exported_and_deleted(
    solved: dict[str, Any], forgotten: None, visitor: Visitor
) -> None:
    page = visitor.sign_in(f"/runs/{solved['id']}?tab=episodes")
    # A name that addresses have already is refused by the lab.
    visitor.forgive("422")
    _make(page)
    _look(page)
    _verify(page)
    _export(page)
    _learn(page)
    _delete(page)


def test_a_dialog_of_a_menu_has_the_focus_and_gives_it_back(page: Page, dataset: str) -> None:
    page.goto(f"/datasets/{dataset}")
    menu = page.locator("main").get_by_role("button", name="More", exact=True)
    menu.click()
    page.get_by_role("menuitem", name="Split…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(":focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    expect(menu).to_be_focused()


def _make(page: Page) -> None:
    page.get_by_role("region", name="Episodes", exact=True).get_by_role("button", name="Make dataset").click()
    dialog = page.get_by_role("dialog", name="New dataset")
    dialog.get_by_label("How many").select_option("The best")
    dialog.get_by_label("At most").fill(str(COUNT))
    expect(dialog.get_by_role("status").filter(has_text=f"{COUNT} episodes, ")).to_be_visible()
    expect(dialog.get_by_role("group", name=re.compile("Return"))).to_be_visible()
    name = dialog.get_by_label("Name of the dataset")
    name.fill("forecast")
    dialog.get_by_role("button", name="Make dataset").click()
    expect(dialog.get_by_role("alert").filter(has_text="choose another word")).to_be_visible()
    name.fill(NAME)
    dialog.get_by_role("button", name="Make dataset").click()
    expect(dialog).not_to_be_visible()
    row = page.get_by_role("table", name="Datasets").get_by_role("row").filter(has_text=NAME)
    expect(row).to_contain_text("CartPole-v1")
    row.get_by_role("link", name=NAME).click()


def _look(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(NAME)
    facts = page.get_by_role("region", name="Facts")
    expect(facts).to_contain_text("one of 2")
    expect(facts.get_by_role("link", name="solved")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("Visited states"))).to_be_visible()
    episodes = page.get_by_role("region", name="List of episodes").get_by_role("listitem")
    expect(episodes).to_have_count(COUNT)
    episodes.nth(1).get_by_role("button").click()
    expect(page).to_have_url(re.compile("episode=1"))
    replay = page.get_by_role("region", name="Episode 1", exact=True)
    expect(replay.get_by_role("img", name=re.compile("Episode 1, step"))).to_be_visible()
    expect(replay.get_by_role("slider", name="Step of Episode 1")).to_be_visible()
    page.get_by_role("button", name="Close the replay").click()
    expect(replay).not_to_be_visible()


def _verify(page: Page) -> None:
    state = page.get_by_role("region", name="State", exact=True)
    state.get_by_role("button", name="Verify").click()
    expect(state).to_contain_text(f"{COUNT} episodes re-simulated: every step is identical.")
    state.get_by_role("button", name="Check files").click()
    expect(state.get_by_text("intact", exact=True)).to_be_visible()


def _export(page: Page) -> None:
    page.get_by_role("button", name="Export…").click()
    dialog = page.get_by_role("dialog", name=f"Export {NAME}@v1")
    dialog.get_by_label("NPZ").check()
    dialog.get_by_role("button", name="Export").click()
    with page.expect_download() as waiting:
        dialog.get_by_role("button", name=re.compile("^Download")).click()
    arrays = np.load(io.BytesIO(Path(waiting.value.path()).read_bytes()), allow_pickle=False)
    assert len(arrays["rewards"]) > COUNT
    page.keyboard.press("Escape")


def _learn(page: Page) -> None:
    """The form of a training has the dataset and counts updates; its environment is not chosen."""
    page.get_by_role("button", name="Learn from it").click()
    expect(page.get_by_role("radio", name=f"{NAME}@v1")).to_be_checked()
    expect(page.get_by_text("steps of CartPole-v1")).to_be_visible()
    expect(page.get_by_label("Updates", exact=True)).to_be_visible()
    expect(page.get_by_label("Filter environments")).to_have_count(0)
    page.get_by_role("button", name="turbo", exact=True).click()
    expect(page.get_by_label("Total Timesteps", exact=True)).to_be_visible()
    expect(page.get_by_label("Filter environments")).to_be_visible()
    page.get_by_role("link", name="Datasets").click()
    page.get_by_role("link", name=NAME).click()


def _delete(page: Page) -> None:
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Delete this dataset…").click()
    dialog = page.get_by_role("dialog", name=f"Delete {NAME}?")
    expect(dialog).to_contain_text("1 version")
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="Datasets", level=1)).to_be_visible()
    expect(page.get_by_role("link", name=NAME)).to_have_count(0)
