"""A comparison as one HTML page: all text is escaped; the page loads no resources and runs no scripts."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from rl_lab.analysis.reports.comparison_facts import (
    agreement_lines,
    band_caption,
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
from rl_lab.analysis.reports.facts import ReportDict
from rl_lab.analysis.reports.html_parts import command, notes, page, pairs, section, table
from rl_lab.analysis.reports.svg import draw_lines
from rl_lab.core.intervals import LEAST_VALUES

STATISTICS = (
    "Intervals are bootstrap intervals over seeds, with the share of such intervals that contain the true mean; "
    f"fewer than {LEAST_VALUES} seeds give none. IQM is the mean of the middle half of the seeds."
)
SAME = "The runs differ only in their seed."


def comparison_html(report: ComparisonReport) -> str:
    """The whole page; empty sections are left out."""
    found = report.model_dump()
    tables = "".join(f"<h3>{escape(title)}</h3>{table(content)}" for title, content in measure_tables(found))
    differing = differing_table(found)
    body = [
        f"<h1>{escape(found['title'])}</h1>{notes(['Written ' + found['written_at']])}",
        section("Question", _paragraphs([found["question"]] if found["question"] else [])),
        section("Verdict", _paragraphs(verdict_lines(found))),
        section("Recommendation", _paragraphs([found["comparison"]["recommendation"]])),
        section("Curves", _figures(found)),
        section("Results over seeds", tables + notes([STATISTICS]) if tables else ""),
        section("Threshold reached", table(solved_table(found))),
        section("Do the seeds agree?", _paragraphs(agreement_lines(found))),
        section("Differences", _paragraphs(difference_lines(found))),
        section("Seeds that count", _paragraphs(seed_notes(found))),
        section("Settings that differ", table(differing) if differing else notes([SAME])),
        section("Runs and seeds", table(run_table(found))),
        section("How to repeat it", command("\n".join(commands(found)))),
        section("Settings they share", pairs(shared_settings(found))),
        section("Versions", pairs(pairs_of(found["versions"]))),
        section("Hardware", pairs(pairs_of(found["hardware"]))),
    ]
    return page(f"{found['title']} – report", body)


def _paragraphs(lines: Sequence[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in lines if line)


def _figures(report: ReportDict) -> str:
    """The reward over the whole width, the other metrics next to each other."""
    drawn = [_figure(number, chart) for number, chart in enumerate(report["charts"], start=1)]
    return f'{drawn[0]}<div class="charts more">{"".join(drawn[1:])}</div>' if drawn else ""


def _figure(number: int, chart: Mapping[str, Any]) -> str:
    caption = f"Figure {number}: {chart['title']} over the training. {band_caption(chart)}".rstrip()
    return f"<figure>{draw_lines(chart)}<figcaption>{escape(caption)}</figcaption></figure>"
