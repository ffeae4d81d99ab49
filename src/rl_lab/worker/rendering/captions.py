"""Draws text and small curves into frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rl_lab.worker.environments.drawing import Frame

BAND = 34
"""Height of the strip of text under a frame."""
CURVE = (150, 64)
"""Size of the curve in the corner."""
INK, PAPER, ACCENT = (24, 24, 27), (250, 250, 249), (220, 38, 38)


def with_caption(frame: Frame, left: str, right: str = "") -> Frame:
    """The frame with a strip of text beneath it."""
    from PIL import Image, ImageDraw, ImageFont

    height, width = frame.shape[:2]
    canvas = Image.new("RGB", (width, height + BAND), PAPER)
    canvas.paste(Image.fromarray(frame), (0, 0))
    draw, font = ImageDraw.Draw(canvas), ImageFont.load_default(15)
    draw.text((10, height + 8), left, fill=INK, font=font)
    draw.text((width - 10 - draw.textlength(right, font=font), height + 8), right, fill=INK, font=font)
    return np.asarray(canvas, dtype=np.uint8)


def with_curve(frame: Frame, curve: Sequence[float], done: float) -> Frame:
    """The frame with the run's reward curve in a corner, drawn in red up to the share `done`."""
    from PIL import Image, ImageDraw

    canvas = Image.fromarray(frame).convert("RGB")
    width, height = CURVE
    box = Image.new("RGB", CURVE, PAPER)
    points = _points(curve, width, height)
    draw = ImageDraw.Draw(box)
    if len(points) > 1:
        draw.line(points, fill=(190, 190, 190), width=1)
        passed = points[: max(1, round(done * len(points)))]
        if len(passed) > 1:
            draw.line(passed, fill=ACCENT, width=2)
        x, y = passed[-1]
        draw.ellipse((x - 3, y - 3, x + 3, y + 3), fill=ACCENT)
    canvas.paste(box, (canvas.width - width - 8, 8))
    return np.asarray(canvas, dtype=np.uint8)


def side_by_side(frames: Sequence[Frame], labels: Sequence[str]) -> Frame:
    """Frames of equal height in a row, each with its label."""
    return np.hstack([with_caption(frame, label) for frame, label in zip(frames, labels, strict=True)])


def _points(curve: Sequence[float], width: int, height: int) -> list[Any]:
    values = np.asarray(curve, dtype=float)
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return []
    low, high = float(values.min()), float(values.max())
    span = (high - low) or 1.0
    xs = np.linspace(6, width - 7, len(values))
    ys = height - 7 - (values - low) / span * (height - 14)
    return list(zip(xs.tolist(), ys.tolist(), strict=True))
