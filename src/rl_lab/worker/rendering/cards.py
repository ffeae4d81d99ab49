"""Cards: full pictures of text, for the beginning and the end of a film."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rl_lab.worker.environments.drawing import Frame
from rl_lab.worker.rendering.captions import ACCENT, INK, PAPER

MARGIN = 0.07
"""Share of the width that stays empty on each side."""
LINE = 1.45
"""Distance of lines, in letter heights."""


def draw_card(
    width: int, height: int, title: str, lines: Sequence[str], curve: Sequence[float] = ()
) -> Frame:
    """A title over lines of text, with the curve behind them at the bottom; long texts become smaller."""
    from PIL import Image, ImageDraw

    canvas = Image.new("RGB", (width, height), PAPER)
    draw = ImageDraw.Draw(canvas)
    _draw_curve(draw, curve, width, height)
    left, room = round(width * MARGIN), width * (1 - 2 * MARGIN)
    size = min(height / 15, height / (LINE * (len(lines) + 4)))
    y = height * MARGIN
    for number, text in enumerate([title, *lines]):
        font = _fitting(draw, text, size * (1.4 if number == 0 else 0.9), room)
        draw.text((left, y), text, fill=INK, font=font)
        y += size * (1.4 if number == 0 else 0.9) * LINE
        if number == 0:
            draw.line((left, y, left + room / 5, y), fill=ACCENT, width=max(2, round(size / 10)))
            y += size * 0.7
    return np.asarray(canvas, dtype=np.uint8)


def _fitting(draw: Any, text: str, size: float, room: float) -> Any:
    from PIL import ImageFont

    font = ImageFont.load_default(max(8, size))
    needed = draw.textlength(text, font=font)
    return font if needed <= room else ImageFont.load_default(max(8, size * room / needed))


def _draw_curve(draw: Any, curve: Sequence[float], width: int, height: int) -> None:
    values = np.asarray(curve, dtype=float)
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return
    span = float(np.ptp(values)) or 1.0
    xs = np.linspace(0, width, len(values))
    ys = height - 4 - (values - values.min()) / span * height * 0.35
    draw.line(list(zip(xs.tolist(), ys.tolist(), strict=True)), fill=(226, 222, 216), width=3)
