"""The queue: counted in the header of every tab, and shown with places, reasons and buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from support.browser import Visitor, keep_picture
from support.server import Server, serve


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
    last.get_by_role("button", name="Start next").click()
    expect(waiting.first).to_contain_text("run 4")
    waiting.first.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("run 4")).to_have_count(0)
    assert server.wait(newest["id"], "stopped")

    running = page.get_by_role("region", name="Running").get_by_role("listitem")
    running.first.get_by_role("button", name="Stop").click()
    server.wait(runs[0]["id"], "stopped")
    expect(page.get_by_text("run 0")).to_have_count(0)
