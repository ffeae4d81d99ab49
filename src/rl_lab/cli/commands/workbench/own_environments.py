"""`rl-lab own-environments`: environments and wrappers that you wrote."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from rl_lab.cli.arguments.code_argument import get_version, is_file
from rl_lab.cli.arguments.own_environment_argument import is_code_path, read_environment, save_environment
from rl_lab.cli.code_consent import post_approved
from rl_lab.cli.commands.workbench.code_actions import delete_code, print_examples, show_code
from rl_lab.cli.commands.workbench.code_output import print_check, state_of
from rl_lab.cli.commands.workbench.codes import Env, ExampleName, SavedCode, Yes
from rl_lab.cli.output import AsJson, ago, number, print_json, print_table
from rl_lab.cli.terminal import print

WORD = "own-environments"
group = typer.Typer(
    help="List environments of your own; its commands save, try and delete them.", invoke_without_command=True
)
FileOrFolder = Annotated[
    Path, typer.Argument(metavar="FILE|FOLDER", help="A Python file, or a folder with environment.py.")
]


def register(app: typer.Typer) -> None:
    app.add_typer(group, name=WORD)


@group.callback()
def list_own(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List environments of your own; its commands save, try and delete them."""
    if context.invoked_subcommand is None:
        _list(as_json=as_json)


@group.command(name="list")
def list_again(*, as_json: AsJson = False) -> None:
    """List environments of your own."""
    _list(as_json=as_json)


@group.command()
def add(
    file: FileOrFolder,
    *,
    name: Annotated[
        str | None, typer.Option(help="Its name (default: that of the file).", show_default=False)
    ] = None,
    env: Env = None,
    note: Annotated[str, typer.Option(help="What this version is about.", show_default=False)] = "",
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Save an environment and try it; contents that are saved already make no new version."""
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.own_environments import own_env_id

    new = {"name": name, "env_id": env or "", "note": note}
    with open_lab() as client:
        saved = save_environment(client, file, new, yes=yes, quiet=as_json)
    if as_json:
        print_json(saved)
    else:
        print_check(saved["check"], str(file), saved["source"])
        if saved["check"]["environment"]:
            print(f"Train in it: rl-lab train {own_env_id(saved['name'], saved['version'])}")
    return 0 if saved["check"]["is_usable"] else 1


@group.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE|FOLDER|NAME[@vN]")],
    *,
    env: Env = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Try an environment in a confined process, and report errors with their lines; nothing is saved."""
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.workbench.code_kinds import CodeKind

    with open_lab() as client:
        if is_code_path(file) or is_file(file):
            source = read_environment(Path(file))
        else:
            source = get_version(client, CodeKind.environment, file)["source"]
        found = post_approved(
            lambda asked: client.post("/api/own-environments/check", asked),
            {"source": source, "env_id": env or ""},
            yes=yes,
        )
    if found is None:
        print("Not run.", file=sys.stderr)
        return 1
    if as_json:
        print_json(found)
    else:
        print_check(found, file, source)
    return 0 if found["is_usable"] else 1


@group.command()
def show(code: SavedCode, *, as_json: AsJson = False) -> None:
    """Print an environment of your own: its versions, and the code of one."""
    show_code("environment", code, as_json=as_json)


@group.command()
def delete(
    code: SavedCode,
    *,
    all_versions: Annotated[bool, typer.Option("--all", help="With all its versions.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete an environment of your own or one of its versions; what runs need of it stays."""
    delete_code("environment", code, all_versions=all_versions, as_json=as_json)


@group.command()
def examples(name: ExampleName = None, *, as_json: AsJson = False) -> None:
    """List working environments to begin with, or print one: rl-lab own-environments examples grid > grid.py"""
    print_examples(f"/api/{WORD}", name, as_json=as_json)


group.command("save", hidden=True)(add)


def _list(*, as_json: bool) -> None:
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = client.get("/api/own-environments")
    if as_json:
        print_json(found)
    elif found:
        columns = ("ENVIRONMENT", "CHECKED", "STEPS/S", "CHANGED", "NOTE")
        print_table(columns, [_row(one) for one in found])
    else:
        print(f"You have no environment of your own. Begin with an example: rl-lab {WORD} examples")


def _row(code: dict[str, Any]) -> tuple[str, ...]:
    from rl_lab.core.own_environments import own_env_id

    newest = code["versions"][0]
    check = newest["check"] or {}
    is_wrapper = bool(check) and check["environment"] is None and check["is_usable"]
    shown = f"{code['name']}@v{newest['version']} (wrapper)"
    env_id = shown if is_wrapper else own_env_id(code["name"], newest["version"])
    rate = number(check.get("calls_per_second"), 0)
    return env_id, state_of(newest), rate, ago(code["updated_at"]), code["note"] or newest["note"]
