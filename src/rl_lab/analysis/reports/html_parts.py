"""The parts of a report's HTML: the page around it, sections, tables. All text is escaped."""

from collections.abc import Sequence
from html import escape

from rl_lab.analysis.reports.facts import Table
from rl_lab.analysis.reports.style import POLICY, STYLE


def page(title: str, body: Sequence[str]) -> str:
    """The whole document; the title is escaped here, the body is not."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>"
        f"<body><main>{''.join(body)}</main></body></html>\n"
    )


def section(title: str, content: str) -> str:
    """Nothing for an empty section."""
    return f"<section><h2>{title}</h2>{content}</section>" if content else ""


def pairs(rows: Sequence[tuple[str, str]]) -> str:
    if not rows:
        return ""
    return (
        "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows) + "</dl>"
    )


def table(content: Table | None) -> str:
    if content is None:
        return ""
    columns, rows = content
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in line) + "</tr>" for line in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def notes(texts: Sequence[str]) -> str:
    return "".join(f'<p class="soft">{escape(note)}</p>' for note in texts)


def command(line: str | None) -> str:
    return f"<pre>{escape(line)}</pre>" if line else ""
