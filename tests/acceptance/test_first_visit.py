"""A first visit of the lab: train, watch, test, see the video; and signing in."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from support.browser import Visitor, expect_live, keep_picture, stage_changes, status_of
from support.server import Server
from support.waiting import wait_until


@pytest.mark.timeout(300)
def test_one_button_trains_cartpole_and_test_shows_its_video(
    server: Server, visit: Callable[..., Visitor]
) -> None:
    page = visit(server).sign_in()
    expect(page.get_by_role("heading", name="Train your first agent")).to_be_visible()
    page.get_by_role("button", name="Train CartPole").click()
    stage = page.get_by_role("img", name=re.compile("^(Live feed|Best episode .*) of "))
    stage_changes(page, stage)
    keep_picture(page, "first-visit-training")
    assert page.get_by_role("dialog").count() == 0, "nothing covers the agent while it learns"
    expect(status_of(page, "succeeded")).to_be_visible()
    assert "run=" in page.url, "the address names the shown run"
    [run] = server.client.get("/api/runs").json()["items"]
    assert run["summary"]["best_mean_reward"] > 400
    _best_episode_loops(page)

    _walk_through_the_tour(page)

    page.get_by_role("button", name="Test", exact=True).click()
    expect(page.get_by_role("log", name="Events")).to_contain_text("Evaluation started: 5 episodes")
    _video_plays(page)
    expect(page.get_by_text("5 EPISODES", exact=True)).to_be_visible()
    keep_picture(page, "first-visit-video")
    page.get_by_role("button", name="Back to training").click()
    expect(stage).to_be_visible()


def _best_episode_loops(page: Page) -> None:
    """The moment of success: the feed does not freeze, it shows the best episode and says so."""
    expect(page.get_by_role("region", name=re.compile(r"Best episode [\d,]+ · \+500"))).to_be_visible()
    stage_changes(page, page.get_by_role("img", name=re.compile("^Best episode")))
    expect(page.get_by_text("pictures/s")).to_have_count(0)
    expect(page.get_by_role("status").filter(has_text="Mean reward")).to_contain_text("475 needed")
    choices = page.get_by_role("group", name="What to do with this run").get_by_role("button")
    expect(choices).to_have_text(["Watch best", "Film", "Evaluate", "Again", "Share"])
    keep_picture(page, "first-visit-solved")
    page.get_by_role("button", name="Reset").click()
    page.get_by_role("button", name="Record").click()
    expect(page.get_by_text(re.compile("Episode .* saved with the run"))).to_be_visible()
    assert page.get_by_role("alert").count() == 0


@pytest.mark.timeout(300)
def test_five_clicks_lead_from_a_clean_home_to_the_film_of_a_solved_agent(
    server: Server, visit: Callable[..., Visitor]
) -> None:
    page = visit(server).sign_in()
    clicks = Clicks()
    clicks.on(page.get_by_role("button", name="Train CartPole"))
    actions = page.get_by_role("group", name="What to do with this run")
    clicks.on(actions.get_by_role("button", name="Film"))
    dialog = page.get_by_role("dialog", name=re.compile("^Film of PPO"))
    with page.expect_download() as film:
        clicks.on(dialog.get_by_role("link", name="Download"))
    assert film.value.path().read_bytes()[4:8] == b"ftyp", "an MP4 file"
    assert "PPO" in film.value.suggested_filename, "named after its run"
    clicks.on(dialog.get_by_role("button", name="Close"))
    clicks.on(actions.get_by_role("button", name="Watch best"))
    expect(page.get_by_role("img", name=re.compile(r"^Episode [\d,]+, step"))).to_be_visible()
    assert clicks.count <= 5
    [run] = server.client.get("/api/runs").json()["items"]
    assert run["reason"]["cause"] == "solved"


class Clicks:
    """Counts what the user has to do."""

    def __init__(self) -> None:
        self.count = 0

    def on(self, target: Locator) -> None:
        target.click()
        self.count += 1


def test_the_welcome_is_reached_from_the_first_visit_the_palette_and_the_help_menu(
    server: Server, visit: Callable[..., Visitor]
) -> None:
    page = visit(server).sign_in()
    title = page.get_by_role("heading", name="Welcome to RL Lab")
    page.get_by_role("link", name="What can this lab do?").click()
    expect(title).to_be_visible()
    page.goto("/runs")
    expect_live(page)
    page.keyboard.press("Control+k")
    page.keyboard.type("welcome")
    page.keyboard.press("Enter")
    expect(title).to_be_visible()
    page.goto("/runs")
    page.get_by_role("button", name="Help").click()
    page.get_by_role("menuitem", name="Welcome").click()
    expect(title).to_be_visible()
    keep_picture(page, "welcome")
    page.get_by_role("link", name="Show trained models").click()
    expect(page.get_by_role("button", name="Use trained")).to_have_attribute("aria-pressed", "true")
    page.goto("/welcome")
    page.get_by_role("button", name="Train CartPole").click()
    expect(page).to_have_url(re.compile(r"/\?run="))


def _walk_through_the_tour(page: Page) -> None:
    page.get_by_role("button", name="Take the tour").click()
    card = page.get_by_role("dialog")
    expect(card).to_contain_text("1 of 6")
    card.get_by_role("button", name="Next").click()
    expect(card).to_contain_text("2 of 6")
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)


def _video_plays(page: Page) -> None:
    video = page.locator("video")
    expect(video).to_be_visible()
    wait_until(lambda: video.evaluate("v => v.readyState >= 2 && v.currentTime > 0.2"), "the video to play")
    assert video.evaluate("v => v.error === null && v.videoWidth > 0")


def test_without_the_token_the_page_asks_for_it(visitor: Visitor) -> None:
    visitor.forgive("401")
    page = visitor.context.new_page()
    page.goto("/runs")
    field = page.get_by_label("Token")
    field.fill("not the token")
    page.get_by_role("button", name="Open the lab").click()
    expect(page.get_by_role("alert")).to_have_text("This token is not valid.")
    field.fill(visitor.lab.token)
    page.get_by_role("button", name="Open the lab").click()
    expect_live(page)
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()


def test_the_sign_in_link_leaves_no_token_in_the_address(visitor: Visitor) -> None:
    page = visitor.sign_in("/system")
    expect(page.get_by_role("link", name="System")).to_have_attribute("aria-current", "page")
    assert visitor.lab.token not in page.url
    assert page.url.endswith("/system")
    assert visitor.lab.token not in page.evaluate("JSON.stringify([localStorage, document.cookie])")
    page.reload()
    expect_live(page)
