"""The page during an active run: reloads, a killed lab, several tabs, stopping."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, WebSocket, expect
from support.browser import Visitor, expect_live, number_in, stage_changes, status_of
from support.server import Server, serve
from support.waiting import wait_until

AWAY = (
    "ERR_CONNECTION_REFUSED",
    "ERR_CONTENT_LENGTH_MISMATCH",
    "ERR_INCOMPLETE_CHUNKED_ENCODING",
    "WebSocket connection to",
    "ERR_EMPTY_RESPONSE",
    "ERR_CONNECTION_RESET",
    "ERR_SOCKET_NOT_CONNECTED",
    "Failed to fetch dynamically imported module",
)
"""What the browser reports about a lab that was killed."""


@pytest.fixture
def slow(lab: Server) -> Iterator[dict[str, Any]]:
    """A run that lasts longer than its test and needs almost no CPU."""
    run = lab.create(name="slow", start=True, total_timesteps=1_000_000, params={"steps_per_second": 200})
    lab.wait(run["id"], "running")
    yield run
    lab.client.post(f"/api/runs/{run['id']}/stop")
    lab.wait(run["id"], "stopped")


def steps_of(page: Page) -> int:
    return number_in(page.get_by_text(re.compile(r"[\d,]+ of [\d,]+ steps")).first.text_content())


def expect_progress(page: Page) -> None:
    before = steps_of(page)
    wait_until(lambda: steps_of(page) > before, "steps")


def test_a_long_run_is_watched_paused_and_stopped(visitor: Visitor, lab: Server) -> None:
    wanted = {"env_id": "CartPole-v1", "runner": "turbo", "algorithm": "ppo", "name": "long"}
    run = lab.client.post("/api/runs", json={**wanted, "total_timesteps": 50_000_000, "start": True}).json()
    page = visitor.sign_in(f"/?run={run['id']}")
    stage_changes(page, page.get_by_role("img", name="Live feed of long"))
    page.get_by_role("button", name="pause").click()
    expect(status_of(page, "paused")).to_be_visible()
    page.get_by_role("button", name="resume").click()
    expect(status_of(page, "running")).to_be_visible()
    page.get_by_role("button", name="stop", exact=True).click()
    expect(status_of(page, "stopped")).to_be_visible()
    assert lab.wait(run["id"], "stopped")["progress"]["timestep"] > 0
    expect(page.get_by_role("button", name="stop", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="resume")).to_be_visible()
    expect(page.get_by_role("region", name=re.compile("Best episode"))).to_be_visible()


def test_a_reload_in_mid_run_keeps_everything(visitor: Visitor, slow: dict[str, Any]) -> None:
    page = visitor.sign_in(f"/runs/{slow['id']}?x=episode&smooth=0.5")
    expect_progress(page)
    before, address = steps_of(page), page.url
    page.reload()
    expect_live(page)
    expect(page.get_by_role("heading", name="slow")).to_be_visible()
    expect(status_of(page, "running")).to_be_visible()
    assert steps_of(page) >= before
    assert page.url == address
    expect_progress(page)
    expect(page.get_by_role("log", name="Events")).to_contain_text("Training started: TOY on CartPole-v1")
    page.get_by_role("tab", name="Charts").click()
    expect(page.get_by_role("img", name=re.compile(r"Episode reward\..* points"))).to_be_visible()
    page.go_back()
    expect(page.get_by_role("tab", name="Overview")).to_have_attribute("aria-selected", "true")


def test_two_tabs_follow_the_same_run(visitor: Visitor, slow: dict[str, Any]) -> None:
    page = visitor.sign_in(f"/runs/{slow['id']}")
    other = visitor.tab("/runs")
    row = other.get_by_role("row").filter(has=other.locator(f'a[data-run="{slow["id"]}"]'))
    expect(row).to_contain_text("running")
    expect_progress(page)
    page.get_by_role("button", name="stop", exact=True).click()
    expect(status_of(page, "stopped")).to_be_visible()
    expect(row).to_contain_text("stopped")


@pytest.mark.timeout(600)
def test_eight_tabs_are_all_live(visitor: Visitor, slow: dict[str, Any]) -> None:
    path = f"/runs/{slow['id']}"
    page = visitor.sign_in(path)
    tabs = [page, *(visitor.tab(path) for _ in range(7))]
    for tab in tabs:
        tab.bring_to_front()
        expect_progress(tab)
        expect_live(tab)


@pytest.mark.timeout(600)
def test_charts_grow_with_pushed_points_and_request_none(page: Page, slow: dict[str, Any]) -> None:
    requests = _requests_of(page, f"/api/runs/{slow['id']}/metrics")
    page.goto(f"/runs/{slow['id']}?tab=charts")
    chart = page.get_by_role("img", name=re.compile(r"Episode reward\..* points"))
    expect(chart).to_be_visible()

    def points() -> int:
        found = re.search(r"([\d,]+) points", chart.get_attribute("aria-label") or "")
        return number_in(found[1] if found else "0")

    before = points()
    wait_until(lambda: points() > before + 40, "40 more points")
    assert 1 <= len(requests) <= 2


def test_the_reward_history_grows_without_requests(page: Page, slow: dict[str, Any]) -> None:
    requests = _requests_of(page, f"/api/runs/{slow['id']}/episodes")
    page.goto(f"/?run={slow['id']}")
    bars = page.get_by_role("slider", name="Reward of the last episodes")
    expect(bars).to_have_attribute("aria-valuetext", re.compile(r"Episode \d+"))

    def episode() -> int:
        return number_in((bars.get_attribute("aria-valuetext") or "").partition(",")[0])

    before = episode()
    wait_until(lambda: episode() > before + 40, "40 more episodes")
    assert 1 <= len(requests) <= 2


def _requests_of(page: Page, path: str) -> list[str]:
    """Addresses of the page's requests to this path, from now on."""
    requests: list[str] = []
    page.on(
        "request",
        lambda request: requests.append(request.url) if urlsplit(request.url).path == path else None,
    )
    return requests


