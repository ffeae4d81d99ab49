"""The parts of a report as plain text: sections, pairs, tables, sparklines."""

import textwrap
from collections.abc import Sequence

from rl_lab.analysis.reports.facts import Table

WIDTH = 100
BARS = "▁▂▃▄▅▆▇█"


def section(title: str, blocks: Sequence[str], gap: str = "\n") -> list[str]:
    return [f"{title}\n{'-' * len(title)}\n" + gap.join(blocks)] if blocks else []


def pairs(rows: Sequence[tuple[str, str]]) -> str:
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def facts(rows: Sequence[tuple[str, str]]) -> list[str]:
    return [pairs(rows)] if rows else []


def wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent="  ")


def table(content: Table | None) -> list[str]:
    if content is None:
        return []
    columns, cells = content
    widths = [max(len(line[index]) for line in [columns, *cells]) for index in range(len(columns))]
    return [
        "  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True)).rstrip()
        for line in [columns, *cells]
    ]


def spark(values: Sequence[float], width: int = 40) -> str:
    """A curve in one line of block characters."""
    stride = max(1, len(values) // width)
    groups = [values[at : at + stride] for at in range(0, len(values), stride)][:width]
    means = [sum(group) / len(group) for group in groups]
    low, span = min(means), max(means) - min(means)
    return "".join(BARS[int((value - low) / span * 7) if span > 0 else 0] for value in means)
