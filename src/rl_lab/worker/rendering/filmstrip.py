"""A few frames of a recorded episode, evenly spread from its first to its last step."""

from __future__ import annotations

import base64
import contextlib
from typing import Any

import msgspec
import numpy as np

from rl_lab.core.recordings import Recording
from rl_lab.worker.rendering.jpeg import to_jpeg
from rl_lab.worker.rendering.simulation import Simulation
from rl_lab.worker.rendering.thumbnails import shrunk

MAX_PX = 300


def draw_filmstrips(given: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Worker call `filmstrips`: `count` frames of each recording, each with its step and the return so far."""
    return [
        _draw(msgspec.convert(recording, Recording), int(given["count"])) for recording in given["recordings"]
    ]


def _draw(recording: Recording, count: int) -> list[dict[str, Any]]:
    frames = []
    with contextlib.closing(Simulation(recording)) as simulation:
        for step in sorted({round(at) for at in np.linspace(0, simulation.available, count)}):
            simulation.advance_to(step)
            jpeg = base64.b64encode(to_jpeg(shrunk(simulation.frame(), MAX_PX))).decode()
            frames.append({"step": simulation.step, "returned": simulation.returned, "jpeg": jpeg})
    return frames
