"""A report as one HTML page. All text from the run is escaped; the page loads no resources and runs no scripts."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from rl_lab.analysis.reports.facts import (
    ReportDict,
    event_line,
    flatten,
    headline,
    insight_notes,
    summary_rows,
    table,
)
from rl_lab.analysis.reports.svg import draw_chart

STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1d21;--soft:#5d636e;--rule:#dfe2e7;--warn:#b3261e;--good:#1d6b3c;
--line:#1f4fa8;--band:#1f4fa826}
@media(prefers-color-scheme:dark){:root{--paper:#15171b;--ink:#e8eaee;--soft:#a0a7b4;--rule:#30343c;--warn:#ff8a80;
--good:#7fd6a0;--line:#8ab4ff;--band:#8ab4ff2e}}
body{margin:0 auto;max-width:1120px;padding:2rem 1.25rem 4rem;background:var(--paper);color:var(--ink);
font:15px/1.5 system-ui,sans-serif}
h1,h2{font-family:ui-monospace,monospace;font-weight:600}h1{font-size:1.4rem;margin:0}
h2{font-size:.95rem;letter-spacing:.06em;text-transform:uppercase;margin:2.5rem 0 .75rem;
border-bottom:1px solid var(--rule);padding-bottom:.35rem}
.soft,figcaption,svg text{color:var(--soft);fill:var(--soft)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.25rem;margin:1rem 0}dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
.insight{border:1px solid var(--rule);border-left:3px solid var(--soft);padding:.6rem .9rem;margin:.6rem 0}
.insight.warning{border-left-color:var(--warn)}.insight.good{border-left-color:var(--good)}
.insight h3{margin:0;font-size:1rem}.insight p{margin:.25rem 0 0}.warning h3,.events .warning{color:var(--warn)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(340px,100%),1fr));gap:1rem}
figure{margin:0;border:1px solid var(--rule);padding:.6rem}figcaption{font:13px ui-monospace,monospace}
svg{width:100%;height:auto;display:block}svg text{font:11px ui-monospace,monospace}
pre{font:13px ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0}
.grid{stroke:var(--rule)}.line{fill:none;stroke:var(--line);stroke-width:1.6}.band{fill:var(--band)}
.reference{stroke:var(--good);stroke-dasharray:5 4}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px}
th,td{text-align:left;padding:.25rem .9rem .25rem 0;border-bottom:1px solid var(--rule);vertical-align:top}
.events{font:13px/1.6 ui-monospace,monospace;list-style:none;padding:0;overflow-wrap:anywhere}
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def write_html(report: ReportDict) -> str:
    """The whole page; empty sections are left out."""
    name = escape(str(report["name"]))
    body = [
        f'<h1>{name}</h1><p class="soft">{escape(report["run_id"])}</p>{_pairs(headline(report))}',
        _section("Insights", "".join(_insight(insight) for insight in report["insights"])),
        _section("Curves", _charts(report["charts"])),
        _section("Evaluations", _table(report["evaluations"])),
        _section("Summary", _pairs(summary_rows(report))),
        _section("Configuration", _pairs(flatten(report["config"]))),
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


def _insight(insight: Mapping[str, Any]) -> str:
    hint = f"<p><strong>Try:</strong> {escape(insight['hint'])}</p>" if insight["hint"] else ""
    if insight["command"]:
        hint += f"<pre>{escape(insight['command'])}</pre>"
    return (
        f'<article class="insight {escape(insight["level"])}"><h3>{escape(insight["title"])}</h3>'
        f"<p>{escape(insight['text'])}</p>{hint}"
        f'<p class="soft">{escape(" · ".join(insight_notes(insight)))}</p></article>'
    )


def _charts(charts: Sequence[Mapping[str, Any]]) -> str:
    if not charts:
        return ""
    figures = [
        f"<figure>{draw_chart(chart)}<figcaption>{escape(chart['title'])} · {chart['points']:,} points over steps"
        f"{' · dashed: threshold' if chart['reference'] is not None else ''}</figcaption></figure>"
        for chart in charts
    ]
    return f'<div class="charts">{"".join(figures)}</div>'


def _table(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return ""
    columns, cells = table(rows)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in line) + "</tr>" for line in cells)
    return f'<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _events(report: ReportDict) -> str:
    if not report["events"]:
        return ""
    left_out = f"<p class='soft'>{report['events_left_out']:,} older events left out.</p>"
    lines = [
        f"<li{' class=warning' if is_warning else ''}>{escape(at)} {escape(line)}</li>"
        for at, line, is_warning in map(event_line, report["events"])
    ]
    return f'{left_out if report["events_left_out"] else ""}<ul class="events">{"".join(lines)}</ul>'
