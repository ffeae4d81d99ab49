"""`rl-lab download`: a trained policy as one zip that others can use without RL Lab."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rl_lab.cli.arguments.policy_argument import PolicyArgument, find_policy_id
from rl_lab.cli.job_progress import open_job_bar
from rl_lab.cli.output import AsJson, bytes_text, print_json
from rl_lab.cli.output_files import ForceOption, OutputOption, require_folder_of, require_free, save_stream
from rl_lab.cli.terminal import print


class Licence(StrEnum):
    mit = "mit"
    apache = "apache-2.0"
    bsd = "bsd-3-clause"
    cc0 = "cc0-1.0"
    other = "other"


LicenceOption = Annotated[
    Licence | None,
    typer.Option(
        "--licence",
        "--license",
        help="Licence of the model; other: all rights reserved (default: RL_LAB_MODEL_LICENCE, mit).",
        show_default=False,
    ),
]
AuthorOption = Annotated[
    str | None,
    typer.Option(
        help="Who holds the copyright, as the licence names them (default: RL_LAB_MODEL_AUTHOR).",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    app.command()(download)


def download(
    *,
    policy: PolicyArgument,
    licence: LicenceOption = None,
    author: AuthorOption = None,
    video: Annotated[bool, typer.Option("--video", help="With the video of its newest evaluation.")] = False,
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: AsJson = False,
) -> None:
    """Download a model as one zip: model, card, configuration, licence, and an example that acts with it."""
    from rl_lab.cli.connection import open_lab

    if output is not None and not output.is_dir():
        require_free(output, force)
        require_folder_of(output)
    with open_lab() as client, open_job_bar("Packaging", unit="bytes", quiet=as_json) as advance:
        path = f"/api/checkpoints/{find_policy_id(client, policy)}/package"
        wanted = {"licence": licence, "author": author, "video": video or None}
        stream = client.open_download("GET", path, **wanted)
        target, size = save_stream(stream, output or Path(), force, advance)
    if as_json:
        print_json({"file": str(target), "size": size})
    else:
        print(f"Model, {bytes_text(size)}: {target}")
        print("In the unpacked folder: pip install -r requirements.txt, then python example.py")
