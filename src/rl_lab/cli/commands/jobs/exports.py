"""`rl-lab export`: the numbers of runs and studies as a table, figure or page, or a model for another library."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from rl_lab.cli.arguments.checkpoint_argument import CheckpointOption, split_run
from rl_lab.cli.arguments.policy_argument import find_policy
from rl_lab.cli.job_progress import open_job_bar
from rl_lab.cli.jobs import copy_out, file_of
from rl_lab.cli.output import AsJson, bytes_text, print_json
from rl_lab.cli.output_files import ForceOption, OutputOption, place_of, require_free, save_stream
from rl_lab.cli.studies.subjects import SubjectsArgument, find_subjects
from rl_lab.cli.terminal import print
from rl_lab.core.words.file_names import file_name

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


class Form(StrEnum):
    csv = "csv"
    json = "json"
    parquet = "parquet"
    png = "png"
    svg = "svg"
    html = "html"
    tensorboard = "tensorboard"
    sb3 = "sb3"
    onnx = "onnx"


class ExportedTable(StrEnum):
    metrics = "metrics"
    episodes = "episodes"
    runs = "runs"


MODELS = frozenset({Form.sb3, Form.onnx})
FORMATS = (
    "csv, json, parquet: one table of all runs; png, svg: their reward curves; html: their report; "
    "tensorboard: event files, one folder per run; sb3, onnx: the model of one run."
)


class OutputPlace(NamedTuple):
    """Where the result goes, as the user asked for it."""

    output: Path | None
    force: bool
    quiet: bool

    def check(self) -> None:
        """Before any work: a file that exists is not overwritten."""
        if self.output is not None and not self.output.is_dir():
            require_free(self.output, self.force)


def register(app: typer.Typer) -> None:
    app.command()(export)


def export(
    *,
    runs: SubjectsArgument,
    form: Annotated[Form, typer.Option("--format", "-f", help=FORMATS)],
    table: Annotated[
        ExportedTable, typer.Option(help="Of csv, json and parquet: a row per point, per episode or per run.")
    ] = ExportedTable.metrics,
    checkpoint: CheckpointOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: AsJson = False,
) -> int:
    """Export runs and studies as one table, figure or page, or a run's model for another library."""
    from rl_lab.cli.connection import open_lab

    place = OutputPlace(output, force, as_json)
    with open_lab() as client:
        if form in MODELS:
            place.check()
            made = _export_model(client, runs, form, checkpoint, place)
        elif form is Form.tensorboard:
            _refuse_checkpoint(checkpoint, runs)
            made = _export_curves(client, runs, place)
        else:
            place.check()
            _refuse_checkpoint(checkpoint, runs)
            made = _export_file(client, runs, form, table, place)
    if as_json:
        print_json(made)
    else:
        print(f"{made['title']}: {made['file']}")
    return 0


def _export_file(
    client: LabClient, named: list[str], form: Form, table: ExportedTable, place: OutputPlace
) -> dict[str, Any]:
    """Written while it arrives, into the current folder unless told otherwise."""
    wanted = {**find_subjects(client, named).as_query(), "format": form.value, "table": table.value}
    with open_job_bar(f"Exporting to {form.value}", unit="bytes", quiet=place.quiet) as advance:
        download = client.open_download("POST", "/api/exports", wanted)
        target, size = save_stream(download, place.output or Path(), place.force, advance)
    return {"title": f"{form.value.upper()}, {bytes_text(size)}", "file": str(target), "size": size}


def _refuse_checkpoint(checkpoint: str | None, named: list[str]) -> None:
    from rl_lab.core.errors import InvalidInput

    if checkpoint is not None or any(split_run(name)[1] for name in named):
        raise InvalidInput.of_field(
            "checkpoint", "numbers belong to the whole run, not to a checkpoint; leave it out"
        )


def _export_model(
    client: LabClient, named: list[str], form: Form, checkpoint: str | None, place: OutputPlace
) -> dict[str, Any]:
    from rl_lab.core.errors import InvalidInput

    if len(named) != 1:
        raise InvalidInput.of_field("run", f"{form.value} takes one run, not {len(named)}")
    run_id, chosen = find_policy(client, named[0], checkpoint)
    wanted = {"format": form.value, "checkpoint": chosen}
    with open_job_bar(f"Exporting to {form.value}", quiet=place.quiet):
        made = client.post(f"/api/runs/{run_id}/exports", wanted)
    file = file_of(run_id, made["path"])
    if place.output is not None:
        file = place_of(client, run_id, place.output, "model", Path(made["path"]).suffix)
        require_free(file, place.force)
        copy_out(client, made["id"], file)
    return {**made, "file": str(file)}


def _export_curves(client: LabClient, named: list[str], place: OutputPlace) -> dict[str, Any]:
    """One folder per run below the output; for one run the folder itself."""
    subjects = find_subjects(client, named)
    ids = [*subjects.runs, *(one for study in subjects.studies for one in _runs_of(client, study))]
    made: dict[str, Any] = {}
    for run_id in dict.fromkeys(ids):
        made = client.post(f"/api/runs/{run_id}/tensorboard")
        if place.output is not None:
            target = place.output
            if len(ids) > 1:
                target = target / file_name(client.get(f"/api/runs/{run_id}")["name"], run_id, "")
            _copy_event_files(file_of(run_id, made["path"]), target, place.force)
    if len(ids) == 1:
        return {**made, "file": str(place.output or file_of(ids[0], made["path"]))}
    where = str(place.output or "in the folders of the runs; -o copies them to one place")
    return {"title": f"TensorBoard event files of {len(ids)} runs", "file": where}


def _runs_of(client: LabClient, study_id: str) -> list[str]:
    found = client.get(f"/api/studies/{study_id}/variants")["items"]
    return [run_id for variant in found for run_id in variant["run_ids"]]


def _copy_event_files(source: Path, target: Path, force: bool) -> None:
    from rl_lab.core.errors import NotReady

    try:
        target.mkdir(parents=True, exist_ok=True)
        for file in source.glob("*tfevents*"):
            require_free(target / file.name, force)
            (target / file.name).write_bytes(file.read_bytes())
    except OSError as error:
        raise NotReady(f"{target} cannot be written: {error.strerror}.") from None
