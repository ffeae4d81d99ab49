"""`rl-lab datasets split`, `merge` and `prune`: new versions from versions that exist."""

from __future__ import annotations

from typing import Annotated

import typer

from rl_lab.cli.commands.datasets.jobs import (
    DryRun,
    LicenceOption,
    NameArgument,
    NoteOption,
    VersionArgument,
    chosen,
    run_operation,
)
from rl_lab.cli.commands.datasets.listing import group
from rl_lab.cli.completion import complete_dataset
from rl_lab.cli.output import AsJson


def register(app: typer.Typer) -> None:
    """The commands are those of the group."""


@group.command()
def split(
    *,
    of: VersionArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The dataset with the share.")],
    rest: Annotated[str, typer.Argument(metavar="REST", help="The dataset with the other episodes.")],
    share: Annotated[float, typer.Option(min=0, max=1, help="Share of the episodes in NAME.")] = 0.9,
    seed: Annotated[int, typer.Option(min=0, help="Seed with which the episodes are drawn.")] = 0,
    note: NoteOption = "",
    licence: LicenceOption = "",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> int:
    """Split a dataset into two, drawn at random by whole episodes."""
    from rl_lab.cli.connection import open_lab

    wanted = {"do": "split", "of": chosen(of), "name": name, "rest": rest, "share": share, "seed": seed}
    with open_lab() as client:
        return run_operation(
            client, "Splitting", as_json=as_json, dry_run=dry_run, **wanted, note=note, licence=licence
        )


@group.command()
def merge(
    *,
    name: NameArgument,
    of: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME[@vN]…", help="Two or more datasets or versions.", autocompletion=complete_dataset
        ),
    ],
    note: NoteOption = "",
    licence: LicenceOption = "",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> int:
    """Merge datasets of the same environment and spaces, one behind the other."""
    from rl_lab.cli.connection import open_lab

    wanted = {
        "do": "merge",
        "name": name,
        "of": [chosen(one) for one in of],
        "note": note,
        "licence": licence,
    }
    with open_lab() as client:
        return run_operation(client, "Merging", as_json=as_json, dry_run=dry_run, **wanted)


@group.command()
def prune(
    *,
    of: VersionArgument,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            help="The dataset that gets the new version; the same one if absent.",
            autocompletion=complete_dataset,
            show_default=False,
        ),
    ] = None,
    return_min: Annotated[float | None, typer.Option(help="Lowest return.", show_default=False)] = None,
    return_max: Annotated[float | None, typer.Option(help="Highest return.", show_default=False)] = None,
    length_min: Annotated[int | None, typer.Option(min=1, help="Fewest steps.", show_default=False)] = None,
    best: Annotated[
        int | None, typer.Option(min=1, help="At most this many, by return.", show_default=False)
    ] = None,
    drop_duplicates: Annotated[
        bool, typer.Option("--drop-duplicates", help="Drop episodes that are the same as an earlier one.")
    ] = False,
    drop_not_finite: Annotated[
        bool, typer.Option("--drop-not-finite", help="Drop episodes with NaN or infinite numbers.")
    ] = False,
    note: NoteOption = "",
    licence: LicenceOption = "",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> int:
    """Keep the episodes that fulfil the conditions, as a new version."""
    from rl_lab.cli.connection import open_lab

    choice = chosen(of)
    wanted = {
        "do": "prune",
        "name": to or choice["name"],
        "of": choice,
        "return_min": return_min,
        "return_max": return_max,
        "length_min": length_min,
        "best": best,
        "drop_duplicates": drop_duplicates,
        "drop_not_finite": drop_not_finite,
        "note": note,
        "licence": licence,
    }
    with open_lab() as client:
        return run_operation(client, "Pruning", as_json=as_json, dry_run=dry_run, **wanted)
