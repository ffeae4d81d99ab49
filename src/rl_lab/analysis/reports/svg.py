"""Figures as inline SVG, with title, axes, units and legend: one curve, or the curves of a comparison.

The page's CSS sets the colours.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from rl_lab.analysis.reports.svg_frame import LEFT, Axis, Frame, points
from rl_lab.analysis.wording import number

ONE_CURVE = Frame(width=460, height=270, below=64)
COLOURS = 10
"""Lines of a comparison have classes `c0` to `c9`; more lines begin again."""
LEGEND_LINE = 18


def draw_chart(chart: Mapping[str, Any]) -> str:
    """A mean line in the range of its values."""
    frame, reference = ONE_CURVE, chart["reference"]
    heights = [*chart["low"], *chart["high"], *([] if reference is None else [reference])]
    across = frame.across(chart["step"][0], chart["step"][-1])
    up = frame.up(min(heights), max(heights))
    label = f"{chart['title']}: from {number(chart['mean'][0])} to {number(chart['mean'][-1])}"
    parts = frame.head(chart["title"], label)
    parts += frame.grid(across, up) + frame.names(chart["title"], chart["unit"])
    parts += _legend(chart)
    parts.append(f'<path class="band" d="{_band(chart, across, up)}"/>')
    if reference is not None:
        parts.append(frame.reference(up.at(reference)))
    parts.append(f'<path class="line" d="M{points(chart["step"], chart["mean"], across, up)}"/></svg>')
    return "".join(parts)


def draw_lines(chart: Mapping[str, Any]) -> str:
    """One line per compared run or configuration, with a band over its seeds, and a legend of one row each."""
    lines, reference = chart["lines"], chart["reference"]
    rows = len(lines) + (reference is not None)
    frame = Frame(width=920, height=430 + LEGEND_LINE * rows, below=54 + LEGEND_LINE * rows)
    heights = [value for line in lines for side in ("low", "high") for value in line[side]]
    heights += [] if reference is None else [reference]
    across = frame.across(min(line["step"][0] for line in lines), max(line["step"][-1] for line in lines))
    up = frame.up(min(heights), max(heights))
    label = f"{chart['title']} of " + ", ".join(line["label"] for line in lines)
    parts = frame.head(chart["title"], label) + frame.grid(across, up)
    parts += frame.names(chart["title"], chart["unit"])
    parts += [_lines_band(line, place % COLOURS, across, up) for place, line in enumerate(lines)]
    if reference is not None:
        parts.append(frame.reference(up.at(reference)))
    for place, line in enumerate(lines):
        path = points(line["step"], line["mean"], across, up)
        parts.append(f'<path class="line c{place % COLOURS}" d="M{path}"/>')
    return "".join(parts + _lines_legend(lines, reference, frame.bottom + 54)) + "</svg>"


def _lines_band(line: Mapping[str, Any], colour: int, across: Axis, up: Axis) -> str:
    if line["runs"] < 2:
        return ""
    return f'<path class="band c{colour}" d="{_band(line, across, up)}"/>'


def _lines_legend(lines: Sequence[Mapping[str, Any]], reference: float | None, top: int) -> list[str]:
    entries = [(f"line c{place % COLOURS}", line["label"]) for place, line in enumerate(lines)]
    entries += [] if reference is None else [("reference", f"solved at {number(reference)}")]
    return [
        f'<line class="{mark}" x1="{LEFT}" x2="{LEFT + 18}" y1="{y - 4}" y2="{y - 4}"/>'
        f'<text x="{LEFT + 24}" y="{y}">{escape(text)}</text>'
        for y, (mark, text) in zip(range(top, 10**6, LEGEND_LINE), entries, strict=False)
    ]


def _legend(chart: Mapping[str, Any]) -> list[str]:
    """What the line, the band and the dashes are."""
    y = ONE_CURVE.height - 10
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


def _band(chart: Mapping[str, Any], across: Axis, up: Axis) -> str:
    there = points(chart["step"], chart["high"], across, up)
    back = points(chart["step"][::-1], chart["low"][::-1], across, up)
    return f"M{there} L{back} Z"
