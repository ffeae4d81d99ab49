"""`rl-lab verify`: trains a run again and reports whether it came out the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.run_argument import RunArgument, find_run_id
from rl_lab.cli.commands.experiments.packs import import_pack, imported_text, send_pack
from rl_lab.cli.completion import complete_run
from rl_lab.cli.jobs import FAILED, file_of, print_failure, result_of, wait_for_job
from rl_lab.cli.output import AsJson, number, print_json, print_table
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


def register(app: typer.Typer) -> None:
    app.command("verify")(verify_run)


def verify_run(
    *,
    run: RunArgument,
    tolerance: Annotated[
        float, typer.Option(min=0, max=1, help="Largest relative deviation of the mean returns that passes.")
    ] = 0.05,
    exact: Annotated[
        bool, typer.Option("--exact", help="Only identical passes; ends at the first difference.")
    ] = False,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="RUN",
            help="Compare with this run instead of training again; for scripts, which you run twice.",
            show_default=False,
            autocompletion=complete_run,
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Train a run (or those of a pack) again and compare every event: identical, within tolerance, or what differs."""
    from rl_lab.cli.connection import open_lab

    wanted: dict[str, Any] = {"tolerance": 0.0 if exact else tolerance}
    with open_lab() as client:
        if is_pack(run):
            return verify_pack(client, Path(run), wanted, as_json)
        run_id = find_run_id(client, run)
        if against is not None:
            wanted["against"] = find_run_id(client, against)
        ended = verify(client, run_id, wanted, quiet=as_json)
    return report(ended, as_json)


def verify_pack(client: LabClient, file: Path, options: dict[str, Any], as_json: bool) -> int:
    """Imports the pack and verifies each of its trainings; 0 when all passed."""
    found = send_pack(client, file, quiet=as_json)
    made = import_pack(client, found, quiet=as_json)
    trainings = [made["runs"][run["id"]] for run in found["manifest"]["runs"] if run["kind"] == "train"]
    if not as_json:
        print(f"{imported_text(made)}; every hash of {file.name} is right.")
    return max(report(verify(client, run_id, options, quiet=as_json), as_json) for run_id in trainings)


def is_pack(named: str) -> bool:
    """A file that exists; no run is called like one that ends in .zip."""
    return named.lower().endswith(".zip") and Path(named).is_file()


def verify(
    client: LabClient, run_id: str, options: dict[str, Any] | None = None, *, quiet: bool = False
) -> dict[str, Any]:
    """Starts a verification and waits for it; returns its run. Ctrl-C stops waiting."""
    job = client.post(f"/api/runs/{run_id}/verifications", options or {})
    return wait_for_job(client, job, "Verifying", quiet=quiet)


def report(job: dict[str, Any], as_json: bool) -> int:
    """Prints an ended verification; returns the exit code: 0 when it passed."""
    result = result_of(job)
    if as_json:
        print_json(job)
    elif "verdict" not in result:
        return print_failure(job)
    else:
        print_result(job, result)
    return 0 if result.get("verdict") in ("identical", "within tolerance") else FAILED


def print_result(job: dict[str, Any], result: dict[str, Any]) -> None:
    compared = result["compared"]
    rows = [
        ("verdict", result["verdict"].upper()),
        ("compared", f"{compared['episodes']:,} episodes, {compared['values']:,} values of metrics"),
        ("actions of", f"{compared['recordings']:,} episodes"),
        ("weights", "compared" if compared["weights"] else "not compared"),
        ("up to step", f"{compared['steps']:,}"),
    ]
    for figure in result["figures"]:
        if figure["deviation"]:
            change = f"{number(figure['recorded'])} → {number(figure['found'])} ({figure['deviation']:.1%})"
            rows.append((figure["name"], change))
    first = result["first_difference"]
    if first is not None:
        rows.append(("first difference", f"{first['quantity']} at step {first['step']:,}"))
        rows.append(("recorded, now", f"{first['recorded']}, {first['found']}"))
        rows.append(("tolerance", f"±{result['tolerance']:.1%}" if result["tolerance"] else "none"))
    print_table(("VERIFICATION", job["parent_id"]), rows)
    for reason in result["probable_reasons"]:
        print(f"Probable reason: {reason}")
    for note in result["notes"]:
        print(f"Note: {note}")
    if result["certificate"]:
        print(f"Certificate: {file_of(job['parent_id'], 'certificate.html')}")
