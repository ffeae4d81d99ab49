"""A report as one HTML page. All text from the run is escaped; the page loads no resources and runs no scripts."""

from collections.abc import Mapping, Sequence
from html import escape
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
from rl_lab.analysis.reports.html_parts import command, notes, page, pairs, section, table
from rl_lab.analysis.reports.svg import draw_chart
from rl_lab.analysis.wording import signed


def write_html(report: ReportDict) -> str:
    """The whole page; empty sections are left out."""
    name = escape(str(report["name"]))
    setup = report["setup"]
    body = [
        f'<h1>{name}</h1><p class="soft">Run {escape(report["run_id"])}</p>{pairs(headline(report))}',
        section("The agent", _strips(setup)),
        section("Insights", "".join(_insight(insight) for insight in report["insights"])),
        section("Curves", _charts(report["charts"])),
        section("Evaluations", table(evaluation_table(report)) + notes(evaluation_notes(report))),
        section("Numbers of evaluation code", table(number_table(report))),
        section("Summary", pairs(summary_rows(report))),
        section("How to repeat it", command(setup["command"])),
        section("Settings", pairs(settings(report))),
        section("Hyper-parameters", table(parameter_table(report))),
        section("Versions", pairs(versions(report))),
        section("Hardware", pairs(hardware(report))),
        section("Files", table(file_table(report))),
        section("Events", _events(report)),
    ]
    return page(f"{report['name']} – report", body)


def _strips(setup: Mapping[str, Any]) -> str:
    """The first and the best episode, one below the other, in a few pictures each."""
    note = f'<p class="soft">{escape(setup["strips_note"])}</p>' if setup["strips_note"] else ""
    return "".join(_strip(strip) for strip in setup["strips"]) + note


def _strip(strip: Mapping[str, Any]) -> str:
    pictures = "".join(
        f'<div><img alt="{escape(strip["title"])}, step {frame["step"]}" '
        f'src="data:image/jpeg;base64,{escape(frame["jpeg"])}">'
        f"<span>step {frame['step']:,}, return {escape(signed(frame['returned']))}</span></div>"
        for frame in strip["frames"]
    )
    row = f'<div class="frames">{pictures}</div>' if pictures else ""
    return f'<figure class="strip"><figcaption>{escape(strip_caption(strip))}</figcaption>{row}</figure>'


def _insight(insight: Mapping[str, Any]) -> str:
    hint = f"<p><strong>Try:</strong> {escape(insight['hint'])}</p>" if insight["hint"] else ""
    return (
        f'<article class="insight {escape(insight["level"])}"><h3>{escape(insight["title"])}</h3>'
        f"<p>{escape(insight['text'])}</p>{hint}{command(insight['command'])}"
        f'<p class="soft">{escape(" · ".join(insight_notes(insight)))}</p></article>'
    )


def _charts(charts: Sequence[Mapping[str, Any]]) -> str:
    if not charts:
        return ""
    figures = [
        f"<figure>{draw_chart(chart)}<figcaption>Figure {number}: {escape(chart['title'])} over the training, "
        f"{chart['points']:,} points.</figcaption></figure>"
        for number, chart in enumerate(charts, start=1)
    ]
    return f'<div class="charts">{"".join(figures)}</div>'


def _events(report: ReportDict) -> str:
    if not report["events"]:
        return ""
    left_out = f"<p class='soft'>{report['events_left_out']:,} older events left out.</p>"
    lines = [
        f"<li{' class=warning' if is_warning else ''}>{escape(at)} {escape(line)}</li>"
        for at, line, is_warning in map(event_line, report["events"])
    ]
    return f'{left_out if report["events_left_out"] else ""}<ul class="events">{"".join(lines)}</ul>'
