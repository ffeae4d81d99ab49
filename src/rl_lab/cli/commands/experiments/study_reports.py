"""`rl-lab studies report`: the question of a study with its answer, as one document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rl_lab.cli.commands.experiments.studies import group
from rl_lab.cli.output import write_file
from rl_lab.cli.output_files import COMPARISON_FORMATS, ForceOption, report_format, require_free
from rl_lab.cli.studies.study_argument import StudyArgument, find_study_id
from rl_lab.cli.terminal import print


def register(app: typer.Typer) -> None:
    """Belongs to `rl-lab studies`, which is registered with its own module."""
    group.command("report")(write_report)


def write_report(
    study: StudyArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write it to this file: .html, .md, .txt or .json. Without it, it is printed.",
            show_default=False,
        ),
    ] = None,
    force: ForceOption = False,
) -> None:
    """Verdict, recommendation, curves, statistics, seeds and versions of a study in one document."""
    from rl_lab.cli.connection import open_lab

    form = report_format(output, COMPARISON_FORMATS) if output else "text"
    if output:
        require_free(output, force)
    with open_lab() as client:
        text = client.text(f"/api/studies/{find_study_id(client, study)}/report", format=form)
    if output is None:
        print(text)
        return
    write_file(output, text)
    print(f"Report: {output}")
