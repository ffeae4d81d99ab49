"""`rl-lab adopt`: a folder that another tool filled becomes runs."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.output import AsJson, print_json

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

ASK_S = 0.2
FAILED = 1


def register(app: typer.Typer) -> None:
    app.command()(adopt)


def adopt(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder; it is not changed.")],
    copy: Annotated[bool, typer.Option("--copy", help="Copy its files into the lab.")] = False,
    no_follow: Annotated[
        bool, typer.Option("--no-follow", help="Read it once, also if it is being written.")
    ] = False,
    tag: Annotated[list[str] | None, typer.Option(help="Tag of the new runs; repeatable.")] = None,
    as_json: AsJson = False,
) -> int:
    """Make runs of a folder that another tool filled: TensorBoard, SB3, rl-zoo, CleanRL, Ray Tune, W&B offline."""
    from rl_lab.cli.connection import open_lab

    wanted = {
        "folder": str(folder.expanduser().absolute()), "copy_files": copy, "follow": not no_follow,
        "tags": tag or [],
    }  # fmt: skip
    with open_lab() as client:
        result = _wait(client, client.post("/api/adoptions", wanted), quiet=as_json)
    if as_json:
        print_json(result)
    else:
        _print(result)
    found = result["adopted"] + result["updated"] + result["unchanged"]
    return 0 if found else FAILED


def _wait(client: LabClient, result: dict[str, Any], quiet: bool) -> dict[str, Any]:
    """Until everything was looked at once."""
    is_terminal = sys.stderr.isatty() and not quiet
    while not result["is_done"]:
        time.sleep(ASK_S)
        result = client.get(f"/api/adoptions/{result['id']}")
        if is_terminal:
            words = f"{result['looked_at']:,} files looked at, {result['adopted']:,} runs adopted"
            print(f"\r{words}", end="", file=sys.stderr, flush=True)
    if is_terminal:
        print(file=sys.stderr)
    return result


def _print(result: dict[str, Any]) -> None:
    for words in result["problems"]:
        print(f"Note: {words}", file=sys.stderr)
    adopted, updated, unchanged = result["adopted"], result["updated"], result["unchanged"]
    if not adopted + updated + unchanged:
        print(
            f"Nothing in {result['folder']} is of a kind the lab knows "
            "(TensorBoard, SB3, rl-zoo, CleanRL, Ray Tune, W&B offline).",
            file=sys.stderr,
        )
        return
    print(f"{adopted:,} adopted, {updated:,} grown since, {unchanged:,} as before.")
    if result["is_followed"]:
        print("The folder is followed while a lab runs (`rl-lab serve`): what is written there appears.")
    print("List them with: rl-lab runs --tag adopted")
