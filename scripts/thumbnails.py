"""Draws the thumbnails that the lab ships: `python scripts/thumbnails.py` writes one JPEG per environment.

They show the environments as the lab's own renderer draws them, on a card of 3:2, so that nothing of a square or a
very wide one is cut off. Run it again when Gymnasium changes a picture.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import simplejpeg

from rl_lab.orchestrator.environments.shipped_thumbnails import FOLDER
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.rendering.thumbnails import draw_still, shrunk

WIDTH, HEIGHT = 240, 160
QUALITY = 60
STEPS = {"FrozenLake-v1": 0, "FrozenLake8x8-v1": 0, "CliffWalking-v1": 0, "CliffWalkingSlippery-v1": 0}
"""Where random steps show less than the beginning."""
ENVIRONMENTS = (
    "CartPole-v1",
    "MountainCar-v0",
    "MountainCarContinuous-v0",
    "Pendulum-v1",
    "Acrobot-v1",
    "LunarLander-v3",
    "LunarLanderContinuous-v3",
    "BipedalWalker-v3",
    "BipedalWalkerHardcore-v3",
    "CarRacing-v3",
    "Blackjack-v1",
    "FrozenLake-v1",
    "FrozenLake8x8-v1",
    "CliffWalking-v1",
    "CliffWalkingSlippery-v1",
    "Taxi-v4",
)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for env_id in ENVIRONMENTS:
        frame = draw_still(make_environment(env_id, {}, render_mode="rgb_array"), env_id, STEPS.get(env_id))
        path: Path = FOLDER / f"{env_id}.jpg"
        path.write_bytes(simplejpeg.encode_jpeg(on_card(frame), quality=QUALITY, colorsubsampling="420"))
        print(f"{path.name}: {path.stat().st_size:,} bytes")


def on_card(frame: Any) -> Any:
    """The whole frame on a card of 3:2 in the colour of its edge."""
    small = shrunk(frame, WIDTH)
    if small.shape[0] > HEIGHT:
        small = shrunk(frame, round(HEIGHT * max(1.0, frame.shape[1] / frame.shape[0])))
    edge = np.concatenate([small[0], small[-1], small[:, 0], small[:, -1]])
    card = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    card[:] = np.median(edge, axis=0)
    top, left = (HEIGHT - small.shape[0]) // 2, (WIDTH - small.shape[1]) // 2
    card[top : top + small.shape[0], left : left + small.shape[1]] = small
    return card


if __name__ == "__main__":
    main()
