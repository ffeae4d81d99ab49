"""Play: by keyboard, touch and gamepad, from a step of a replay, and in turn with a model."""

from __future__ import annotations

import re
from collections.abc import Callable
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


STEERED = "MountainCarContinuous-v0"


def forces_of(lab: Server, run_id: str) -> list[float]:
    steps = lab.client.get(f"/api/runs/{run_id}/episodes/0/steps").json()["steps"]
    return [step["action"][0] for step in steps[1:]]


def test_a_finger_steers_a_continuous_action_on_a_phone(visit: Callable[..., Visitor], lab: Server) -> None:
    page = visit(lab, viewport={"width": 390, "height": 844}, has_touch=True).sign_in("/")
    run_id = start_play(page, env=STEERED, seed="3")
    slider = page.get_by_role("img", name="force: hold and drag")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    at = {"x": box["x"] + box["width"] * 0.95, "y": box["y"] + box["height"] / 2}
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(page.get_by_text("You act", exact=True)).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    end_play(page, lab, run_id)
    assert max(forces_of(lab, run_id)) > 0.8


GAMEPAD = """
window.pads = [{axes: [1, 0], buttons: []}];
navigator.getGamepads = () => window.pads;
"""


def test_a_gamepad_that_is_unplugged_lets_go(page: Page, lab: Server) -> None:
    page.add_init_script(GAMEPAD)
    run_id = start_play(page, env=STEERED, seed="3")
    expect(page.get_by_text("You act", exact=True)).to_be_visible()
    page.evaluate("window.pads = []; window.dispatchEvent(new Event('gamepaddisconnected'))")
    expect(page.get_by_text("because the gamepad was unplugged")).to_be_visible()
    step = page.get_by_role("definition").nth(1)
    then = int(step.inner_text())
    expect(step).not_to_have_text(re.compile(f"^({'|'.join(str(then + n) for n in range(9))})$"))
    end_play(page, lab, run_id)
    forces = forces_of(lab, run_id)
    assert (max(forces), forces[-1]) == (1.0, 0.0)


@pytest.fixture(scope="module")
def swinging(lab: Server) -> str:
    """The id of a training with continuous actions."""
    wanted = {"env_id": "Pendulum-v1", "runner": "turbo", "algorithm": "ppo", "total_timesteps": 2048}
    made = lab.client.post("/api/runs", json={**wanted, "start": True, "evaluate_after": 0})
    assert made.status_code == 201, made.text
    run_id: str = lab.wait(made.json()["id"], "succeeded")["id"]
    return run_id


def test_a_person_takes_a_continuous_action_from_the_model(page: Page, lab: Server, swinging: str) -> None:
    run_id = start_play(page, env="Pendulum-v1", mode="hybrid", policy=swinging)
    page.get_by_label("Speed").select_option("0.1")
    expect(page.get_by_text("Agent acts")).to_be_visible()
    expect(page.get_by_text("value", exact=True)).to_be_visible()
    page.keyboard.down("ArrowLeft")
    expect(page.get_by_text("You act", exact=True)).to_be_visible()
    page.keyboard.up("ArrowLeft")
    expect(page.get_by_text("Agent acts")).to_be_visible()
    result = end_play(page, lab, run_id)["summary"]["result"]
    assert 0 < result["by_person"] < result["steps"]


def test_the_episodes_of_a_play_are_measured_on_its_page(page: Page, lab: Server) -> None:
    run_id = start_play(page, env="CartPole-v1", seed="5")
    expect(page.get_by_text(BEGIN)).to_be_visible()
    page.keyboard.down("ArrowRight")
    expect(page.get_by_text("Episode over")).to_be_visible()
    page.keyboard.up("ArrowRight")
    result = end_play(page, lab, run_id)["summary"]["result"]
    expect(page.get_by_text("1 by a person")).to_be_visible()
    page.goto(f"/runs/{run_id}?tab=evaluations")
    page.get_by_role("button", name="Evaluate").click()
    page.get_by_role("switch", name="Make a video").click()
    page.get_by_role("button", name="Measure the recorded episodes").click()
    expect(page.get_by_text("recorded episodes of a play")).to_be_visible()
    expect(page.get_by_text("1 recorded episode of a play").first).to_be_visible()
    [evaluation] = lab.client.get(f"/api/runs/{run_id}/evaluations").json()
    assert evaluation["summary"]["returns"] == result["returns"]
