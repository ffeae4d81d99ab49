"""`rl-lab compare`: statistics over the seeds of each configuration, verdicts, and how many seeds would settle them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rl_lab.cli.output import AsJson, print_json, write_file
from rl_lab.cli.output_files import COMPARISON_FORMATS, report_format
from rl_lab.cli.studies.subjects import Subjects, SubjectsArgument, find_subjects
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


def register(app: typer.Typer) -> None:
    app.command()(compare)


def compare(
    subjects: SubjectsArgument,
    *,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a report with verdict, curves, seeds and commands: .html, .md, .txt or .json.",
            show_default=False,
        ),
    ] = None,
    group: Annotated[
        bool, typer.Option(help="In the report, draw the seeds of a configuration as one line.")
    ] = True,
    measure: Annotated[
        str | None,
        typer.Option(
            help="What the verdicts are about: final, best, area, evaluation, at_step, a number of evaluation code, "
            "or metrics.NAME for a derived metric.",
            show_default="final; of a study its own",
        ),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[@vN]",
            help="Take evaluations by this protocol.",
            show_default="by which most runs were evaluated; of a study its own",
        ),
    ] = None,
    method: Annotated[
        Literal["lab", "rliable"],
        typer.Option(help="How intervals are computed; `rliable` as rliable 1.2.0 does."),
    ] = "lab",
    reference: Annotated[
        str,
        typer.Option(
            help="What the others are compared with: `first`, `best`, a label, the number of a group, or a run id."
        ),
    ] = "first",
    step: Annotated[
        float | None, typer.Option(help="Compare the mean returns at this step, too.", show_default=False)
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            help="Mean return whose first step is shown.", show_default="where the environment is solved"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare runs, or the variants of a study: table, verdict in one sentence, seeds that would settle it."""
    from rl_lab.cli.connection import open_lab
    from rl_lab.cli.studies.comparison_output import print_comparison

    form = report_format(report, COMPARISON_FORMATS) if report else None
    question = {
        "measure": measure,
        "protocol": protocol,
        "method": method,
        "reference": reference,
        "step": step,
        "threshold": threshold,
    }
    with open_lab() as client:
        named = find_subjects(client, subjects)
        if report:
            write_file(report, _report(client, named, {**question, "format": form}, group=group))
            print(f"Report: {report}")
            return
        found = _compared(client, named, question)
    if as_json:
        print_json(found)
    else:
        print_comparison(found)


def _report(client: LabClient, named: Subjects, question: dict[str, Any], *, group: bool) -> str:
    if len(named.studies) == 1 and not named.runs:
        return client.text(f"/api/studies/{named.studies[0]}/report", **question)
    runs = _all_runs(client, named)
    return client.text("/api/compare/report", runs=runs, group=group, **question)


def _compared(client: LabClient, named: Subjects, question: dict[str, Any]) -> Any:
    """One study alone is compared by its variants; everything else by configuration."""
    if len(named.studies) == 1 and not named.runs:
        return client.get(f"/api/studies/{named.studies[0]}/comparison", **question)
    return client.get("/api/compare", runs=_all_runs(client, named), **question)


def _all_runs(client: LabClient, named: Subjects) -> list[str]:
    found = list(named.runs)
    for study_id in named.studies:
        for variant in client.get(f"/api/studies/{study_id}/variants")["items"]:
            found += variant["run_ids"]
    return found