def test_a_killed_lab_loses_and_duplicates_no_point(home: Any, visit: Callable[..., Visitor]) -> None:
    with serve(home) as first:
        # Longer than this takes on any machine, and stopped when all has been seen.
        run = first.create(
            name="survivor", start=True, total_timesteps=1_000_000, params={"steps_per_second": 40}
        )
        visitor = visit(first)
        visitor.forgive(*AWAY)
        page = visitor.sign_in()
        ticks = _received_ticks(page, run["id"])
        page.goto(f"/runs/{run['id']}")
        expect_progress(page)
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait()
        expect(page.get_by_test_id("connection")).not_to_have_text("live")
        with serve(home, "--port", str(urlsplit(first.url).port)) as second:
            expect_live(page)
            expect_progress(page)
            second.client.post(f"/api/runs/{run['id']}/stop")
            expect(status_of(page, "stopped")).to_be_visible()
            _same_points(page, second, run["id"])
            _same_events(page, second, run["id"])
            assert ticks == sorted(ticks)
            assert set(range(ticks[0], ticks[-1] + 1)) == set(ticks), "a tick was missed"


def test_a_page_never_opened_waits_for_the_lab_and_opens_when_it_is_back(
    home: Any, visit: Callable[..., Visitor]
) -> None:
    with serve(home) as first:
        visitor = visit(first)
        # The second lab is ended while its slow answer about the machine is open.
        visitor.forgive(*AWAY, "/api/doctor")
        page = visitor.sign_in()
        _kill(first)
        expect(page.get_by_test_id("connection")).not_to_have_text("live")
        page.get_by_role("link", name="System").click()
        expect(page.get_by_text("No connection to the lab")).to_be_visible()
        page.get_by_role("link", name="Environments").click()
        expect(page.get_by_text("No connection to the lab")).to_be_visible()
        with serve(home, "--port", str(urlsplit(first.url).port)):
            expect(page.get_by_role("heading", name="Environments", exact=True)).to_be_visible()
            page.get_by_role("link", name="System").click()
            expect(page.get_by_role("heading", name="System", exact=True)).to_be_visible()


def test_pages_fetched_ahead_open_while_the_lab_is_away(home: Any, visit: Callable[..., Visitor]) -> None:
    with serve(home) as lab:
        visitor = visit(lab, fetches_ahead=True)
        visitor.forgive(*AWAY)
        page = visitor.sign_in()
        expect(page.locator("html")).to_have_attribute("data-pages", "loaded")
        _kill(lab)
        expect(page.get_by_test_id("connection")).not_to_have_text("live")
        page.get_by_role("link", name="System").click()
        expect(page.get_by_role("heading", name="System", exact=True)).to_be_visible()


def _kill(lab: Server) -> None:
    os.kill(lab.process.pid, signal.SIGKILL)
    lab.process.wait()


def _received_ticks(page: Page, run_id: str) -> list[int]:
    """Ids of the run's ticks as they arrive, over every connection of the tab."""
    received: list[int] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", on_message)

    def on_message(text: str | bytes) -> None:
        message = json.loads(text) if isinstance(text, str) else {}
        if message.get("topic") == f"run:{run_id}:metrics":
            received.extend(item["id"] for item in message["items"] if item["id"] not in received)

    page.on("websocket", listen)
    return received


def _same_points(page: Page, lab: Server, run_id: str) -> None:
    page.get_by_role("button", name="Episode reward: settings").click()
    page.get_by_role("switch", name="Show as table").click()
    page.keyboard.press("Escape")
    series = lab.client.get(f"/api/runs/{run_id}/metrics").json()["series"]["reward"]
    steps = [str(step) for step in series["step"]]
    assert steps == [str(20 * number) for number in range(1, len(steps) + 1)], "an episode each 20 steps"
    cells = page.get_by_role("region", name="Episode reward as a table").locator("tbody th")
    expect(cells).to_have_count(len(steps))
    shown = [text.replace(",", "") for text in cells.all_text_contents()]
    assert shown == steps[::-1]


def _same_events(page: Page, lab: Server, run_id: str) -> None:
    stored = lab.client.get(f"/api/runs/{run_id}/events").json()["items"]
    rows = page.get_by_role("log", name="Events").locator("time + span")
    expect(rows).to_have_count(len(stored))
    assert sorted(rows.all_text_contents()) == sorted(event["message"] for event in stored)
