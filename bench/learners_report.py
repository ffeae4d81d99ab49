"""Writes the learners' results as Markdown tables and a chart between two markers of the performance page."""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- learners -->", "<!-- /learners -->"
NAMES = {
    "turbo": "turbo, preset fast",
    "sb3-tuned": "SB3, rl-zoo settings",
    "sb3": "SB3, defaults",
    "sb3-as-turbo": "SB3, turbo's settings",
}
Result = dict[str, Any]


def write_report(results: Path, page: Path, profile: str = "") -> None:
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    picture = page.with_name("learners.svg")
    picture.write_text(draw(rows))
    body = f"{BEGIN}\n\n{tables(rows)}\n![Seconds until solved]({picture.name})\n\n{profile_section(profile)}{END}"
    text = page.read_text() if page.exists() else f"# Performance\n\n{BEGIN}{END}\n"
    if BEGIN not in text:
        text += f"\n## Learners\n\n{BEGIN}{END}\n"
    before, _, rest = text.partition(BEGIN)
    page.write_text(before + body + rest.partition(END)[2])


def profile_section(profile: str) -> str:
    return f"### Where a step's time goes\n\n{profile}\n\n" if profile else ""


def tables(rows: list[Result]) -> str:
    parts = []
    for (env_id, algorithm), group in by(rows, "env_id", "algorithm").items():
        learners = {name: group_rows for (name,), group_rows in by(group, "learner").items()}
        turbo = median_seconds(learners.get("turbo", []))
        parts.append(f"### {algorithm.upper()}, {env_id}\n")
        parts.append(
            "| learner | seeds solved | seconds to solve, median (range) | ÷ turbo | steps/s | "
            "start-up s | final policy, 100 episodes: mean (worst seed) |"
        )
        parts.append("| --- | --- | --- | --- | --- | --- | --- |")
        parts += [table_row(name, learner, turbo) for name, learner in learners.items()]
        parts.append("")
    return "\n".join(parts)


def table_row(name: str, rows: list[Result], turbo: float) -> str:
    solved = [r for r in rows if r["solved"]]
    seconds = [r["train_s"] for r in rows]
    at_least = "≥ " if len(solved) * 2 <= len(rows) else ""
    median = median_seconds(rows)
    final = [r["evaluation"] for r in rows]
    return (
        f"| {NAMES.get(name, name)} | {len(solved)} of {len(rows)} "
        f"| {at_least}{median:.2f} ({min(seconds):.2f} – {max(seconds):.2f}) | {at_least}{median / turbo:.1f} "
        f"| {statistics.median(r['steps_per_s'] for r in rows):,.0f} "
        f"| {statistics.median(r['startup_s'] for r in rows):.2f} "
        f"| {statistics.mean(final):.1f} ({min(final):.1f}) |"
    )


def median_seconds(rows: list[Result]) -> float:
    """An unsolved run counts with its time limit; the true value is larger."""
    return statistics.median(r["train_s"] for r in rows) if rows else float("nan")


def by(rows: list[Result], *names: str) -> dict[tuple[str, ...], list[Result]]:
    groups: dict[tuple[str, ...], list[Result]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in names)].append(row)
    return groups


def draw(rows: list[Result]) -> str:
    """One bar per task and learner, seconds on a logarithmic scale from 0.1 to 1000."""
    bars = by(rows, "env_id", "algorithm", "learner")
    height, lines = 26 * len(bars) + 40, []
    for number, ((env_id, algorithm, learner), group) in enumerate(bars.items()):
        y, seconds = 20 + 26 * number, median_seconds(group)
        colour = "#0d9488" if learner == "turbo" else "#94a3b8"
        label = f"{env_id} {algorithm.upper()} · {NAMES.get(learner, learner)}"
        lines.append(f'<text x="340" y="{y + 14}" text-anchor="end">{label}</text>')
        lines.append(f'<rect x="350" y="{y}" width="{_width(seconds):.0f}" height="18" fill="{colour}"/>')
        lines.append(f'<text x="{356 + _width(seconds):.0f}" y="{y + 14}">{seconds:.2g} s</text>')
    style = "font:13px system-ui,sans-serif;fill:#334155"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="{height}" style="background:#fff">'
        f'<g style="{style}">{"".join(lines)}</g></svg>\n'
    )


def _width(seconds: float) -> float:
    from math import log10

    return max(2.0, 120 * (log10(max(seconds, 0.1)) + 1))
