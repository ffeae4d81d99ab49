"""Draws a figure that `figure.py` wrote as PNG: the few shapes it uses, with pillow, smoothed by drawing it larger."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from rl_lab.analysis.reports.figure import GOOD, INK, RULE, SOFT
from rl_lab.analysis.reports.style import LINES

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

SCALE = 2
"""Pixels of the picture per unit of the figure, for sharp print."""
SMOOTH = 2
"""Pixels that are drawn per pixel of the picture."""
BAND = 0.15
POOR_FONT = "Aileron"
"""The one in pillow."""
FONTS = ("DejaVuSans", "LiberationSans-Regular", "Arial", "Helvetica")
PLAIN = str.maketrans("–−", "--")
"""Signs that the font in pillow does not have."""
Point = tuple[float, float]


def draw_png(svg: str) -> bytes:
    from PIL import Image

    root = ElementTree.fromstring(svg)  # noqa: S314 - our own text
    size = (int(root.get("width", "0")), int(root.get("height", "0")))
    page = _Canvas(Image.new("RGB", (size[0] * SCALE * SMOOTH, size[1] * SCALE * SMOOTH), "white"))
    for shape in root:
        page.draw(shape)
    small = page.image.resize((size[0] * SCALE, size[1] * SCALE), Image.Resampling.LANCZOS)
    data = io.BytesIO()
    small.save(data, "PNG", optimize=True, dpi=(96 * SCALE, 96 * SCALE))
    return data.getvalue()


class _Canvas:
    def __init__(self, image: Image.Image) -> None:
        self.image = image
        self._zoom = SCALE * SMOOTH

    def draw(self, shape: ElementTree.Element) -> None:
        kind = shape.tag.rpartition("}")[2]
        if kind == "line":
            ends = [(_number(shape, f"x{n}"), _number(shape, f"y{n}")) for n in (1, 2)]
            self._line(ends, shape.get("class", ""))
        elif kind == "path":
            self._path(shape.get("d", ""), shape.get("class", ""))
        elif kind == "text":
            self._text(shape)

    def _path(self, path: str, name: str) -> None:
        points = [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)]
        if name.startswith("band"):
            self._band(points, name)
        else:
            self._line(points, name)

    def _line(self, points: list[Point], name: str) -> None:
        if len(points) < 2:
            return
        width = {"grid": 1.0, "reference": 1.4}.get(name.partition(" ")[0], 1.6)
        drawing = self._drawing()
        parts = list(_dashes(points)) if name == "reference" else [points]
        for part in parts:
            drawing.line(self._zoomed(part), _colour(name), round(width * self._zoom), joint="curve")

    def _band(self, points: list[Point], name: str) -> None:
        from PIL import Image, ImageDraw

        mask = Image.new("L", self.image.size)
        ImageDraw.Draw(mask).polygon(self._zoomed(points), fill=round(255 * BAND))
        self.image.paste(Image.new("RGB", self.image.size, _colour(name)), mask=mask)

    def _text(self, shape: ElementTree.Element) -> None:
        is_title = shape.get("class") == "title"
        font, text = _font(round((13 if is_title else 11) * self._zoom)), shape.text or ""
        if font.getname()[0] == POOR_FONT:
            text = text.translate(PLAIN)
        at = (_number(shape, "x") * self._zoom, _number(shape, "y") * self._zoom)
        anchor = {"middle": "ms", "end": "rs"}.get(shape.get("text-anchor", ""), "ls")
        bold = self._zoom // 6 if is_title else 0
        colour = INK if is_title else SOFT
        if "rotate(-90" in shape.get("transform", ""):
            self._turned(text, at, font, colour)
        else:
            self._drawing().text(at, text, colour, font, anchor, stroke_width=bold)

    def _turned(self, text: str, at: Point, font: ImageFont.FreeTypeFont, colour: str) -> None:
        """Text that is read from below."""
        from PIL import Image, ImageDraw

        width, height = round(font.getlength(text)) + 2, round(font.size * 1.5)
        mask = Image.new("L", (width, height))
        ImageDraw.Draw(mask).text((0, font.size), text, 255, font, "ls")
        turned = mask.rotate(90, expand=True)
        corner = (round(at[0] - font.size), round(at[1] - width / 2))
        self.image.paste(Image.new("RGB", turned.size, colour), corner, turned)

    def _zoomed(self, points: list[Point]) -> list[Point]:
        return [(x * self._zoom, y * self._zoom) for x, y in points]

    def _drawing(self) -> ImageDraw.ImageDraw:
        from PIL import ImageDraw

        return ImageDraw.Draw(self.image)


def _dashes(points: list[Point], length: float = 5, gap: float = 4) -> Iterator[list[Point]]:
    """The dashes of a level line."""
    (x, y), (end, _) = points[0], points[-1]
    while x < end:
        yield [(x, y), (min(x + length, end), y)]
        x += length + gap


def _colour(name: str) -> str:
    found = re.search(r"\bc(\d)\b", name)
    if found:
        return f"#{LINES[int(found[1])]}"
    return {"grid": RULE, "reference": GOOD}.get(name, f"#{LINES[0]}")


def _number(shape: ElementTree.Element, name: str) -> float:
    return float(shape.get(name, "0"))


def _font(size: int) -> Any:
    """A font of the system, which has more letters; else the one in pillow."""
    from PIL import ImageFont

    for name in FONTS:
        try:
            return ImageFont.truetype(f"{name}.ttf", size)
        except OSError:
            continue
    return ImageFont.load_default(size)
