"""Prints comparisons: the groups over their seeds, the verdicts, and what would settle the open ones."""

from __future__ import annotations

from typing import Any

from rl_lab.cli.output import interval, number, print_table
from rl_lab.cli.terminal import print

TITLES = (
    "CONFIGURATION",
    "SEEDS",
    "MEAN",
    "INTERVAL",
    "DEVIATION",
    "MEDIAN",
    "IQM",
    "IQM INTERVAL",
    "LOWEST – HIGHEST",
)
MOST_VERDICTS = 10
RETURNS = frozenset({"final", "best", "area", "evaluation", "at_step"})
"""Other measures are numbers of evaluation code: often shares, which need more digits."""


def print_comparison(found: dict[str, Any], measures: list[str] | None = None) -> None:
    """All of it; `measures`: the tables to print, all of those with values if not given."""
    for measure in measures or list(found["measures"]):
        rows = [_row(group, measure) for group in found["groups"] if measure in group["statistics"]]
        if rows:
            print(_sentence_case(found["measures"][measure]))
            print_table(TITLES, rows)
    _print_thresholds(found["groups"])
    for group in found["groups"]:
        for note in group["notes"]:
            print(f"{group['label']}: {note}")
        if group["agreement"]:
            print(f"{group['label']}: {group['agreement']['title']}. {group['agreement']['text']}")
    for note in found["notes"]:
        print(note)
    print_verdicts(found)


def print_verdicts(found: dict[str, Any]) -> None:
    """One sentence per group, those that are settled first; how they were corrected; what would settle the others."""
    settled = sorted(found["verdicts"], key=lambda one: one["outcome"] == "not established")
    if not settled:
        return
    print(f"Compared with {found['reference']} ({found['measures'][found['measure']]}):")
    for verdict in settled[:MOST_VERDICTS]:
        print(f"  {verdict['sentence']}")
        if verdict["advice"]:
            print(f"    {verdict['advice']}")
    if len(settled) > MOST_VERDICTS:
        print(f"  … and {len(settled) - MOST_VERDICTS} more; `--json` has all.")
    print(found["correction"])


def _row(group: dict[str, Any], measure: str) -> tuple[str, ...]:
    values = group["statistics"][measure]
    digits = 1 if measure in RETURNS else 3
    return (
        group["label"],
        str(values["seeds"]),
        number(values["mean"], digits),
        interval(values["mean_interval"], values["mean_level"], digits=digits),
        number(values["deviation"], digits),
        number(values["median"], digits),
        number(values["iqm"], digits),
        _ends(values["iqm_interval"], digits),
        f"{number(values['low'], digits)} – {number(values['high'], digits)}",
    )


def _ends(found: list[float] | None, digits: int) -> str:
    if found is None or found[0] == found[1]:
        return "–"
    return f"{number(found[0], digits)} to {number(found[1], digits)}"


def _print_thresholds(groups: list[dict[str, Any]]) -> None:
    print_table(("CONFIGURATION", "SOLVED", "AT STEP (MEDIAN)"), map(_solved, groups))
    for group in groups:
        if group["threshold_times"] and group["threshold_times"]["interval"]:
            print(f"{group['label']}: {group['threshold_times']['sentence']}")


def _solved(group: dict[str, Any]) -> tuple[str, str, str]:
    if group["threshold"] is None:
        return group["label"], "no threshold", "–"
    solved = f"{group['solved']} of {len(group['run_ids'])} (at {number(group['threshold'], 0)})"
    times = group["threshold_times"] or {}
    return group["label"], solved, number(times.get("median"), 0)


def _sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]
