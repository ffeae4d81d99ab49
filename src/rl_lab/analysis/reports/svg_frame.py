"""The frame of a figure: where the plot is, its axes with round numbers, and their names."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from rl_lab.analysis.wording import number

LEFT, RIGHT, TOP = 76, 16, 34


class Axis:
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


@dataclass(frozen=True)
class Frame:
    """The size of a figure; `below` is the room under the plot, for the numbers, the axis name and the legend."""

    width: int
    height: int
    below: int

    @property
    def bottom(self) -> int:
        return self.height - self.below

    def across(self, low: float, high: float) -> Axis:
        return Axis(low, high, LEFT, self.width - RIGHT)

    def up(self, low: float, high: float) -> Axis:
        return Axis(low, high, self.bottom, TOP)

    def head(self, title: str, label: str) -> list[str]:
        """The opening tag, with a label for screen readers, and the title."""
        return [
            f'<svg viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{escape(label)}">',
            f'<text class="title" x="{LEFT}" y="18">{escape(title)}</text>',
        ]

    def grid(self, across: Axis, up: Axis) -> list[str]:
        rows = [self._row(up.at(tick), number(tick)) for tick in up.ticks()]
        return rows + [self._column(across.at(tick), short(tick)) for tick in across.ticks()]

    def names(self, title: str, unit: str) -> list[str]:
        """The names of both axes, with their units."""
        middle = (TOP + self.bottom) / 2
        name = f"{title} ({unit})" if unit else title
        return [
            f'<text x="{(LEFT + self.width - RIGHT) / 2:.0f}" y="{self.bottom + 32}" text-anchor="middle">'
            "Training (environment steps)</text>",
            f'<text x="14" y="{middle:.0f}" text-anchor="middle" transform="rotate(-90 14 {middle:.0f})">'
            f"{escape(name)}</text>",
        ]

    def reference(self, y: float) -> str:
        return f'<line class="reference" x1="{LEFT}" x2="{self.width - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'

    def _row(self, y: float, label: str) -> str:
        return (
            f'<line class="grid" x1="{LEFT}" x2="{self.width - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>'
        )

    def _column(self, x: float, label: str) -> str:
        return f'<text x="{x:.1f}" y="{self.bottom + 16}" text-anchor="middle">{escape(label)}</text>'


def points(steps: Sequence[float], values: Sequence[float], across: Axis, up: Axis) -> str:
    return " ".join(f"{across.at(x):.1f},{up.at(y):.1f}" for x, y in zip(steps, values, strict=True))


def short(value: float) -> str:
    """Formats steps for an axis: 20k, 1.5M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
