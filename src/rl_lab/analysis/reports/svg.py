"""One figure as inline SVG: a mean line in the range of its values, with title, axes, units and legend.

The page's CSS sets the colours.
"""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from rl_lab.analysis.wording import number

WIDTH, HEIGHT = 460, 270
LEFT, RIGHT, TOP, BOTTOM = 76, 16, 34, 64


def draw_chart(chart: Mapping[str, Any]) -> str:
    """The SVG element, with a title for screen readers."""
    reference = chart["reference"]
    heights = [*chart["low"], *chart["high"], *([] if reference is None else [reference])]
    across = _Axis(chart["step"][0], chart["step"][-1], LEFT, WIDTH - RIGHT)
    up = _Axis(min(heights), max(heights), HEIGHT - BOTTOM, TOP)
    title = f"{chart['title']}: from {number(chart['mean'][0])} to {number(chart['mean'][-1])}"
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">']
    parts.append(f'<text class="title" x="{LEFT}" y="18">{escape(chart["title"])}</text>')
    parts += [_row(up.at(tick), number(tick)) for tick in up.ticks()]
    parts += [_column(across.at(tick), short(tick)) for tick in across.ticks()]
    parts += _names(chart)
    parts += _legend(chart)
    parts.append(f'<path class="band" d="{_band(chart, across, up)}"/>')
    if reference is not None:
        y = up.at(reference)
        parts.append(f'<line class="reference" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
    parts.append(f'<path class="line" d="M{_points(chart["step"], chart["mean"], across, up)}"/></svg>')
    return "".join(parts)


class _Axis:
    """Maps values to pixels, with a small margin for a flat line."""

    def __init__(self, low: float, high: float, first: float, last: float) -> None:
        # A constant of 0.001 is drawn at 0.001, not at a height that rounds to 0.
        room = 0.0 if high > low else abs(low) * 0.1 or 0.5
        self.low, self.high, self.first, self.last = low - room, high + room, first, last

    def at(self, value: float) -> float:
        return self.first + (value - self.low) / (self.high - self.low) * (self.last - self.first)

    def ticks(self) -> list[float]:
        """Three to six round numbers on the axis."""
        rough = (self.high - self.low) / 4
        size = 10.0 ** math.floor(math.log10(rough))
        step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough * 0.999)
        first = math.ceil(self.low / step)
        return [index * step for index in range(first, math.floor(self.high / step) + 1)]


def short(value: float) -> str:
    """Formats steps for an axis: 20k, 1.5M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def _names(chart: Mapping[str, Any]) -> list[str]:
    """The names of both axes, with their units."""
    unit = f" ({chart['unit']})" if chart["unit"] else ""
    middle = (TOP + HEIGHT - BOTTOM) / 2
    return [
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - BOTTOM + 32}" text-anchor="middle">'
        "Training (environment steps)</text>",
        f'<text x="14" y="{middle:.0f}" text-anchor="middle" transform="rotate(-90 14 {middle:.0f})">'
        f"{escape(chart['title'] + unit)}</text>",
    ]


def _legend(chart: Mapping[str, Any]) -> list[str]:
    """What the line, the band and the dashes are."""
    y = HEIGHT - 10
    entries = [
        (LEFT, f'<line class="line" x1="{LEFT}" x2="{LEFT + 18}" y1="{y - 4}" y2="{y - 4}"/>', "mean"),
        (
            LEFT + 72,
            f'<rect class="band" x="{LEFT + 72}" y="{y - 9}" width="18" height="10"/>',
            "lowest to highest",
        ),
    ]
    if chart["reference"] is not None:
        x = LEFT + 216
        dashes = f'<line class="reference" x1="{x}" x2="{x + 18}" y1="{y - 4}" y2="{y - 4}"/>'
        entries.append((x, dashes, f"solved at {number(chart['reference'])}"))
    return [f'{mark}<text x="{x + 24}" y="{y}">{escape(text)}</text>' for x, mark, text in entries]


def _points(steps: Sequence[float], values: Sequence[float], across: _Axis, up: _Axis) -> str:
    return " ".join(f"{across.at(x):.1f},{up.at(y):.1f}" for x, y in zip(steps, values, strict=True))


def _band(chart: Mapping[str, Any], across: _Axis, up: _Axis) -> str:
    there = _points(chart["step"], chart["high"], across, up)
    back = _points(chart["step"][::-1], chart["low"][::-1], across, up)
    return f"M{there} L{back} Z"


def _row(y: float, label: str) -> str:
    return (
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>'
    )


def _column(x: float, label: str) -> str:
    return f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{escape(label)}</text>'
