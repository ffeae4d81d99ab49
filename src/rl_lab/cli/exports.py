"""`rl-lab export`: a model in the form of another library."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rl_lab.cli.jobs import copy_out, file_of
from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.runs import RunArgument, find_run_id


class Form(StrEnum):
    sb3 = "sb3"
    onnx = "onnx"


def register(app: typer.Typer) -> None:
    app.command()(export)


def export(
    run: RunArgument,
    form: Annotated[Form, typer.Option("--format", "-f", help="A Stable-Baselines3 .zip, or an ONNX graph.")],
    checkpoint: Annotated[
        str | None,
        typer.Option(help="Artifact id of a checkpoint (default: the newest).", show_default=False),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Copy it here.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Write a run's model in the form of another library."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        run_id = find_run_id(client, run)
        wanted = {"format": form.value, "checkpoint": checkpoint}
        made = client.post(f"/api/runs/{run_id}/exports", wanted)
        if output is not None:
            copy_out(client, made["id"], output)
    if as_json:
        print_json(made)
    else:
        print(f"{made['title']}: {output or file_of(run_id, made['path'])}")
    return 0
