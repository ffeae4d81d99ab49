"""The parts of a report that the text and HTML versions share: key facts and tables, as strings."""

from collections.abc import Mapping
from typing import Any

from rl_lab.analysis.wording import number, percent

NOT_SHOWN = frozenset({"id", "run_id", "at", "type", "level", "message"})
MOST_ITEMS = 12
Facts = list[tuple[str, str]]
ReportDict = Mapping[str, Any]
"""A dumped `Report`; a mapping, so that the writers do not have to import `report.py`, which imports them."""


def headline(report: ReportDict) -> Facts:
    """The most important facts of a run."""
    asked = f" of {report['total_timesteps']:,}" if report["total_timesteps"] else ""
    facts = [
        ("Environment", cell(report["env_id"])),
        ("Algorithm", f"{report['algorithm']} ({report['runner']})"),
        ("Status", status(report)),
        ("Created", cell(report["created_at"])),
        ("Steps", f"{report['steps']:,}{asked}"),
        ("Episodes", f"{report['episodes']:,}"),
        ("Duration", duration(report["duration_s"])),
        ("Mean reward, last 100", cell(report["mean_reward"])),
        ("Best episode", cell(report["best_reward"])),
        ("Reward threshold", cell(report["reward_threshold"])),
    ]
    return [(name, value) for name, value in facts if value != "–"]


def status(report: ReportDict) -> str:
    return f"{report['status']}: {report['reason']}" if report["reason"] else str(report["status"])


def flatten(values: Mapping[str, Any], prefix: str = "") -> Facts:
    """Nested settings as pairs of dotted name and value."""
    rows: Facts = []
    for key, value in values.items():
        name = f"{prefix}{key}"
        rows += flatten(value, f"{name}.") if isinstance(value, Mapping) and value else [(name, cell(value))]
    return rows


def summary_rows(report: ReportDict) -> Facts:
    """The summary without its sparkline, which is shown as a curve."""
    summary = {name: value for name, value in report["summary"].items() if name != "sparkline"}
    return [(name, value) for name, value in flatten(summary) if value != "–"]


def table(rows: list[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Column names in order of appearance, and the cells of all rows; nested values become dotted columns."""
    flat = [dict(flatten(row)) for row in rows]
    columns = list(dict.fromkeys(name for row in flat for name in row))
    return columns, [[row.get(name, "–") for name in columns] for row in flat]


def insight_notes(insight: Mapping[str, Any]) -> list[str]:
    """How far the numbers support an insight, and where they are; a fact has no confidence."""
    sure, window = insight["confidence"], insight["window"]
    notes = [] if sure is None else [f"confidence {percent(sure)}"]
    if window:
        notes.append(f"{window['series']}, steps {window['from_step']:,}–{window['to_step']:,}")
    return notes


def event_line(event: Mapping[str, Any]) -> tuple[str, str, bool]:
    """Time, text and whether it is a warning; for an event without text, its fields."""
    at = str(event.get("at") or "")[:19].replace("T", " ")
    kind, text = str(event.get("type") or ""), event.get("message")
    if not text:
        rest = {key: value for key, value in event.items() if key not in NOT_SHOWN}
        text = ", ".join(f"{name} {value}" for name, value in flatten(rest))
    line = f"{kind}: {text}" if kind and text else kind or str(text)
    return at, line, str(event.get("level", "")) in ("warning", "error")


def cell(value: Any) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, list | tuple):
        return _listed(value) if value else "–"
    return str(value)


def _listed(values: list[Any] | tuple[Any, ...]) -> str:
    shown = ", ".join(cell(item) for item in values[:MOST_ITEMS])
    return shown if len(values) <= MOST_ITEMS else f"{shown}, … ({len(values):,} values)"


def duration(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return (
        f"{hours} h {minutes} min"
        if hours
        else f"{minutes} min {whole % 60} s"
        if minutes
        else f"{seconds:.1f} s"
    )
