"""`rl-lab push`: a trained policy with card, video and configuration as a repository on the Hugging Face Hub."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.policy_argument import PolicyArgument, find_policy_id
from rl_lab.cli.commands.models.downloads import AuthorOption, LicenceOption
from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.terminal import print
from rl_lab.cli.transfers import wait_for_transfer

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


def register(app: typer.Typer) -> None:
    app.command()(push)


def push(
    *,
    policy: PolicyArgument,
    repo: Annotated[
        str, typer.Option(metavar="USER/NAME", help="Repository on the Hub; created if it is new.")
    ],
    private: Annotated[
        bool, typer.Option("--private", help="A new repository is visible to you only.")
    ] = False,
    message: Annotated[str, typer.Option("--message", "-m", help="Message of the commit.")] = "",
    video: Annotated[
        bool,
        typer.Option(
            "--video/--no-video", help="With a video of it playing; an evaluation makes a missing one."
        ),
    ] = True,
    licence: LicenceOption = None,
    author: AuthorOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Send nothing: show the card, and with -o write the folder.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="With --dry-run: write the files to this new folder."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Push a model to the Hugging Face Hub: model, card with results, replay video, configuration.

    The token is the one that huggingface_hub keeps on this machine: `hf auth login`, or HF_TOKEN.
    """
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.errors import InvalidInput
    from rl_lab.core.models.transfers import find_repo

    if output is not None and not dry_run:
        raise InvalidInput.of_field("output", "only --dry-run writes a folder")
    if dry_run and find_repo(repo) is None:
        raise InvalidInput.of_field("repo", f"“{repo}” is not the name of a repository: write user/name.")
    rights = {"licence": licence, "author": author}
    with open_lab() as client:
        checkpoint = find_policy_id(client, policy)
        if dry_run:
            show_package(client, checkpoint, {**rights, "video": video or None}, output, as_json=as_json)
            return
        wanted = {
            "checkpoint": checkpoint,
            "repo": repo,
            "private": private,
            "message": message,
            "video": video,
        }
        chosen = {name: value for name, value in rights.items() if value is not None}
        started = client.post("/api/pushes", {**wanted, **chosen})
        done = wait_for_transfer(client, "/api/pushes", started, quiet=as_json)
    if as_json:
        print_json(done)
        return
    for note in done["notes"]:
        print(f"! {note}")
    print(f"Pushed to {done['url']}")


def show_package(
    client: LabClient, checkpoint: str, choices: dict[str, Any], output: Path | None, *, as_json: bool
) -> None:
    """What a push would send: the card, the list of files, and the files themselves in a new folder."""
    found = client.get(f"/api/checkpoints/{checkpoint}/card", **choices)
    if output is not None:
        _write_folder(client, checkpoint, choices, output)
    if as_json:
        print_json({**found, "folder": str(output) if output else None})
        return
    print(found["card"])
    for file in found["files"]:
        print(f"  {file['name']}  {file['size']:,} bytes")
    for note in found["notes"]:
        print(f"! {note}")
    print(f"Nothing was sent. The files are in {output}." if output else "Nothing was sent.")


def _write_folder(client: LabClient, checkpoint: str, choices: dict[str, Any], output: Path) -> None:
    from rl_lab.core.errors import NotReady

    try:
        output.mkdir(parents=True, exist_ok=True)
        if any(output.iterdir()):
            raise NotReady(f"{output} is not empty.", next_step="Name a new folder.")
        with client.open_download("GET", f"/api/checkpoints/{checkpoint}/package", **choices) as download:
            data = io.BytesIO()
            while chunk := download.read(1 << 18):
                data.write(chunk)
        with zipfile.ZipFile(data) as archive:
            archive.extractall(output)
    except OSError as error:
        raise NotReady(f"{output} cannot be written: {error.strerror}.") from None
