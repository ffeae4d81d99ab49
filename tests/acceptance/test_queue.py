"""The queue: counted in the header of every tab, and shown with places, reasons and buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from support.browser import Visitor, keep_picture, scrolls_sideways
from support.server import Server, serve

from acceptance.test_accessible import AXE, LOOK, LOOKS, RULES, SETTLE


@pytest.fixture
def two_slots(home: Path) -> Iterator[Server]:
    with serve(home, RL_LAB_MAX_RUNNING="2") as running:
        yield running


def test_the_header_counts_runs_and_the_queue_shows_why_they_wait(
    two_slots: Server, visit: Callable[..., Visitor]
) -> None:
    server = two_slots
    slow = {"steps_per_second": 200}
    visitor = visit(server)
    page = visitor.sign_in("/environments")
    expect(page.get_by_role("link", name="Queue: ")).to_have_count(0)
    runs = [
        server.create(name=f"run {n}", start=True, params=slow, total_timesteps=100_000) for n in range(4)
    ]

    counted = page.get_by_role("link", name="Queue: 2 running, 2 waiting")
    expect(counted).to_be_visible()
    counted.click()
    waiting = page.get_by_role("region", name="Waiting").get_by_role("listitem")
    expect(waiting).to_have_count(2)
    expect(waiting.first).to_contain_text("it is next")
    keep_picture(page, "queue")

    slots = page.get_by_label("Trainings at once")
    slots.fill("1000")
    expect(page.get_by_role("alert")).to_have_text("A number from 1 to 256.")
    slots.fill("3")
    slots.press("Enter")
    expect(page.get_by_role("link", name="Queue: 3 running, 1 waiting")).to_be_visible()
    slots.fill("2")
    slots.press("Enter")
    expect(slots).to_have_value("2")
    server.client.post(f"/api/runs/{runs[2]['id']}/stop")
    server.wait(runs[2]["id"], "stopped")

    newest = server.create(name="run 4", start=True, params=slow, total_timesteps=100_000)
    last = waiting.last
    expect(last).to_contain_text("run 4")
    last.get_by_role("button", name="Run next").click()
    expect(waiting.first).to_contain_text("run 4")
    waiting.first.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("link", name="run 4")).to_have_count(0)
    assert server.wait(newest["id"], "stopped")

    running = page.get_by_role("region", name="Running").get_by_role("listitem")
    running.first.get_by_role("button", name="Stop").click()
    server.wait(runs[0]["id"], "stopped")
    expect(page.get_by_role("link", name="run 0")).to_have_count(0)


def test_the_queue_is_paused_and_reordered_by_drag_keys_and_menu(
    two_slots: Server, visit: Callable[..., Visitor]
) -> None:
    server = two_slots
    # The page's security policy blocks foreign scripts such as axe.
    visitor = visit(server, bypass_csp=True, reduced_motion="reduce")
    visitor.context.add_init_script(path=AXE)
    page = visitor.sign_in("/queue")
    page.get_by_role("button", name="Pause queue").click()
    expect(page.get_by_role("status").filter(has_text="The queue is paused: no run starts")).to_be_visible()
    runs = [server.create(name=f"run {n}", start=True) for n in range(4)]
    waiting = page.get_by_role("region", name="Waiting").get_by_role("listitem")
    expect(waiting).to_have_count(4)
    expect(waiting.first).to_contain_text("The queue is paused.")

    handle = waiting.nth(3).get_by_role("button", name="Move run 3: place 4 of 4")
    handle.press("ArrowUp")
    expect(waiting.nth(2)).to_contain_text("run 3")
    expect(page.locator(":focus")).to_have_attribute("data-handle", runs[3]["id"])
    handle = waiting.nth(2).locator("[data-handle]")
    handle.hover()
    page.mouse.down()
    waiting.first.hover(position={"x": 200, "y": 3})
    page.mouse.up()
    expect(waiting.first).to_contain_text("run 3")
    waiting.first.get_by_role("button", name="Move run 3", exact=True).click()
    page.get_by_role("menuitem", name="Move to the end").click()
    expect(waiting.last).to_contain_text("run 3")
    field = page.get_by_label("Priority of run 2")
    field.fill("7")
    field.press("Enter")
    expect(waiting.first).to_contain_text("run 2")
    order = [run["name"] for run in server.client.get("/api/queue").json()["waiting"]]
    assert order == ["run 2", "run 0", "run 1", "run 3"]
    for name, size, theme, _ in LOOKS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=theme)
        page.evaluate(SETTLE)
        keep_picture(page, f"queue-paused-{name}-{theme}")
        assert page.evaluate(LOOK, list(RULES)) == []
        assert not scrolls_sideways(page)
    for run in runs:
        server.client.post(f"/api/runs/{run['id']}/stop")
    page.get_by_role("button", name="Resume queue").click()
    expect(page.get_by_role("button", name="Pause queue")).to_be_visible()
