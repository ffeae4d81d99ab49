"""A report as plain text, at most 100 columns wide, with a sparkline of each curve."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rl_lab.analysis.reports.facts import (
    ReportDict,
    Table,
    evaluation_notes,
    evaluation_table,
    event_line,
    file_table,
    hardware,
    headline,
    insight_notes,
    parameter_table,
    settings,
    strip_caption,
    summary_rows,
    versions,
)
from rl_lab.analysis.wording import number

WIDTH = 100
BARS = "▁▂▃▄▅▆▇█"
MARKS = {"good": "+", "info": "·", "warning": "!"}


def write_text(report: ReportDict) -> str:
    """The whole report; empty sections are left out."""
    title = f"{report['name']}  ({report['run_id']})"
    parts = [f"{title}\n{'=' * len(title)}", _pairs(headline(report))]
    parts += _section("Insights", [_insight(insight) for insight in report["insights"]], "\n\n")
    parts += _section("Curves", [_curve(chart) for chart in report["charts"]])
    parts += _section(
        "Evaluations", [*_table(evaluation_table(report)), *map(_wrapped, evaluation_notes(report))]
    )
    parts += _section("Summary", _facts(summary_rows(report)))
    parts += _section("Episodes to look at", [strip_caption(strip) for strip in report["setup"]["strips"]])
    parts += _section("How to repeat it", [command] if (command := report["setup"]["command"]) else [])
    parts += _section("Settings", _facts(settings(report)))
    parts += _section("Hyper-parameters", _table(parameter_table(report)))
    parts += _section("Versions", _facts(versions(report)))
    parts += _section("Hardware", _facts(hardware(report)))
    parts += _section("Files", _table(file_table(report)))
    parts += _section("Events", list(_events(report)))
    return "\n\n".join(parts) + "\n"


def _section(title: str, blocks: Sequence[str], gap: str = "\n") -> list[str]:
    return [f"{title}\n{'-' * len(title)}\n" + gap.join(blocks)] if blocks else []


def _pairs(rows: Sequence[tuple[str, str]]) -> str:
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def _facts(rows: Sequence[tuple[str, str]]) -> list[str]:
    return [_pairs(rows)] if rows else []


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent="  ")


def _insight(insight: Mapping[str, Any]) -> str:
    notes = f" ({', '.join(insight_notes(insight))})" if insight_notes(insight) else ""
    lines = [f"{MARKS[insight['level']]} {insight['title']}{notes}"]
    lines += textwrap.wrap(insight["text"], WIDTH - 2, initial_indent="  ", subsequent_indent="  ")
    if insight["hint"]:
        lines += textwrap.wrap(
            f"→ {insight['hint']}", WIDTH - 2, initial_indent="  ", subsequent_indent="    "
        )
    if insight["command"]:
        lines.append(f"    {insight['command']}")
    return "\n".join(lines)


def _curve(chart: Mapping[str, Any]) -> str:
    means: list[float] = chart["mean"]
    return f"{chart['title']:<20} {spark(means)}  {number(means[0])} → {number(means[-1])}"


def spark(values: Sequence[float], width: int = 40) -> str:
    """A curve in one line of block characters."""
    stride = max(1, len(values) // width)
    groups = [values[at : at + stride] for at in range(0, len(values), stride)][:width]
    means = [sum(group) / len(group) for group in groups]
    low, span = min(means), max(means) - min(means)
    return "".join(BARS[int((value - low) / span * 7) if span > 0 else 0] for value in means)


def _table(table: Table | None) -> list[str]:
    if table is None:
        return []
    columns, cells = table
    widths = [max(len(line[index]) for line in [columns, *cells]) for index in range(len(columns))]
    return [
        "  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True)).rstrip()
        for line in [columns, *cells]
    ]


def _events(report: ReportDict) -> Iterator[str]:
    if report["events_left_out"]:
        yield f"({report['events_left_out']:,} older events left out)"
    for event in report["events"]:
        at, line, is_warning = event_line(event)
        yield f"{at} {'!' if is_warning else ' '} {line}".strip()
