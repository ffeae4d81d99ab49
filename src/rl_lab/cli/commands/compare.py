"""`rl-lab compare`: statistics over the seeds of each configuration, and the differences between configurations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rl_lab.cli.completion import complete_run
from rl_lab.cli.output import AsJson, interval, number, print_json, print_table, write_file
from rl_lab.cli.output_files import report_format
from rl_lab.cli.run_argument import find_run_id
from rl_lab.cli.terminal import print

MEASURES = ("final", "best", "evaluation")


def register(app: typer.Typer) -> None:
    app.command()(compare)


def compare(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...", help="Run ids, names, `latest`, `best`.", autocompletion=complete_run
        ),
    ],
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a report with curves, seeds and commands: .html, .txt or .json.",
            show_default=False,
        ),
    ] = None,
    group: Annotated[
        bool, typer.Option(help="In the report, draw the seeds of a configuration as one line.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Compare runs: mean, interval and threshold per configuration, seeds grouped."""
    from rl_lab.cli.connection import open_lab

    form = report_format(report) if report else None
    with open_lab() as client:
        ids = [find_run_id(client, run) for run in runs]
        if report:
            write_file(report, client.text("/api/compare/report", runs=ids, format=form, group=group))
            print(f"Report: {report}")
            return
        found = client.get("/api/compare", runs=ids)
    if as_json:
        print_json(found)
        return
    _print_comparison(found)


def _print_comparison(found: dict[str, Any]) -> None:
    for measure in MEASURES:
        rows = [_row(group, measure) for group in found["groups"] if measure in group["statistics"]]
        if rows:
            print(found["measures"][measure].capitalize())
            print_table(
                ("CONFIGURATION", "SEEDS", "MEAN", "INTERVAL", "MEDIAN", "IQM", "LOWEST – HIGHEST"), rows
            )
    print_table(("CONFIGURATION", "SOLVED", "AT STEP (MEDIAN)"), map(_solved, found["groups"]))
    for group in found["groups"]:
        if group["agreement"]:
            print(f"{group['label']}: {group['agreement']['title']}. {group['agreement']['text']}")
    for gap in found["differences"]:
        print(_sentence(gap, found["measures"]))


def _row(group: dict[str, Any], measure: str) -> tuple[str, ...]:
    values = group["statistics"][measure]
    return (
        group["label"],
        str(values["seeds"]),
        number(values["mean"]),
        interval(values["mean_interval"], values["mean_level"]),
        number(values["median"]),
        number(values["iqm"]),
        f"{number(values['low'])} – {number(values['high'])}",
    )


def _solved(group: dict[str, Any]) -> tuple[str, str, str]:
    if group["threshold"] is None:
        return group["label"], "no threshold", "–"
    solved = f"{group['solved']} of {len(group['run_ids'])} (at {number(group['threshold'], 0)})"
    return group["label"], solved, number(group["solved_step"], 0)


def _sentence(gap: dict[str, Any], measures: dict[str, str]) -> str:
    within = interval(gap["interval"], gap["level"])
    chance = f"{gap['chance_first_better']:.0%} of pairs of seeds are better"
    what = f"{gap['first']} minus {gap['second']}: {number(gap['mean'])}"
    return f"{what} ({measures[gap['measure']]}; {within}; {chance})"
