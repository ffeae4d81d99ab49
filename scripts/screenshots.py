"""Makes the first image of the README: the Lab page while an agent learns to land.

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
from support.server import serve  # noqa: E402
from support.waiting import wait_until  # noqa: E402

import hatch_build  # noqa: E402

IMAGES = ROOT / "docs" / "images"
ENVIRONMENT = "LunarLander-v3"
STEPS = 1_000_000
STILL_AT = 0.25
"""At this point the agent can fly, and the curves show progress."""
SHOTS = 1
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
            visitor.end()
    keep_png(shots[-1], IMAGES / "lab.png")


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
        shots.append(page.screenshot())
    return shots


def keep_png(shot: Image.Image, path: Path) -> None:
    """Saves with a palette, which is enough for a page with few colours and needs a quarter of the bytes."""
    shot.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(path, optimize=True)
    assert path.stat().st_size <= MAX_PNG, f"{path} has {path.stat().st_size} bytes"


if __name__ == "__main__":
    main()
