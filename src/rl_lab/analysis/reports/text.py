"""A report as plain text, at most 100 columns wide, with a sparkline of each curve."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from rl_lab.analysis.reports.evaluation_facts import evaluation_notes, evaluation_table, number_table
from rl_lab.analysis.reports.facts import (
    ReportDict,
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
from rl_lab.analysis.reports.text_parts import WIDTH, facts, pairs, section, spark, table, wrapped
from rl_lab.analysis.wording import number

MARKS = {"good": "+", "info": "·", "warning": "!"}


def write_text(report: ReportDict) -> str:
    """The whole report; empty sections are left out."""
    title = f"{report['name']}  ({report['run_id']})"
    parts = [f"{title}\n{'=' * len(title)}", pairs(headline(report))]
    parts += section("Insights", [_insight(insight) for insight in report["insights"]], "\n\n")
    parts += section("Curves", [_curve(chart) for chart in report["charts"]])
    parts += section(
        "Evaluations", [*table(evaluation_table(report)), *map(wrapped, evaluation_notes(report))]
    )
    parts += section("Numbers of evaluation code", table(number_table(report)))
    parts += section("Summary", facts(summary_rows(report)))
    parts += section("Episodes to look at", [strip_caption(strip) for strip in report["setup"]["strips"]])
    parts += section("How to repeat it", [command] if (command := report["setup"]["command"]) else [])
    parts += section("Settings", facts(settings(report)))
    parts += section("Hyper-parameters", table(parameter_table(report)))
    parts += section("Versions", facts(versions(report)))
    parts += section("Hardware", facts(hardware(report)))
    parts += section("Files", table(file_table(report)))
    parts += section("Events", list(_events(report)))
    return "\n\n".join(parts) + "\n"


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


def _events(report: ReportDict) -> Iterator[str]:
    if report["events_left_out"]:
        yield f"({report['events_left_out']:,} older events left out)"
    for event in report["events"]:
        at, line, is_warning = event_line(event)
        yield f"{at} {'!' if is_warning else ' '} {line}".strip()
