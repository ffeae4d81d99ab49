"""A comparison as Markdown, for a README, an issue or a paper's appendix."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rl_lab.analysis.reports.comparison_facts import (
    agreement_lines,
    commands,
    difference_lines,
    differing_table,
    measure_tables,
    pairs_of,
    run_table,
    seed_notes,
    shared_settings,
    solved_table,
    verdict_lines,
)
from rl_lab.analysis.reports.comparison_report import ComparisonReport
from rl_lab.analysis.reports.facts import Facts, Table
from rl_lab.analysis.reports.text_parts import spark
from rl_lab.analysis.wording import number

SPECIAL = re.compile(r"([\\`*_\[\]<>#|~!])")
"""Characters that Markdown would read as markup."""


def comparison_markdown(report: ComparisonReport) -> str:
    """The whole report; empty sections are left out."""
    found = report.model_dump()
    parts = [f"# {plain(report.title)}", f"Written {report.written_at}"]
    parts += _section("Question", _paragraphs([report.question]))
    parts += _section("Verdict", _bullets(verdict_lines(found)))
    parts += _section("Recommendation", _paragraphs([report.comparison.recommendation]))
    parts += _section("Curves", _curves(report))
    for title, content in measure_tables(found):
        parts += _section(title, _table(content))
    parts += _section("Threshold reached", _table(solved_table(found)))
    parts += _section("Do the seeds agree?", _bullets(agreement_lines(found)))
    parts += _section("Differences", _bullets(difference_lines(found)))
    parts += _section("Seeds that count", _bullets(seed_notes(found)))
    parts += _section("Settings that differ", _table(differing_table(found)))
    parts += _section("Runs and seeds", _table(run_table(found)))
    parts += _section("How to repeat it", _code(commands(found)))
    parts += _section("Settings they share", _table(_pairs(shared_settings(found), "Setting")))
    parts += _section("Versions", _table(_pairs(pairs_of(found["versions"]), "Package")))
    parts += _section("Hardware", _table(_pairs(pairs_of(found["hardware"]), "Part")))
    return "\n\n".join(parts) + "\n"


def plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _section(title: str, blocks: Sequence[str]) -> list[str]:
    return [f"## {title}", *blocks] if blocks else []


def _paragraphs(lines: Sequence[str]) -> list[str]:
    return [plain(line) for line in lines if line]


def _bullets(lines: Sequence[str]) -> list[str]:
    return ["\n".join(f"- {plain(line)}" for line in lines)] if lines else []


def _table(content: Table | None) -> list[str]:
    if content is None or not content[1]:
        return []
    columns, rows = content
    head, *body = [[plain(cell) for cell in row] for row in (columns, *rows)]
    lines = [head, ["---"] * len(columns), *body]
    return ["\n".join(f"| {' | '.join(line)} |" for line in lines)]


def _pairs(facts: Facts, name: str) -> Table:
    return [name, "Value"], [[key, value] for key, value in facts]


def _code(lines: Sequence[str]) -> list[str]:
    """A fence that is longer than any run of backticks in the text."""
    if not lines:
        return []
    longest = max((len(found) for line in lines for found in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}sh\n" + "\n".join(lines) + f"\n{fence}"]


def _curves(report: ComparisonReport) -> list[str]:
    """The first metric only, drawn in block characters: the reward, where there is one."""
    lines = report.charts[0].lines if report.charts else []
    rows = [
        [line.label, spark(line.mean), f"{number(line.mean[0])} to {number(line.mean[-1])}"] for line in lines
    ]
    return _table((["Configuration", report.charts[0].title, "From, to"], rows)) if rows else []
