"""A figure of a report as a file of its own: SVG with its colours and the sentence that names its band."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from html import escape
from typing import Any

from rl_lab.analysis.reports.style import LINES
from rl_lab.analysis.reports.svg import draw_lines
from rl_lab.analysis.reports.svg_frame import LEFT

INK, SOFT, RULE, GOOD = "#1b1d21", "#5d636e", "#dfe2e7", "#1d6b3c"
LETTERS = 132
"""Of one line of the caption."""
CAPTION_LINE = 15

STYLE = (
    f"text{{font:11px system-ui,sans-serif;fill:{SOFT}}}.title{{font-weight:600;font-size:13px;fill:{INK}}}"
    f".grid{{stroke:{RULE}}}.line{{fill:none;stroke-width:1.6}}.band{{fill-opacity:.15}}"
    f".reference{{stroke:{GOOD};stroke-width:1.4;stroke-dasharray:5 4}}"
    + "".join(f".line.c{n}{{stroke:#{one}}}.band.c{n}{{fill:#{one}}}" for n, one in enumerate(LINES))
)


def draw_figure(chart: Mapping[str, Any], title: str, caption: str) -> str:
    """The curves of a comparison; `caption` says what the lines and bands are."""
    of_report = f'y="18">{escape(chart["title"])}</text>'
    drawn = draw_lines(chart).replace(of_report, f'y="18">{escape(title)}</text>', 1)
    found = re.match(r'<svg viewBox="0 0 (\d+) (\d+)"', drawn)
    assert found is not None
    width, height = int(found[1]), int(found[2])
    lines = textwrap.wrap(caption, LETTERS)
    whole = height + CAPTION_LINE * len(lines) + (10 if lines else 0)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{whole}" viewBox="0 0 {width} {whole}"'
    texts = "".join(
        f'<text x="{LEFT}" y="{height + 6 + CAPTION_LINE * place}">{escape(line)}</text>'
        for place, line in enumerate(lines)
    )
    body = drawn[found.end() :].removesuffix("</svg>")
    opening, _, rest = body.partition(">")
    paper = f'<style>{STYLE}</style><rect width="{width}" height="{whole}" fill="#ffffff"/>'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{opening}>{paper}{rest}{texts}</svg>\n'
