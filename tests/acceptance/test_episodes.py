"""Replay of a single episode: deep link, strip, keys, fork; and previews of environments."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from support.browser import Visitor, expect_live, lower_half, stage_changes
from support.server import Server
from support.waiting import wait_until


@pytest.fixture
def episode(lab: Server, solved: dict[str, Any]) -> dict[str, Any]:
    """The shortest recorded episode."""
    query = {"recorded": True, "sort": "length", "limit": 1}
    [found] = lab.client.get(f"/api/runs/{solved['id']}/episodes", params=query).json()["items"]
    return dict(found)


@pytest.fixture
def replay(page: Page, solved: dict[str, Any], episode: dict[str, Any]) -> Page:
    """The page opened from a link to the first step: such a link waits, one without a step plays."""
    page.goto(f"/runs/{solved['id']}?tab=episodes&episode={episode['episode']}&frame=0")
    expect_live(page)
    return page


def strip_of(page: Page, title: str) -> Locator:
    return page.get_by_role("slider", name=f"Step of {title}")


def test_a_deep_link_opens_the_replay_and_keys_move_it(replay: Page, episode: dict[str, Any]) -> None:
    strip = strip_of(replay, f"Episode {episode['episode']:,}")
    last = str(episode["length"])
    expect(strip).to_have_attribute("aria-valuemax", last)
    expect(replay.get_by_text("exact", exact=True)).to_be_visible()
    first = lower_half(replay, replay.get_by_role("img", name=re.compile(", step ")))
    for key, step in (("ArrowRight", "1"), ("ArrowRight", "2"), ("ArrowLeft", "1"), ("End", last)):
        replay.keyboard.press(key)
        expect(strip).to_have_attribute("aria-valuenow", step)
    expect(replay.get_by_text("TERMINATED", exact=True)).to_be_visible()
    assert lower_half(replay, replay.get_by_role("img", name=re.compile(", step "))) != first
    expect(replay).to_have_url(re.compile(f"frame={last}"))
    replay.reload()
    expect(strip_of(replay, f"Episode {episode['episode']:,}")).to_have_attribute("aria-valuenow", last)
    replay.keyboard.press("Home")
    replay.keyboard.press("Space")
    expect(replay.get_by_text("TERMINATED", exact=True)).to_be_visible()


def test_the_strip_seeks_and_a_fork_starts_at_that_step(
    replay: Page, lab: Server, episode: dict[str, Any]
) -> None:
    title = f"Episode {episode['episode']:,}"
    strip = strip_of(replay, title)
    expect(strip).to_have_attribute("aria-valuemax", str(episode["length"]))
    box = strip.bounding_box()
    assert box is not None
    strip.click(position={"x": box["width"] / 2, "y": 20})
    expect(strip).not_to_have_attribute("aria-valuenow", "0")
    step = int(strip.get_attribute("aria-valuenow") or 0)
    assert abs(step - episode["length"] / 2) <= 1
    expect(replay.get_by_text("return so far")).to_be_visible()

    replay.get_by_role("button", name="Fork", exact=True).click()
    replay.get_by_role("button", name=f"Fork at step {step}").click()
    both = strip_of(replay, f"{title} and Fork at step {step}")
    expect(both).to_be_visible()
    expect(replay.get_by_text(re.compile("Return .* compared with"))).to_be_visible()
    plays_in_step(replay, both, title, f"Fork at step {step}")
    made = lab.client.get("/api/runs", params={"kind": "fork"}).json()["items"][0]
    assert made["status"] == "succeeded"
    assert f"fork={made['id']}" in replay.url
    assert made["summary"]["result"]["forked_at"] == step


def plays_in_step(page: Page, both: Locator, *titles: str) -> None:
    """The fork plays by itself; wherever one stops, both pictures show the same step, and one key moves both."""
    expect(page.get_by_role("button", name="Pause (Space)")).to_be_visible()
    page.keyboard.press("Home")
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        for title in titles:
            expect(page.get_by_role("img", name=f"{title}, step {step}", exact=True)).to_be_visible()


def test_a_chosen_episode_plays_in_sight_and_a_reload_keeps_the_step(
    visitor: Visitor, lab: Server, solved: dict[str, Any]
) -> None:
    query = {"recorded": True, "sort": "episode", "limit": 1}
    [first] = lab.client.get(f"/api/runs/{solved['id']}/episodes", params=query).json()["items"]
    page = visitor.sign_in(f"/runs/{solved['id']}?tab=episodes&episode={first['episode']}")
    row = page.get_by_role("region", name="List of episodes").locator("[aria-current=true]")
    expect(row).to_be_in_viewport()
    expect(row).to_contain_text(f"Episode {first['episode']:,}")
    strip = strip_of(page, f"Episode {first['episode']:,}")
    expect(strip).not_to_have_attribute("aria-valuenow", "0")
    paused = page.get_by_role("button", name="Play (Space)")
    expect(paused, "it has played to its end").to_be_visible()
    page.get_by_role("button", name="Go to the start").click()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("frame=1"))
    page.reload()
    expect(strip_of(page, f"Episode {first['episode']:,}")).to_have_attribute("aria-valuenow", "1")
    expect(paused).to_be_visible()


def test_an_episode_is_saved_as_a_file_named_after_run_and_episode(
    replay: Page, solved: dict[str, Any], episode: dict[str, Any]
) -> None:
    replay.get_by_role("button", name="Save", exact=True).click()
    with replay.expect_download() as download:
        replay.get_by_role("menuitem", name="GIF picture").click()
    assert download.value.suggested_filename == f"{solved['name']}-episode-{episode['episode']}.gif"


def test_a_bar_of_the_history_opens_its_episode(visitor: Visitor, solved: dict[str, Any]) -> None:
    page = visitor.sign_in(f"/?run={solved['id']}")
    bars = page.get_by_role("slider", name="Reward of the last episodes")
    expect(bars).not_to_have_attribute("aria-valuetext", "No episode yet")
    bars.focus()
    page.keyboard.press("ArrowLeft")
    number = re.match(r"Episode ([\d,]+)", bars.get_attribute("aria-valuetext") or "")
    assert number is not None
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/runs/{solved['id']}.*episode={number[1].replace(',', '')}"))
    expect(page.get_by_role("tab", name="Episodes")).to_have_attribute("aria-selected", "true")


def test_a_preview_plays_pauses_and_steps(visitor: Visitor) -> None:
    page = visitor.sign_in("/environments?env=CartPole-v1")
    stage = page.get_by_role("img", name="A random agent in CartPole-v1")
    stage_changes(page, stage)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.get_by_role("button", name="Reset").click()
    step = page.locator("dt", has_text=re.compile("^Step$")).locator("xpath=following-sibling::dd")
    expect(step).to_have_text("0")
    before = lower_half(page, stage)
    for count in ("1", "2", "3"):
        page.get_by_role("button", name="Step", exact=True).click()
        expect(step).to_have_text(count)
    wait_until(lambda: lower_half(page, stage) != before, "the picture of a later step")
    expect(page.get_by_label("State of the environment")).not_to_be_empty()
    page.get_by_role("button", name="Test it").click()
    expect(page.get_by_text("repeat", exact=False).first).to_be_visible()
