"""A comparison as one HTML page: all text is escaped; the page loads no resources and runs no scripts."""

from collections.abc import Mapping
from html import escape
from typing import Any

from rl_lab.analysis.reports.comparison_facts import (
    agreement_lines,
    commands,
    difference_lines,
    differing_table,
    measure_tables,
    pairs_of,
    run_table,
    shared_settings,
    solved_table,
)
from rl_lab.analysis.reports.comparison_report import ComparisonReport
from rl_lab.analysis.reports.facts import ReportDict
from rl_lab.analysis.reports.html_parts import command, notes, page, pairs, section, table
from rl_lab.analysis.reports.svg import draw_lines
from rl_lab.core.intervals import LEAST_VALUES

BAND = (
    "Each line is the mean over all seeds of one configuration: a run that ended early keeps its last value, and the "
    "line ends where a run in progress is. The band reaches from the lowest to the highest seed."
)
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
        section("Curves", _figures(found)),
        section("Results over seeds", tables + notes([STATISTICS]) if tables else ""),
        section("Threshold reached", table(solved_table(found))),
        section("Do the seeds agree?", "".join(f"<p>{escape(line)}</p>" for line in agreement_lines(found))),
        section("Differences", "".join(f"<p>{escape(line)}</p>" for line in difference_lines(found))),
        section("Settings that differ", table(differing) if differing else notes([SAME])),
        section("Runs and seeds", table(run_table(found))),
        section("How to repeat it", command("\n".join(commands(found)))),
        section("Settings they share", pairs(shared_settings(found))),
        section("Versions", pairs(pairs_of(found["versions"]))),
        section("Hardware", pairs(pairs_of(found["hardware"]))),
    ]
    return page(f"{found['title']} – report", body)


def _figures(report: ReportDict) -> str:
    """The reward over the whole width, the other metrics next to each other."""
    drawn = [_figure(number, chart) for number, chart in enumerate(report["charts"], start=1)]
    return f'{drawn[0]}<div class="charts more">{"".join(drawn[1:])}</div>' if drawn else ""


def _figure(number: int, chart: Mapping[str, Any]) -> str:
    band = f" {BAND}" if any(line["runs"] > 1 for line in chart["lines"]) else ""
    caption = f"Figure {number}: {chart['title']} over the training.{band}"
    return f"<figure>{draw_lines(chart)}<figcaption>{escape(caption)}</figcaption></figure>"
