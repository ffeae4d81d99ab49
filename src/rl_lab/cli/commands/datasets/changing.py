"""`rl-lab datasets rename`, `delete`, `pin` and `keep`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rl_lab.cli.commands.datasets.jobs import VersionArgument, chosen
from rl_lab.cli.commands.datasets.listing import address_of, get_version, group
from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput
from rl_lab.core.words.amounts import plural


def register(app: typer.Typer) -> None:
    """The commands are those of the group."""


@group.command()
def rename(
    dataset: VersionArgument,
    new_name: Annotated[str, typer.Argument(metavar="NEW_NAME", help="The new name.")],
    as_json: AsJson = False,
) -> None:
    """Rename a dataset with all of its versions."""
    from rl_lab.cli.connection import open_lab

    name = _whole(dataset, f"rl-lab datasets rename NAME {new_name}")
    with open_lab() as client:
        changed = client.patch(address_of(name), {"name": new_name})
    if as_json:
        print_json(changed)
    else:
        print(f"{name} is now called {changed['name']}.")


@group.command()
def delete(
    dataset: VersionArgument,
    *,
    all_versions: Annotated[bool, typer.Option("--all", help="With all its versions.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete a version, or a dataset, with its files; runs that learned from it stay."""
    from rl_lab.cli.connection import open_lab

    choice = chosen(dataset)
    with open_lab() as client:
        found = client.get(address_of(choice["name"]))
        if "version" not in choice and not all_versions and len(found["versions"]) > 1:
            raise InvalidInput.of_field(
                "dataset",
                f"“{found['name']}” has {len(found['versions'])} versions; name one, or delete all with --all.",
                [f"{found['name']}@v{one['version']}" for one in found["versions"]],
            )
        address = address_of(found["name"])
        if "version" in choice:
            address += f"/versions/{choice['version']}"
        gone = client.delete(address)
    if as_json:
        print_json(gone)
    else:
        _print_gone(gone)


@group.command()
def pin(
    dataset: VersionArgument,
    *,
    remove: Annotated[bool, typer.Option("--remove", help="It may be deleted again by `keep`.")] = False,
    as_json: AsJson = False,
) -> None:
    """Pin a version: it is kept however many newer ones there are."""
    from rl_lab.cli.connection import open_lab

    choice = chosen(dataset)
    with open_lab() as client:
        found = client.get(address_of(choice["name"]))
        version = get_version(client, found, choice.get("version"))
        if version is None:
            raise InvalidInput.of_field("dataset", f"“{found['name']}” has no version.")
        address = f"{address_of(found['name'])}/versions/{version['version']}"
        changed = client.patch(address, {"pinned": not remove})
    if as_json:
        print_json(changed)
    else:
        state = "pinned" if changed["pinned"] else "no longer pinned"
        print(f"{changed['name']}@v{changed['version']} is {state}.")


@group.command()
def keep(
    dataset: VersionArgument,
    versions: Annotated[
        str, typer.Argument(metavar="N|all", help="How many of the newest versions are kept, or `all`.")
    ],
    as_json: AsJson = False,
) -> None:
    """Keep only the newest versions, besides pinned ones and those that a training learned from."""
    from rl_lab.cli.connection import open_lab

    name = _whole(dataset, f"rl-lab datasets keep NAME {versions}")
    if versions != "all" and not versions.isdecimal():
        raise InvalidInput.of_field(
            "versions", f"“{versions}” is not a number of versions.", "1, 2, … or all"
        )
    with open_lab() as client:
        changed = client.patch(address_of(name), {"keep": None if versions == "all" else int(versions)})
    if as_json:
        print_json(changed)
    else:
        print(f"{changed['name']} has {plural(len(changed['versions']), 'version')}.")


def _whole(written: str, command: str) -> str:
    choice = chosen(written)
    if "version" in choice:
        raise InvalidInput(f"“{written}” is one version; this is about a whole dataset.", next_step=command)
    return str(choice["name"])


def _print_gone(gone: dict[str, Any]) -> None:
    versions = gone.get("versions", [gone])
    learned = sum(one["learned_by"] for one in versions)
    named = gone["name"] if "versions" in gone else f"{gone['name']}@v{gone['version']}"
    print(f"Deleted {named}.")
    if learned:
        print(f"{plural(learned, 'training')} learned from it; they stay, and cannot be repeated without it.")
