"""`rl-lab artifacts`, `pin`, `unpin`: lists the files of a run and protects single files from pruning."""

from __future__ import annotations

from typing import Annotated

import typer

from rl_lab.cli.arguments.run_argument import RunArgument, find_run_id
from rl_lab.cli.output import AsJson, ago, bytes_text, number, print_json, print_table
from rl_lab.cli.terminal import print

ArtifactArgument = Annotated[
    str, typer.Argument(metavar="ARTIFACT", help="Id of a file; `rl-lab artifacts RUN` lists the ids.")
]


def register(app: typer.Typer) -> None:
    app.command("artifacts")(list_artifacts)
    app.command()(pin)
    app.command()(unpin)


def list_artifacts(run: RunArgument, as_json: AsJson = False) -> None:
    """List the files of a run, newest first."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = client.get(f"/api/runs/{find_run_id(client, run)}/artifacts")
    if as_json:
        print_json(found)
        return
    print_table(
        ("ARTIFACT", "FILE", "KIND", "SIZE", "STEP", "PINNED", "CREATED"),
        [
            (
                file["id"],
                file["path"],
                file["kind"],
                bytes_text(file["size"]),
                number(file["timestep"], 0),
                "pinned" if file["pinned"] else "",
                ago(file["created_at"]),
            )
            for file in found
        ],
    )


def pin(artifact: ArtifactArgument, as_json: AsJson = False) -> None:
    """Pin a file, so that retention never deletes it."""
    _pin(artifact, True, as_json)


def unpin(artifact: ArtifactArgument, as_json: AsJson = False) -> None:
    """Unpin a file, so that retention may delete it."""
    _pin(artifact, False, as_json)


def _pin(artifact: str, pinned: bool, as_json: bool) -> None:
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        changed = client.patch(f"/api/artifacts/{artifact}", {"pinned": pinned})
    if as_json:
        print_json(changed)
    else:
        print(f"{changed['path']} is {'pinned' if changed['pinned'] else 'not pinned'}.")
