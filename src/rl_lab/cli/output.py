"""Output of the commands: errors on stderr with cause and next step, data as JSON or as a table."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from rl_lab.cli.terminal import make_console, print
from rl_lab.core.errors import NotReady, Problem
from rl_lab.core.intervals import level_text, why_none
from rl_lab.core.words.amounts import bytes_text
from rl_lab.core.words.shown_text import on_one_line, with_escapes

__all__ = [
    "AsJson",
    "ago",
    "bytes_text",
    "clock",
    "duration",
    "interval",
    "number",
    "print_error",
    "print_json",
    "print_table",
    "write_file",
]

SIGNS = {
    "minimum": "≥",
    "exclusiveMinimum": ">",
    "maximum": "≤",
    "exclusiveMaximum": "<",
    "ge": "≥",
    "gt": ">",
    "le": "≤",
    "lt": "<",
}
"""Symbols for the bounds of a JSON schema or of a validator."""

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


TYPED = frozenset(f"params.{name}" for name in ("command", "workdir", "reads", "writes", "network", "env"))
"""Fields that the user set by typing a command; their names would not help the user."""


def print_error(problem: Problem) -> None:
    """Prints an error to stderr: what is wrong, the allowed values of each field, the next step."""
    lines = [f"Error: {problem.detail}"]
    if problem.errors and len(problem.errors) == 1 and problem.errors[0].field in TYPED:
        lines = [f"Error: {problem.errors[0].message}"]
    if problem.errors and len(problem.errors) > 1:
        lines = [f"Error: {problem.title}", *(f"  {e.field}: {e.message}" for e in problem.errors)]
    for error in problem.errors or ():
        if error.allowed not in (None, [], {}):
            lines.append(f"  {error.field} allows: {_allowed(error.allowed)}")
    if problem.allowed:
        lines.append(f"  Allowed now: {', '.join(problem.allowed)}")
    if problem.next_step:
        lines.append(f"Next: {problem.next_step}")
    print("\n".join(lines), file=sys.stderr)


def _allowed(allowed: Any) -> str:
    if isinstance(allowed, list | tuple):
        return ", ".join(map(str, allowed))
    if isinstance(allowed, dict):
        return ", ".join(_rule(key, value) for key, value in allowed.items())
    return str(allowed)


def _rule(key: str, value: Any) -> str:
    if key == "type":
        return str(value)
    if isinstance(value, list | tuple):
        value = " or ".join(map(str, value))
    return f"{SIGNS.get(key, key.replace('_', ' '))} {value}"


def print_json(value: Any) -> None:
    """Characters that a terminal would obey are escaped, so the value stays the same."""
    print(with_escapes(json.dumps(value, indent=2, ensure_ascii=False)))


def print_table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints a table that fits the terminal; complete and unwrapped if stdout is a file or a pipe."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for title in titles:
        table.add_column(Text(on_one_line(title)), overflow="ellipsis", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(on_one_line(cell)) for cell in row))
    piped = not sys.stdout.isatty()
    make_console(width=10_000 if piped else None, soft_wrap=piped).print(table)


def write_file(target: Path, content: str | bytes) -> None:
    """Writes what a user asked for as a file; a clear error if that is not possible."""
    try:
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise NotReady(f"{target} cannot be written: {error.strerror}.") from None


def number(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def interval(ends: Sequence[float | None] | None, level: float | None, *, digits: int = 1) -> str:
    """Both ends with the level of their interval, or why there is none."""
    reason = why_none(ends, level)
    if reason is not None:
        return reason
    assert ends is not None and level is not None
    return f"{level_text(level)} between {number(ends[0], digits)} and {number(ends[1], digits)}"


def duration(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def ago(moment: str | None) -> str:
    """An ISO time relative to now, such as "3 h ago"."""
    if moment is None:
        return "–"
    seconds = (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit} ago"
    return "just now"


def clock(moment: str) -> str:
    return datetime.fromisoformat(moment).astimezone().strftime("%H:%M:%S")
