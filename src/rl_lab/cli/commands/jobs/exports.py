"""`rl-lab export`: exports a model for another library, or all numbers as CSV or TensorBoard event files."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.checkpoint_argument import CheckpointOption, find_checkpoint, split_run
from rl_lab.cli.job_progress import open_job_bar
from rl_lab.cli.jobs import copy_out, file_of
from rl_lab.cli.output import AsJson, print_json, write_file
from rl_lab.cli.output_files import place_of
from rl_lab.cli.run_argument import RunArgument, find_run_id
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


class Form(StrEnum):
    sb3 = "sb3"
    onnx = "onnx"
    tensorboard = "tensorboard"
    csv = "csv"


def register(app: typer.Typer) -> None:
    app.command()(export)


def export(
    run: RunArgument,
    form: Annotated[
        Form,
        typer.Option(
            "--format",
            "-f",
            help="sb3: a Stable-Baselines3 .zip; onnx: an ONNX graph; tensorboard: TensorBoard event files; "
            "csv: every number in one table.",
        ),
    ],
    checkpoint: CheckpointOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="Copy the result to this file (for TensorBoard: folder).",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Export a run's model for another library, or its numbers as CSV or for TensorBoard."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        named, at = split_run(run)
        run_id = find_run_id(client, named)
        if form is Form.csv:
            output = place_of(client, run_id, output or Path(), "metrics", ".csv")
            made = _export_table(client, run_id, checkpoint or at, output)
        elif form is Form.tensorboard:
            made = _export_curves(client, run_id, checkpoint, output)
        else:
            wanted = {"format": form.value, "checkpoint": find_checkpoint(client, run_id, checkpoint or at)}
            with open_job_bar(f"Exporting to {form.value}", quiet=as_json):
                made = client.post(f"/api/runs/{run_id}/exports", wanted)
            if output is not None:
                output = place_of(client, run_id, output, "model", Path(made["path"]).suffix)
                copy_out(client, made["id"], output)
    if as_json:
        print_json(made)
    else:
        print(f"{made['title']}: {output or file_of(run_id, made['path'])}")
    return 0


def _export_table(client: LabClient, run_id: str, checkpoint: str | None, output: Path) -> Any:
    """Every row and every metric, into a file in the current folder unless told otherwise."""
    _refuse_checkpoint(checkpoint)
    text = client.text(f"/api/runs/{run_id}/metrics.csv")
    write_file(output, text)
    rows = text.count("\n") - 1
    return {"title": f"CSV, {rows:,} rows", "path": str(output), "rows": rows}


def _refuse_checkpoint(checkpoint: str | None) -> None:
    from rl_lab.core.errors import InvalidInput

    if checkpoint is not None:
        raise InvalidInput.of_field(
            "checkpoint", "curves belong to the whole run, not to a checkpoint; leave it out"
        )


def _export_curves(client: LabClient, run_id: str, checkpoint: str | None, output: Path | None) -> Any:
    from rl_lab.core.errors import NotReady

    _refuse_checkpoint(checkpoint)
    made = client.post(f"/api/runs/{run_id}/tensorboard")
    if output is None:
        return made
    try:
        output.mkdir(parents=True, exist_ok=True)
        for file in file_of(run_id, made["path"]).glob("*tfevents*"):
            (output / file.name).write_bytes(file.read_bytes())
    except OSError as error:
        raise NotReady(f"{output} cannot be written: {error.strerror}.") from None
    return made
