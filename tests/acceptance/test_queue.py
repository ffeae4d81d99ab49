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

    last = waiting.last
    expect(last).to_contain_text("run 3")
    last.get_by_role("button", name="Start next").click()
    expect(waiting.first).to_contain_text("run 3")
    waiting.first.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("run 3")).to_have_count(0)
    assert server.wait(runs[3]["id"], "stopped")

    running = page.get_by_role("region", name="Running").get_by_role("listitem")
    running.first.get_by_role("button", name="Stop").click()
    server.wait(runs[0]["id"], "stopped")
    expect(page.get_by_text("run 0")).to_have_count(0)
