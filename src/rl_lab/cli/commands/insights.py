"""`rl-lab insights` and `rl-lab report`: what the lab derives from a run's curves."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.run_argument import RunArgument, find_run_id
from rl_lab.cli.output import AsJson, print_json, write_file
from rl_lab.cli.output_files import (
    REPORT_FORMATS,
    ForceOption,
    OutputOption,
    place_of,
    report_format,
    require_free,
)
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from collections.abc import Sequence


class Format(StrEnum):
    text = "text"
    json = "json"
    html = "html"


def register(app: typer.Typer) -> None:
    app.command()(insights)
    app.command()(report)


def insights(
    run: RunArgument,
    seeds: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="RUN",
            help="Another seed of the same configuration: do they agree? Repeatable.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the insights about a run, most important first; with other seeds, whether they agree."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        run_id = find_run_id(client, run)
        if seeds:
            others = [find_run_id(client, one) for one in seeds]
            groups = client.get("/api/insights/seeds", run=[run_id, *others])
            if as_json:
                print_json(groups)
            else:
                print_seed_groups(groups)
            return
        found = client.get(f"/api/runs/{run_id}/insights")
    if as_json:
        print_json(found)
    elif found:
        print_insights(found)
    else:
        print("No insights yet.")


def print_seed_groups(groups: Sequence[dict[str, Any]]) -> None:
    if not groups:
        print("These runs differ in more than their seed, so they are not seeds of one configuration.")
    for group in groups:
        print(f"Seeds {', '.join(str(seed) for seed in group['seeds'])}:")
        if group["insight"]:
            print_insights([group["insight"]])
        else:
            print("  Neither clear agreement nor clear disagreement, or too few episodes.")


def print_insights(found: Sequence[dict[str, Any]]) -> None:
    marks = {"good": "+", "info": "·", "warning": "!"}
    printed: set[str] = set()
    for one in found:
        print(f"{marks.get(one['level'], '·')} {one['title']}: {one['text']}")
        if one["hint"]:
            print(f"  Next: {one['hint']}")
        # Several insights may propose the same change.
        if one["command"] and one["command"] not in printed:
            printed.add(one["command"])
            print(f"  Try it: {one['command']}")


def report(
    run: RunArgument,
    format_: Annotated[
        Format | None,
        typer.Option(
            "--format",
            "-f",
            help="Output format; text, or what the name of the file asks for.",
            show_default=False,
        ),
    ] = None,
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: AsJson = False,
) -> None:
    """Print the report of a run, or write it to a file."""
    from rl_lab.cli.connection import open_lab

    form = "json" if as_json else report_form(format_, output)
    if output is not None and not output.is_dir():
        require_free(output, force)
    with open_lab() as client:
        run_id = find_run_id(client, run)
        text = client.text(f"/api/runs/{run_id}/report", format=form)
        if output is not None:
            suffix = next(end for end, one in REPORT_FORMATS.items() if one == form)
            output = place_of(client, run_id, output, "report", suffix)
            require_free(output, force)
    if output is None:
        print(text)
        return
    write_file(output, text)
    print(f"Report: {output}")


def report_form(given: Format | None, output: Path | None) -> str:
    """What --format says; without it what the name of the file asks for, a page in a folder, text on the terminal."""
    if given is not None:
        return given.value
    if output is None:
        return Format.text.value
    return Format.html.value if output.is_dir() else report_format(output)
