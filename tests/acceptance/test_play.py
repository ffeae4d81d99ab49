"""Play: by keyboard, from a step of a replay, and in turn with a model."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser import Visitor, expect_live
from support.server import Server

BEGIN = "Press a key or button to begin"


def start_play(page: Page, **asked: str) -> str:
    """Starts a play from the page and returns the id of its run."""
    page.goto("/play?" + "&".join(f"{name}={value}" for name, value in asked.items()))
    expect_live(page)
    page.get_by_role("button", name="Play", exact=True).click()
    return run_of(page)


def run_of(page: Page) -> str:
    expect(page).to_have_url(re.compile("/play/[a-z0-9]+$"))
    return page.url.rsplit("/", 1)[1]


def end_play(page: Page, lab: Server, run_id: str) -> dict[str, Any]:
    page.get_by_role("button", name="End", exact=True).click()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    return lab.wait(run_id, "succeeded")


def actions_of(lab: Server, run_id: str, episode: int) -> list[int]:
    """Of every step; the first entry of the list is the state after the reset."""
    steps = lab.client.get(f"/api/runs/{run_id}/episodes/{episode}/steps").json()["steps"]
    return [step["action"] for step in steps[1:]]


def test_cartpole_is_played_by_keyboard_and_a_lost_focus_releases(page: Page, lab: Server) -> None:
    run_id = start_play(page, env="CartPole-v1", seed="3")
    expect(page.get_by_text(BEGIN)).to_be_visible()
    page.keyboard.down("ArrowRight")
    expect(page.get_by_text("Episode over")).to_be_visible()
    page.keyboard.up("ArrowRight")
    expect(page.get_by_role("link", name=re.compile("Episode 0"))).to_be_visible()

    page.get_by_label("Speed").select_option("0.1")
    page.keyboard.press("r")
    expect(page.get_by_text(BEGIN)).to_be_visible()
    left = page.get_by_role("button", name="push left")
    page.keyboard.down("ArrowLeft")
    expect(left).to_have_attribute("data-held", "true")
    expect(page.get_by_text("You act", exact=True)).to_be_visible()
    page.evaluate("window.dispatchEvent(new Event('blur'))")
    expect(left).to_have_attribute("data-held", "false")
    expect(page.get_by_text("because the window lost the focus")).to_be_visible()
    page.keyboard.up("ArrowLeft")
    page.reload()
    expect(page.get_by_role("button", name="End", exact=True)).to_be_enabled()
    assert run_of(page) == run_id

    page.get_by_role("link", name="Runs", exact=True).click()
    expect(page.get_by_text("The play is paused.")).to_be_visible()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="End", exact=True)).to_be_enabled()
    end_play(page, lab, run_id)
    assert set(actions_of(lab, run_id, 0)) == {1}


def test_a_replay_is_taken_over_at_its_step(visitor: Visitor, lab: Server, solved: dict[str, Any]) -> None:
    query = {"recorded": True, "sort": "length", "limit": 1}
    [found] = lab.client.get(f"/api/runs/{solved['id']}/episodes", params=query).json()["items"]
    page = visitor.sign_in(f"/runs/{solved['id']}?tab=episodes&episode={found['episode']}&frame=4")
    expect(page.get_by_role("button", name="Take over")).not_to_have_attribute("aria-disabled", "true")
    page.keyboard.press("t")
    expect(page.get_by_text(BEGIN)).to_be_visible()
    expect(page.get_by_text("taken over at step")).to_be_visible()
    run_id = run_of(page)
    page.keyboard.down("ArrowLeft")
    expect(page.get_by_text("Episode over")).to_be_visible()
    page.keyboard.up("ArrowLeft")
    end_play(page, lab, run_id)
    before, after = actions_of(lab, solved["id"], found["episode"]), actions_of(lab, run_id, 0)
    assert after[:4] == before[:4]
    assert set(after[4:]) == {0}

    page.get_by_role("link", name=re.compile("Episode 0")).click()
    expect(page.get_by_text("a person chose the action")).to_be_visible()


def test_a_model_is_found_by_typing_and_acts(page: Page, solved: dict[str, Any]) -> None:
    page.goto("/play?env=CartPole-v1&mode=agent")
    page.get_by_role("button", name="Model: Random actions").click()
    page.get_by_role("searchbox").fill("solved ppo")
    found = page.get_by_role("list", name="Checkpoints, newest first").get_by_role("button")
    expect(found.filter(has_text="solved").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Acting: solved")).to_be_visible()
    expect(page.get_by_role("button", name="Model: solved")).to_be_visible()


@pytest.fixture
def hybrid(page: Page, solved: dict[str, Any]) -> Page:
    start_play(page, env="CartPole-v1", mode="hybrid", policy=solved["id"])
    return page


def test_a_held_key_takes_over_from_the_model_and_hands_back(hybrid: Page, lab: Server) -> None:
    expect(hybrid.get_by_text("Agent acts")).to_be_visible()
    hybrid.get_by_label("Speed").select_option("0.1")
    hybrid.keyboard.down("ArrowRight")
    expect(hybrid.get_by_text("You act", exact=True)).to_be_visible()
    hybrid.keyboard.up("ArrowRight")
    expect(hybrid.get_by_text("Agent acts")).to_be_visible()
    expect(hybrid.get_by_text("Probability of each action")).to_be_visible()
    ended = end_play(hybrid, lab, run_of(hybrid))
    result = ended["summary"]["result"]
    assert 0 < result["by_person"] < result["steps"]
