"""The page of a study with 200 runs, open while they train: frames while scrolling and hovering.

    python -m bench.study_page [--watch-s 15]

One Chromium without a GPU visits a lab on loopback, where two runs of the study train at a time and the others wait or
have ended. Prints one JSON line. `work_ms` is the most processor time that the main thread used at once: what a frame
costs on a machine that is not shared. `worst_ms` is the longest frame here, next to the trainings.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from typing import Any

from playwright.sync_api import Page

from bench.figures import Figure, at_most
from bench.page import chromium, open_page, visit
from bench.studio import Lab, open_lab

FRAME_BAR_MS = 50
VARIANTS, SEEDS = 40, 5
FIRST_RESULTS = 20
"""Runs that have ended before the page is opened, so that its charts have something to draw."""
FRAMES = """() => {
  window.frames_ms = [];
  let before = performance.now();
  const look = (now) => { window.frames_ms.push(now - before); before = now; requestAnimationFrame(look); };
  requestAnimationFrame(look);
}"""


def measure(watch_s: float = 15.0) -> dict[str, Any]:
    with open_lab() as lab, chromium() as browser, visit(lab, browser) as (page, _):
        study_id = start_study(lab)
        open_page(page, f"/studies/{study_id}#token={lab.token}")
        page.get_by_role("table", name="Variants").wait_for()
        unfold(page)
        page.evaluate(FRAMES)
        browser.start_tracing(page=page, categories=["toplevel", "__metadata"])
        use(page, watch_s)
        work = works_ms(json.loads(browser.stop_tracing()))
        frames = page.evaluate("window.frames_ms.slice(1)")
        counts = lab.client.get(f"/api/studies/{study_id}").json()["counts"]
        lab.client.post(f"/api/studies/{study_id}/stop")
    return {
        "bench": "study_page",
        "runs": counts["planned"],
        "ended": counts["ended"],
        "frames": len(frames),
        "median_ms": statistics.median(frames),
        "p99_ms": statistics.quantiles(frames, n=100)[-1],
        "worst_ms": max(frames),
        "work_ms": max(work),
        "works_over_bar": sum(one > FRAME_BAR_MS for one in work),
        "load": round(os.getloadavg()[0], 1),
    }


def works_ms(trace: dict[str, Any]) -> list[float]:
    """Processor time of each task of the page's main thread."""
    events = trace["traceEvents"]
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event.get("name") == "thread_name" and event["args"].get("name") == "CrRendererMain"
    }
    return [
        event["tdur"] / 1000
        for event in events
        if (event["pid"], event["tid"]) in mains
        and str(event.get("name")).endswith("RunTask")
        and "tdur" in event
    ]


def start_study(lab: Lab) -> str:
    values = [round(0.0001 * 1.12**n, 7) for n in range(VARIANTS)]
    base = {"env_id": "CartPole-v1", "runner": "turbo", "algorithm": "ppo", "total_timesteps": 20_000}
    body = {
        "base": {**base, "evaluate_after": 0},
        "sweep": {"parameters": {"learning_rate": {"values": values}}},
        "seeds": SEEDS,
        "start": True,
    }
    study_id = str(lab.client.post("/api/studies", json=body).raise_for_status().json()["id"])
    while lab.client.get(f"/api/studies/{study_id}").json()["counts"]["ended"] < FIRST_RESULTS:
        time.sleep(0.2)
    return study_id


def unfold(page: Page) -> None:
    """The rows that are in the view; the others unfold nothing that is drawn."""
    for button in page.get_by_role("button", name="Runs of ").all()[:10]:
        button.click()


def use(page: Page, watch_s: float) -> None:
    """Scrolls the page and the table, and moves the pointer over the charts."""
    table = page.get_by_role("region", name="Table of variants")
    end = time.monotonic() + watch_s
    step = 0
    while time.monotonic() < end:
        page.mouse.wheel(0, 240 if step % 40 < 20 else -240)
        page.mouse.move(200 + (step * 37) % 1000, 200 + (step * 23) % 500)
        if step % 10 == 0:
            table.evaluate("(box, top) => { box.scrollTop = top; }", (step * 53) % 2000)
        step += 1


def figures() -> list[Figure]:
    seen = measure()
    name = f"page of a study of {seen['runs']} runs, live"
    return [
        at_most(
            f"{name}: most work for a frame, scrolling and hovering", seen["work_ms"], FRAME_BAR_MS, " ms"
        ),
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--watch-s", type=float, default=15.0)
    print(json.dumps(measure(parser.parse_args().watch_s)))
