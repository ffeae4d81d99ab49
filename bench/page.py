"""The page as a visitor meets it: first paint, bytes, TRAIN to picture, the feed, the main thread, interactions.

    python -m bench.page [--watch-s 10]

One Chromium without a GPU visits a lab on loopback. Interactions are timed by the browser (Event Timing, from the
press to the next paint), the main thread by its processor time. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from bench.figures import Figure, at_least, at_most
from bench.studio import Lab, open_lab

PAINT_BAR_S, BYTES_BAR_KB, TURBO_BAR_S, SB3_BAR_S = 0.6, 250, 1.5, 4.0
FEED_BAR, THREAD_BAR, INTERACTION_BAR_MS, EVALUATION_BAR_S = 12, 15, 100, 4.0
VISITS = 5
ENDLESS = 100_000_000
READING_MS = 3000
"""Nobody presses TRAIN the moment the page appears; meanwhile it fetches the other pages ahead."""
RATE = "pictures/s"
FEEDS = (("turbo", "CartPole-v1"), ("turbo", "LunarLander-v3"), ("sb3", "LunarLander-v3"))
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SCREEN = {"width": 1400, "height": 900}
CARDS = ("Mountain Car", "Cart Pole")
PAGES = ("Runs", "Environments", "System", "Lab")
KEEP_EVENTS = """
window.interactions = [];
new PerformanceObserver((seen) => {
  for (const event of seen.getEntries())
    if (event.interactionId) window.interactions.push(event.duration);
}).observe({ type: "event", durationThreshold: 16, buffered: true });
"""


def measure(watch_s: float = 10.0) -> dict[str, Any]:
    with open_lab() as lab, chromium() as browser:
        return {
            "bench": "page",
            "visits": [first_visit(lab, browser) for _ in range(VISITS)],
            "evaluation_s": evaluation_after(lab),
            "feeds": [feed(lab, browser, runner, env_id, watch_s) for runner, env_id in FEEDS],
            "load": round(os.getloadavg()[0], 1),
        }


@contextmanager
def chromium() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise SystemExit("No Chromium here. Next: run scripts/setup-browser.sh")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@contextmanager
def visit(lab: Lab, browser: Browser) -> Iterator[tuple[Page, CDPSession]]:
    """A new profile, so every cache is empty."""
    context = browser.new_context(base_url=lab.url, viewport=SCREEN)  # type: ignore[arg-type]
    context.add_init_script(KEEP_EVENTS)
    page = context.new_page()
    yield page, context.new_cdp_session(page)
    context.close()


def first_visit(lab: Lab, browser: Browser) -> dict[str, float]:
    with visit(lab, browser) as (page, tools):
        received: list[float] = []
        tools.send("Network.enable")
        tools.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
        open_page(page, f"/#token={lab.token}")
        page.wait_for_timeout(1500)  # the pictures of the cards come last
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        return {"paint_s": paint / 1000, "kilobytes": sum(received) / 1000}


def open_page(page: Page, path: str) -> None:
    page.goto(path)
    page.get_by_test_id("connection").get_by_text("live").wait_for()


def evaluation_after(lab: Lab) -> float:
    """Seconds from the end of a short training to the end of its automatic evaluation."""
    run_id = lab.train(runner="turbo", env_id="CartPole-v1", total_timesteps=60_000, evaluate_after=5)
    lab.wait(run_id, "succeeded")
    ended = time.monotonic()
    wait_for(lambda: is_evaluated(lab, run_id))
    return time.monotonic() - ended


def is_evaluated(lab: Lab, run_id: str) -> bool:
    return any(found["summary"] for found in lab.client.get(f"/api/runs/{run_id}/evaluations").json())


def feed(lab: Lab, browser: Browser, runner: str, env_id: str, watch_s: float) -> dict[str, Any]:
    """One training is started and watched; meanwhile somebody clicks through the page."""
    with visit(lab, browser) as (page, tools):
        open_page(page, f"/?env={env_id}&algorithm={runner}/ppo&steps={ENDLESS}#token={lab.token}")
        page.wait_for_timeout(READING_MS)
        started = time.monotonic()
        page.locator('[data-tour="train"]').get_by_role("button", name=re.compile("^Train")).click()
        page.get_by_text(RATE).first.wait_for()
        first_s = time.monotonic() - started
        time.sleep(2)
        busy, rates = watch(page, tools, watch_s)
        clicks = click_around(page)
    [run_id] = (run["id"] for run in lab.client.get("/api/runs?status=running").json()["items"])
    lab.client.post(f"/api/runs/{run_id}/stop")
    lab.wait(run_id, "stopped")
    return {
        "runner": runner,
        "env_id": env_id,
        "first_picture_s": first_s,
        "fps": statistics.median(rates),
        "main_thread": busy,
        "slowest_ms": max(clicks, default=0.0),
    }


def pictures(page: Page) -> int:
    """Pictures a second, as the stage states it; 0 before the first."""
    shown = page.get_by_text(RATE).all_inner_texts()
    return int(shown[0].split()[0]) if shown else 0


def watch(page: Page, tools: CDPSession, watch_s: float) -> tuple[float, list[int]]:
    """The busy share of the main thread in percent, and the rate of pictures once a second."""
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    before, started = busy_s(tools), time.monotonic()
    rates = []
    while time.monotonic() - started < watch_s:
        time.sleep(1)
        rates.append(pictures(page))
    return 100 * (busy_s(tools) - before) / (time.monotonic() - started), rates


def busy_s(tools: CDPSession) -> float:
    metrics = {m["name"]: m["value"] for m in tools.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])


def click_around(page: Page) -> list[float]:
    for name in CARDS:
        page.get_by_role("button", name=name).first.click()
        time.sleep(0.5)
    for name in PAGES:
        page.get_by_role("link", name=name, exact=True).first.click()
        time.sleep(1)
    return list(page.evaluate("window.interactions"))


def wait_for(is_done: Callable[[], bool], step_s: float = 0.05, most_s: float = 60.0) -> None:
    deadline = time.monotonic() + most_s
    while not is_done():
        if time.monotonic() > deadline:
            raise RuntimeError("Nothing happened within a minute.")
        time.sleep(step_s)


def figures() -> list[Figure]:
    result = measure()
    visits, feeds = result["visits"], result["feeds"]
    found = [
        at_most(
            "first contentful paint, cold", statistics.median(v["paint_s"] for v in visits), PAINT_BAR_S, " s"
        ),
        at_most("first load over the wire", max(v["kilobytes"] for v in visits), BYTES_BAR_KB, " kB"),
        at_most(
            "automatic evaluation after a short training", result["evaluation_s"], EVALUATION_BAR_S, " s"
        ),
    ]
    for seen in feeds:
        name = f"{seen['runner']} {seen['env_id']}"
        bar = TURBO_BAR_S if seen["runner"] == "turbo" else SB3_BAR_S
        found += [
            at_most(f"{name}: launch to first picture in the page", seen["first_picture_s"], bar, " s"),
            at_least(f"{name}: pictures a second while training", seen["fps"], FEED_BAR),
            at_most(f"{name}: main thread busy", seen["main_thread"], THREAD_BAR, " %"),
            at_most(f"{name}: slowest interaction", seen["slowest_ms"], INTERACTION_BAR_MS, " ms"),
        ]
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--watch-s", type=float, default=10.0)
    print(json.dumps(measure(parser.parse_args().watch_s)))
