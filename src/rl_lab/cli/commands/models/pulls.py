"""`rl-lab pull`: the model of a repository on the Hugging Face Hub becomes a run of this lab."""

from __future__ import annotations

from typing import Annotated

import typer

from rl_lab.cli.commands.models.imports import (
    AlgorithmOption,
    EnvOption,
    NameOption,
    PreviewOption,
    YesOption,
    take_in,
)
from rl_lab.cli.output import AsJson
from rl_lab.cli.terminal import print
from rl_lab.cli.transfers import wait_for_transfer


def register(app: typer.Typer) -> None:
    app.command()(pull)


def pull(
    *,
    repo: Annotated[str, typer.Argument(metavar="USER/NAME", help="Repository on the Hub.")],
    revision: Annotated[
        str | None, typer.Option(help="Branch, tag or commit (default: the newest).", show_default=False)
    ] = None,
    file: Annotated[
        str | None,
        typer.Option("--file", help="Which model file, if it holds several.", show_default=False),
    ] = None,
    env: EnvOption = None,
    algorithm: AlgorithmOption = None,
    name: NameOption = None,
    yes: YesOption = False,
    preview: PreviewOption = False,
    as_json: AsJson = False,
) -> None:
    """Pull a model from the Hugging Face Hub and import it.

    Only files that an import reads are downloaded. They are read as data, in a confined process without network.
    """
    from rl_lab.cli.connection import open_lab

    wanted = {"repo": repo, "revision": revision, "file": file}
    with open_lab() as client:
        started = client.post("/api/pulls", {key: value for key, value in wanted.items() if value})
        done = wait_for_transfer(client, "/api/pulls", started, quiet=as_json)
        for note in () if as_json else done["notes"]:
            print(f"! {note}")
        choices = {"env_id": env, "algorithm": algorithm, "name": name}
        take_in(client, done["upload"], choices, yes=yes, preview=preview, as_json=as_json)
