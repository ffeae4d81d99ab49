"""Makes the images of the README and the docs: the Lab page while an agent learns, a solved run, seeds compared.

`python scripts/screenshots.py` starts a separate lab in a temporary folder and stops it at the end.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.browser import DESK, Visitor, chromium, number_in, stage_changes  # noqa: E402
from support.server import Server, serve  # noqa: E402
from support.waiting import wait_until  # noqa: E402

import hatch_build  # noqa: E402

IMAGES = ROOT / "docs" / "images"
ENVIRONMENT = "LunarLander-v3"
STEPS = 1_000_000
STILL_AT = 0.25
"""At this point the agent can fly, and the curves show progress."""
SHOTS = 1
SEEDS = (1, 2, 3)
MAX_PNG = 150_000


def main() -> None:
    hatch_build.build()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        with serve(home, RL_LAB_FAKE_RUNNER="") as lab, chromium() as browser:
            visitor = Visitor(browser, lab, viewport=DESK)
            page = visitor.sign_in()
            wanted = {"env_id": ENVIRONMENT, "runner": "turbo", "algorithm": "ppo"}
            made = lab.client.post(
                "/api/runs", json={**wanted, "total_timesteps": STEPS, "seed": 1, "start": True}
            )
            run_id = made.raise_for_status().json()["id"]
            page.goto(f"/?env={ENVIRONMENT}&run={run_id}")
            shots = [Image.open(io.BytesIO(shot)).convert("RGB") for shot in film(page)]
            lab.client.post(f"/api/runs/{run_id}/stop")
            lab.wait(run_id, "stopped", "succeeded")
            solved = [train(lab, seed) for seed in SEEDS]
            slower = [train(lab, seed, learning_rate=0.003) for seed in SEEDS]
            keep_webp(run_page(page, solved[0]), IMAGES / "run.webp")
            keep_webp(compare_page(page, solved + slower), IMAGES / "compare.webp")
            visitor.end()
    keep_png(shots[-1], IMAGES / "lab.png")


def train(lab: Server, seed: int, **params: float) -> str:
    """A CartPole run until it is solved, and its evaluation."""
    wanted = {"env_id": "CartPole-v1", "runner": "turbo", "algorithm": "ppo", "until": "solved"}
    made = lab.client.post("/api/runs", json={**wanted, "params": params, "seed": seed, "start": True})
    run_id = str(made.raise_for_status().json()["id"])
    lab.wait(run_id, "succeeded")
    evaluations = f"/api/runs/{run_id}/evaluations"
    wait_until(
        lambda: any(one["summary"] for one in lab.client.get(evaluations).json()),
        f"an evaluation of {run_id}",
    )
    return run_id


def run_page(page: Page, run_id: str) -> bytes:
    page.goto(f"/runs/{run_id}")
    stage_changes(page, page.get_by_role("img", name="Best episode"))
    page.wait_for_load_state("networkidle")
    return page.screenshot()


def compare_page(page: Page, run_ids: list[str]) -> bytes:
    page.goto(f"/compare?runs={','.join(run_ids)}&group=true")
    expect(page.get_by_role("heading", name="Episode reward")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.screenshot(full_page=True)
    return page.screenshot()


def film(page: Page) -> list[bytes]:
    """Screenshots of the page at evenly spaced steps of the training."""
    stage = page.get_by_role("img", name="Live feed of")
    stage_changes(page, stage)
    expect(page.get_by_role("slider", name="Reward of the last episodes")).to_be_visible()
    steps = page.get_by_text(" steps", exact=False).filter(has_text=" of ").first
    shots = []
    for shot in range(SHOTS):
        at = STEPS * STILL_AT * (shot + 1) / SHOTS
        wait_until(lambda at=at: number_in(steps.text_content()) >= at, f"step {at}", within_s=300)  # type: ignore[misc]
        wait_until(lambda: is_in_flight(page), "an agent between start and landing")
        shots.append(page.screenshot())
    return shots


def is_in_flight(page: Page) -> bool:
    """Half of the reward comes on the way down."""
    reward = page.locator("main").get_by_text("REWARD +").first
    text = reward.text_content() if reward.count() > 0 else None
    return text is not None and 60 < float(text.partition("+")[2].replace(",", "")) < 110


def keep_png(shot: Image.Image, path: Path) -> None:
    """Saves with a palette, which is enough for a page with few colours and needs a quarter of the bytes."""
    shot.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(path, optimize=True)
    assert path.stat().st_size <= MAX_PNG, f"{path} has {path.stat().st_size} bytes"


def keep_webp(shot: bytes, path: Path) -> None:
    Image.open(io.BytesIO(shot)).convert("RGB").save(path, quality=86, method=6)


if __name__ == "__main__":
    main()
