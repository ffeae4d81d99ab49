"""Other user actions: correct a parameter, delete and undo, compare, search, use the keyboard only."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from support.browser import PHONE, Visitor, expect_live, scrolls_sideways, status_of
from support.server import Server
from support.waiting import wait_until


def test_an_invalid_parameter_is_reported_at_its_field(visitor: Visitor, lab: Server) -> None:
    count = lab.client.get("/api/runs").json()["total"]
    page = visitor.sign_in("/?env=CartPole-v1")
    rate = page.get_by_label("Learning rate", exact=True)
    rate.fill("5")
    expect(problem_at(page, rate)).to_have_text(re.compile("at most 1"))
    train = train_button(page)
    expect(train).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Reset learning rate").click()
    expect(train).not_to_have_attribute("aria-disabled", "true")

    visitor.forgive("422")
    seed = page.get_by_label("Seed", exact=True)
    seed.fill("9999999999")
    train.click()
    expect(problem_at(page, seed)).to_be_visible()
    expect(seed).to_have_attribute("aria-invalid", "true")
    assert lab.client.get("/api/runs").json()["total"] == count, "nothing was started"


def train_button(page: Page) -> Locator:
    """TRAIN; it names its environment when the stage shows another one."""
    return page.locator('[data-tour="train"]').get_by_role("button", name=re.compile("^Train"))


def problem_at(page: Page, field: Locator) -> Locator:
    """The message below the field, which screen readers read with it."""
    expect(field).to_have_attribute("aria-invalid", "true")
    return page.locator(f'[id="{field.get_attribute("aria-describedby")}"]')


def test_undo_restores_a_deleted_run(visitor: Visitor, lab: Server) -> None:
    run = lab.create(name="regretted", start=True, total_timesteps=200)
    lab.wait(run["id"], "succeeded")
    page = visitor.sign_in("/runs")
    row = row_of(page, "regretted")
    row.get_by_role("checkbox").check()
    page.get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()  # offered once the lab has deleted it; the row leaves earlier
    assert lab.client.get(f"/api/runs/{run['id']}").status_code in (404, 410)
    undo.click()
    expect(row).to_be_visible()
    assert lab.client.get(f"/api/runs/{run['id']}").json()["name"] == "regretted"


def test_two_runs_are_found_selected_and_compared(
    visitor: Visitor, lab: Server, solved: dict[str, Any]
) -> None:
    other = lab.create(name="other-toy", start=True, total_timesteps=2000)
    lab.wait(other["id"], "succeeded")
    page = visitor.sign_in("/runs")
    row_of(page, "solved").get_by_role("checkbox").check()
    row_of(page, "other-toy").get_by_role("checkbox").check()
    page.get_by_role("button", name="Compare").click()
    expect(page).to_have_url(re.compile(r"/compare\?runs="))
    chips = page.get_by_role("list", name="Compared runs").get_by_role("listitem")
    expect(chips).to_have_count(2)
    both = re.compile(r"Episode reward\..*(solved: \d+ points.*other-toy: \d+ points|other-toy: .*solved: )")
    expect(page.get_by_role("img", name=both)).to_be_visible()
    expect(page.get_by_role("list", name="Verdicts")).to_contain_text("a verdict needs 5 ended seeds of each")
    settings = page.get_by_role("region", name="Settings", exact=True)
    expect(settings).to_contain_text("turbo")
    expect(settings).to_contain_text("fake")
    expect(page.get_by_role("region", name="Newest evaluations")).to_contain_text("500")
    page.get_by_role("button", name="Draw other-toy").click()
    expect(page.get_by_role("img", name=both)).to_have_count(0)
    page.get_by_role("button", name="Remove other-toy").click()
    expect(chips).to_have_count(1)
    page.go_back()
    expect(chips).to_have_count(2)


def row_of(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True))


def test_the_palette_opens_a_run_by_its_name(page: Page, solved: dict[str, Any]) -> None:
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Search runs, actions and docs")
    expect(field).to_be_focused()
    page.keyboard.type("solved")
    expect(page.get_by_role("option", selected=True)).to_contain_text("solved")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/runs/{solved['id']}"))
    expect(page.get_by_role("heading", name="solved")).to_be_visible()


def test_a_run_is_trained_stopped_and_opened_without_a_mouse(visitor: Visitor, lab: Server) -> None:
    page = visitor.sign_in("/?env=LunarLander-v3")
    expect(train_button(page)).to_be_enabled()
    walk_to(page, train_button(page))
    page.keyboard.press("Enter")
    expect(status_of(page, "running")).to_be_visible()
    page.keyboard.press("Escape")
    walk_to(page, page.get_by_role("button", name="stop", exact=True))
    page.keyboard.press("Enter")
    expect(status_of(page, "stopped")).to_be_visible()
    run = lab.client.get("/api/runs").json()["items"][0]
    walk_to(page, page.get_by_role("link", name=run["name"]).first, "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/runs/{run['id']}"))
    walk_to(page, page.get_by_role("tab", name="Overview"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Charts")).to_be_focused()
    page.keyboard.press("g")
    page.keyboard.press("r")
    expect(page).to_have_url(re.compile("/runs$"))


def walk_to(page: Page, target: Locator, key: str = "Tab", most: int = 150) -> None:
    expect(target).to_be_visible()
    for _ in range(most):
        page.keyboard.press(key)
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"{key} does not reach {target}")


def test_the_system_page_shows_figures(visitor: Visitor) -> None:
    page = visitor.sign_in("/system")
    machine = page.get_by_role("region", name="Machine")
    for figure in (r"CPU\s*\d+", r"Memory\s*\d+", r"Disk\s*\d+", r"\d+ cores", "GPU"):
        expect(machine).to_contain_text(re.compile(figure))
    doctor = page.get_by_role("region", name="Doctor")
    expect(doctor.get_by_text(re.compile("all good|to check"))).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("RL_LAB_HOME")


def test_the_dark_theme_is_chosen_and_kept(page: Page, visitor: Visitor) -> None:
    page.get_by_role("button", name="Dark theme").click()
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    shade = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(map(int, re.findall(r"\d+", shade)[:3])) < 60
    page.reload()
    expect(root).to_have_attribute("data-theme", "dark")
    expect(visitor.tab("/runs").locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.timeout(240)
def test_a_phone_shows_every_page_without_scrolling_sideways(
    visit: Callable[..., Visitor], lab: Server, solved: dict[str, Any]
) -> None:
    page = visit(lab, viewport=PHONE, has_touch=True).sign_in(f"/?run={solved['id']}")
    expect(status_of(page, "succeeded")).to_be_visible()
    expect(train_button(page)).to_be_in_viewport()
    assert not scrolls_sideways(page)
    for path in paths_of(solved["id"]):
        page.goto(path)
        expect_live(page)
        expect(page.locator("h1").first).to_be_attached()
        page.wait_for_load_state("networkidle")
        assert not scrolls_sideways(page), path
        for link in page.get_by_role("navigation", name="Pages").locator("[aria-current=page]").all():
            # Less than 1: the right edge of the last link may be a fraction of a pixel outside.
            expect(link, f"the link to {path}").to_be_in_viewport(ratio=0.99)


def paths_of(run_id: str) -> list[str]:
    tabs = ("charts", "episodes", "evaluations", "config", "artifacts", "events", "log")
    return [
        "/runs",
        f"/runs/{run_id}",
        *(f"/runs/{run_id}?tab={tab}" for tab in tabs),
        f"/compare?runs={run_id}",
        "/environments?env=CartPole-v1",
        "/play?env=CartPole-v1",
        "/system",
        "/queue",
        "/welcome",
    ]


def test_the_docs_are_found_read_and_linked_inside_the_lab(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search runs, actions and docs").fill("checkpoint")
    page.get_by_role("option", name="an artifact from which a run can be resumed").click()
    expect(page).to_have_url(re.compile("/docs/glossary#checkpoint$"))
    expect(page.get_by_role("heading", name="Glossary", level=1)).to_be_visible()
    expect(page.locator("#checkpoint")).to_be_in_viewport()
    page.get_by_role("button", name="Help").click()
    page.get_by_role("menuitem", name="Docs").click()
    page.get_by_role("main").get_by_role("link", name="Concepts").last.click()
    expect(page.get_by_role("heading", name="Concepts", level=1)).to_be_visible()
    picture = page.get_by_role("img", name="States of a run")
    wait_until(lambda: picture.evaluate("(image) => image.complete && image.naturalWidth > 0"), "the picture")
    page.goto("/docs/nowhere")
    expect(page.get_by_text("The docs have no such page")).to_be_visible()
