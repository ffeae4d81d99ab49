"""A report as one HTML page. All text from the run is escaped; the page loads no resources and runs no scripts."""

from collections.abc import Mapping, Sequence
from html import escape
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
from rl_lab.analysis.reports.style import POLICY, STYLE
from rl_lab.analysis.reports.svg import draw_chart
from rl_lab.analysis.wording import signed


def write_html(report: ReportDict) -> str:
    """The whole page; empty sections are left out."""
    name = escape(str(report["name"]))
    setup = report["setup"]
    body = [
        f'<h1>{name}</h1><p class="soft">Run {escape(report["run_id"])}</p>{_pairs(headline(report))}',
        _section("The agent", _strips(setup)),
        _section("Insights", "".join(_insight(insight) for insight in report["insights"])),
        _section("Curves", _charts(report["charts"])),
        _section("Evaluations", _table(evaluation_table(report)) + _notes(evaluation_notes(report))),
        _section("Summary", _pairs(summary_rows(report))),
        _section("How to repeat it", _command(setup["command"])),
        _section("Settings", _pairs(settings(report))),
        _section("Hyper-parameters", _table(parameter_table(report))),
        _section("Versions", _pairs(versions(report))),
        _section("Hardware", _pairs(hardware(report))),
        _section("Files", _table(file_table(report))),
        _section("Events", _events(report)),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{name} – report</title><style>{STYLE}</style></head><body><main>{''.join(body)}</main></body></html>\n"
    )


def _section(title: str, content: str) -> str:
    return f"<section><h2>{title}</h2>{content}</section>" if content else ""


def _pairs(rows: Sequence[tuple[str, str]]) -> str:
    if not rows:
        return ""
    return (
        "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows) + "</dl>"
    )


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
        f"<p>{escape(insight['text'])}</p>{hint}{_command(insight['command'])}"
        f'<p class="soft">{escape(" · ".join(insight_notes(insight)))}</p></article>'
    )


def _command(command: str | None) -> str:
    return f"<pre>{escape(command)}</pre>" if command else ""


def _charts(charts: Sequence[Mapping[str, Any]]) -> str:
    if not charts:
        return ""
    figures = [
        f"<figure>{draw_chart(chart)}<figcaption>Figure {number}: {escape(chart['title'])} over the training, "
        f"{chart['points']:,} points.</figcaption></figure>"
        for number, chart in enumerate(charts, start=1)
    ]
    return f'<div class="charts">{"".join(figures)}</div>'


def _table(table: Table | None) -> str:
    if table is None:
        return ""
    columns, rows = table
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in line) + "</tr>" for line in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _notes(notes: Sequence[str]) -> str:
    return "".join(f'<p class="soft">{escape(note)}</p>' for note in notes)


def _events(report: ReportDict) -> str:
    if not report["events"]:
        return ""
    left_out = f"<p class='soft'>{report['events_left_out']:,} older events left out.</p>"
    lines = [
        f"<li{' class=warning' if is_warning else ''}>{escape(at)} {escape(line)}</li>"
        for at, line, is_warning in map(event_line, report["events"])
    ]
    return f'{left_out if report["events_left_out"] else ""}<ul class="events">{"".join(lines)}</ul>'
