"""`rl-lab note`: shows or writes the note on a run, or on one of its episodes."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from rl_lab.cli.arguments.run_argument import RunArgument, find_run_id
from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput


def register(app: typer.Typer) -> None:
    app.command()(note)


def note(
    run: RunArgument,
    text: Annotated[
        str | None,
        typer.Argument(
            metavar="[TEXT]",
            help="Markdown in place of the present note; - reads it from the input. Without it the note is printed.",
            show_default=False,
        ),
    ] = None,
    *,
    episode: Annotated[
        int | None, typer.Option(min=0, help="The note on this episode.", show_default=False)
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Remove the note.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show or write the note on a run or an episode; `rl-lab runs WORDS` finds runs by their notes."""
    from rl_lab.cli.connection import open_lab

    if clear and text is not None:
        raise InvalidInput.of_field("--clear", "A text and --clear contradict each other; give one of them.")
    written = "" if clear else sys.stdin.read() if text == "-" else text
    with open_lab() as client:
        run_id = find_run_id(client, run)
        path = f"/api/runs/{run_id}" if episode is None else f"/api/runs/{run_id}/episodes/{episode}"
        if written is None:
            found = client.get(path)
        elif episode is None:
            found = client.patch(path, {"notes": written.strip()})
        else:
            found = client.put(f"{path}/note", {"text": written})
    _report(found, as_json=as_json, is_written=written is not None)


def _report(found: dict[str, Any], *, as_json: bool, is_written: bool) -> None:
    words = found["notes"] if "notes" in found else found["note"]
    if as_json:
        print_json(found)
    elif is_written:
        print("The note is saved." if words else "The note is removed.")
    else:
        print(words or "There is no note.")
