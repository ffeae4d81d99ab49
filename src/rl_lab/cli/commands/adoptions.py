"""`rl-lab adopt`: makes runs from a folder that another tool wrote."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

ASK_S = 0.2
KNOWN_FORMATS = "TensorBoard, SB3, rl-zoo, CleanRL, Ray Tune, W&B offline, MLflow, Trackio, Neptune export"
FAILED = 1


def register(app: typer.Typer) -> None:
    app.command()(adopt)


def adopt(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to read; it is not changed.")],
    *,
    copy: Annotated[bool, typer.Option("--copy", help="Copy its files into the lab's home folder.")] = False,
    no_follow: Annotated[
        bool, typer.Option("--no-follow", help="Read it once, even if it is still being written.")
    ] = False,
    no_join: Annotated[
        bool,
        typer.Option(
            "--no-join", help="Keep the folders of one training apart; splits runs that were joined."
        ),
    ] = False,
    tag: Annotated[list[str] | None, typer.Option(help="Tag for the new runs; repeatable.")] = None,
    as_json: AsJson = False,
) -> int:
    """Make runs from a folder that another tool wrote: TensorBoard, SB3, Ray Tune, W&B, MLflow and others."""
    from rl_lab.cli.connection import open_lab

    wanted = {
        "folder": str(folder.expanduser().absolute()),
        "copy_files": copy,
        "follow": not no_follow,
        "join": not no_join,
        "tags": tag or [],
    }
    with open_lab() as client:
        result = _wait(client, client.post("/api/adoptions", wanted), quiet=as_json)
    if as_json:
        print_json(result)
    else:
        _print(result)
    found = result["adopted"] + result["updated"] + result["unchanged"]
    return 0 if found else FAILED


def _wait(client: LabClient, result: dict[str, Any], quiet: bool) -> dict[str, Any]:
    """Waits until every file has been read once."""
    is_terminal = sys.stderr.isatty() and not quiet
    while not result["is_done"]:
        time.sleep(ASK_S)
        result = client.get(f"/api/adoptions/{result['id']}")
        if is_terminal:
            progress = f"{result['looked_at']:,} files read, {result['adopted']:,} runs adopted"
            print(progress, end="\r", file=sys.stderr, flush=True)
    if is_terminal:
        print(file=sys.stderr)
    return result


def _print(result: dict[str, Any]) -> None:
    for problem in result["problems"]:
        print(f"Note: {problem}", file=sys.stderr)
    adopted, updated, unchanged = result["adopted"], result["updated"], result["unchanged"]
    if not adopted + updated + unchanged:
        print(
            f"{result['folder']} contains no files in a supported format ({KNOWN_FORMATS}).",
            file=sys.stderr,
        )
        return
    for line in result["joined"]:
        print(line)
    print(f"{adopted:,} adopted, {updated:,} updated, {unchanged:,} unchanged.")
    if result["is_followed"]:
        print("While the lab is running (`rl-lab serve`), it keeps reading new data from this folder.")
    print("List the runs with: rl-lab runs --tag adopted")
