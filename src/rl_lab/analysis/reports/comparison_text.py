"""A comparison as plain text, with a sparkline of each curve."""

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
from rl_lab.analysis.reports.facts import ReportDict
from rl_lab.analysis.reports.text_parts import facts, section, spark, table, wrapped
from rl_lab.analysis.wording import number


def comparison_text(report: ComparisonReport) -> str:
    """The whole report; empty sections are left out."""
    found = report.model_dump()
    parts = [f"{report.title}\n{'=' * len(report.title)}\nWritten {report.written_at}"]
    parts += section("Question", [wrapped(report.question)] if report.question else [])
    parts += section("Verdict", [wrapped(line) for line in verdict_lines(found)])
    recommended = report.comparison.recommendation
    parts += section("Recommendation", [wrapped(recommended)] if recommended else [])
    for title, content in measure_tables(found):
        parts += section(title, table(content))
    parts += section("Threshold reached", table(solved_table(found)))
    parts += section("Do the seeds agree?", [wrapped(line) for line in agreement_lines(found)])
    parts += section("Differences", [wrapped(line) for line in difference_lines(found)])
    parts += section("Seeds that count", [wrapped(line) for line in seed_notes(found)])
    parts += section("Curves", _curves(found))
    parts += section("Settings that differ", table(differing_table(found)))
    parts += section("Runs and seeds", table(run_table(found)))
    parts += section("How to repeat it", commands(found))
    parts += section("Settings they share", facts(shared_settings(found)))
    parts += section("Versions", facts(pairs_of(found["versions"])))
    parts += section("Hardware", facts(pairs_of(found["hardware"])))
    return "\n\n".join(parts) + "\n"


def _curves(report: ReportDict) -> list[str]:
    """The first metric only: the reward, where there is one."""
    lines = report["charts"][0]["lines"] if report["charts"] else []
    width = max((len(line["label"]) for line in lines), default=0)
    return [
        f"{line['label']:<{width}}  {spark(line['mean'])}  {number(line['mean'][0])} → {number(line['mean'][-1])}"
        for line in lines
    ]
