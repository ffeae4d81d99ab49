"""The tables and sentences of a comparison's report, which its text and HTML versions share."""

from collections.abc import Mapping
from typing import Any

from rl_lab.analysis.reports.facts import (
    Facts,
    ReportDict,
    Table,
    cell,
    cell_exact,
    interval_cell,
    readable,
)
from rl_lab.analysis.wording import number, percent, signed
from rl_lab.core.intervals import LEAST_VALUES, level_text, why_none

BAND_TEXTS = {
    "interval": "The band is the interval of the mean at each step ({level} of such intervals contain the true mean).",
    "range": f"The band reaches from the lowest to the highest seed: {LEAST_VALUES} are needed for an interval.",
}
LINE_TEXT = (
    "Each line is the mean over all seeds of one configuration: a run that ended early keeps its last value, and the "
    "line ends where a run in progress is."
)
STATISTICS = ["Configuration", "Seeds", "Mean", "Interval of the mean", "Median", "IQM", "Lowest to highest"]


def measure_tables(report: ReportDict) -> list[tuple[str, Table]]:
    """One table per measure that a configuration has: statistics over its seeds."""
    comparison = report["comparison"]
    found = []
    for measure, title in comparison["measures"].items():
        rows = [_row(one["label"], one["statistics"].get(measure)) for one in comparison["groups"]]
        if any(measure in one["statistics"] for one in comparison["groups"]):
            found.append((readable(title), (STATISTICS, rows)))
    return found


def _row(label: str, values: Mapping[str, Any] | None) -> list[str]:
    if values is None:
        return [label, "0", *["–"] * (len(STATISTICS) - 2)]
    return [
        label,
        str(values["seeds"]),
        number(values["mean"]),
        interval_cell(values["mean_interval"], values["mean_level"]),
        number(values["median"]),
        number(values["iqm"]),
        _range((values["low"], values["high"])),
    ]


def _range(ends: tuple[float, float]) -> str:
    return f"{number(ends[0])} to {number(ends[1])}"


def solved_table(report: ReportDict) -> Table | None:
    """How many seeds reached the threshold, and when; none where no environment has a threshold."""
    groups = [one for one in report["comparison"]["groups"] if one["threshold"] is not None]
    rows = [
        [
            one["label"],
            number(one["threshold"]),
            f"{one['solved']} of {len(one['run_ids'])}",
            "–" if one["solved_step"] is None else f"{one['solved_step']:,.0f}",
        ]
        for one in groups
    ]
    return (["Configuration", "Threshold", "Solved", "At step (median)"], rows) if rows else None


def difference_lines(report: ReportDict) -> list[str]:
    measures = report["comparison"]["measures"]
    return [_difference(one, measures) for one in report["comparison"]["differences"]]


def _difference(one: Mapping[str, Any], measures: Mapping[str, str]) -> str:
    reason, verdict = why_none(one["interval"], one["level"]), ""
    within = f", {reason} in each configuration"
    if reason is None:
        low, high = one["interval"]
        within = f", {level_text(one['level'])} between {signed(low)} and {signed(high)}"
        verdict = "" if low > 0 or high < 0 else " These seeds do not show which is better."
    better = f"better in {percent(one['chance_first_better'])} of the pairs of seeds"
    title = readable(measures[one["measure"]])
    return f"{title}: {one['first']} minus {one['second']}: {signed(one['mean'])}{within}; {better}.{verdict}"


def band_caption(chart: Mapping[str, Any]) -> str:
    """What the lines and bands of a figure are; empty for single runs."""
    kinds = {line["band"]: line["level"] for line in chart["lines"] if line["band"] != "none"}
    texts = [
        BAND_TEXTS[kind].format(level=level_text(level) if level else "") for kind, level in kinds.items()
    ]
    return " ".join([LINE_TEXT, *texts]) if texts else ""


def verdict_lines(report: ReportDict) -> list[str]:
    """The verdicts with what would settle them, and how they were corrected."""
    comparison = report["comparison"]
    found = [f"{one['sentence']} {one['advice'] or ''}".strip() for one in comparison["verdicts"]]
    return [*found, *([comparison["correction"]] if found and comparison["correction"] else [])]


def seed_notes(report: ReportDict) -> list[str]:
    """What became of the seeds, and how values were chosen."""
    groups = [f"{one['label']}: {note}" for one in report["comparison"]["groups"] for note in one["notes"]]
    return [*groups, *report["comparison"]["notes"]]


def agreement_lines(report: ReportDict) -> list[str]:
    """For each configuration with several seeds, whether they agree."""
    groups = [one for one in report["comparison"]["groups"] if one["agreement"]]
    return [f"{one['label']}: {one['agreement']['title']}. {one['agreement']['text']}" for one in groups]


def differing_table(report: ReportDict) -> Table | None:
    labels = [one["label"] for one in report["comparison"]["groups"]]
    rows = [[_named(one), *one["values"]] for one in report["differing"]]
    return (["Setting", *labels], rows) if rows else None


def shared_settings(report: ReportDict) -> Facts:
    return [(_named(one), one["values"][0]) for one in report["shared"]]


def _named(setting: Mapping[str, Any]) -> str:
    """The readable name, with the exact one where it is not the same word."""
    label, name = setting["label"], setting["name"]
    return label if readable(name) == label else f"{label} ({name})"


def run_table(report: ReportDict) -> Table:
    columns = ["Run", "Id", "Configuration", "Seed", "Status", "Final", "Best", "Evaluation"]
    rows = [
        [
            one["name"],
            one["run_id"],
            one["configuration"],
            cell_exact(one["seed"]),
            one["status"],
            *(cell(one[measure]) for measure in ("final", "best", "evaluation")),
        ]
        for one in report["runs"]
    ]
    return columns, rows


def commands(report: ReportDict) -> list[str]:
    return [one["command"] for one in report["runs"] if one["command"]]


def pairs_of(values: Mapping[str, str]) -> Facts:
    return list(values.items())
