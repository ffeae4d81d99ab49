"""`rl-lab rewards` and `rl-lab evaluation-codes`: the same commands for both kinds of saved code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rl_lab.cli.arguments.code_argument import name_of
from rl_lab.cli.commands.workbench import code_actions as actions
from rl_lab.cli.commands.workbench.code_actions import NOUNS, Kinds
from rl_lab.cli.completion import complete_environment, complete_saved
from rl_lab.cli.output import AsJson

GROUPED: tuple[Kinds, ...] = ("reward", "evaluation")
groups: dict[Kinds, typer.Typer] = {}
"""By kind; other modules add commands of one kind only."""

Env = Annotated[
    str | None,
    typer.Option("--env", help="An environment.", autocompletion=complete_environment, show_default=False),
]
Yes = Annotated[
    bool, typer.Option("--yes", "-y", help="Run it also where it cannot be isolated, without being asked.")
]
SavedCode = Annotated[
    str,
    typer.Argument(
        metavar="NAME[@vN]",
        help="Its name; the newest version unless one is named.",
        autocompletion=complete_saved,
    ),
]
ExampleName = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="Print the code of this one; its first characters are enough."),
]
FileOrSaved = Annotated[
    str,
    typer.Argument(
        metavar="FILE|NAME[@vN]",
        help="A file, or the name of what is saved.",
        autocompletion=complete_saved,
    ),
]


def register(app: typer.Typer) -> None:
    for kind, group in groups.items():
        app.add_typer(group, name=NOUNS[kind][0])


def make_group(kind: Kinds) -> typer.Typer:
    noun = NOUNS[kind][1]
    group = typer.Typer(
        help=f"List your {noun}s; its commands save, try and delete them.", invoke_without_command=True
    )

    @group.callback()
    def list_codes(context: typer.Context, *, env: Env = None, as_json: AsJson = False) -> None:
        if context.invoked_subcommand is None:
            actions.list_codes(kind, env, as_json=as_json)

    @group.command(name="list")
    def list_again(*, env: Env = None, as_json: AsJson = False) -> None:
        actions.list_codes(kind, env, as_json=as_json)

    @group.command()
    def show(code: SavedCode, *, as_json: AsJson = False) -> None:
        actions.show_code(kind, code, as_json=as_json)

    @group.command()
    def save(
        file: Annotated[Path, typer.Argument(metavar="FILE", help="A Python file.")],
        *,
        name: Annotated[
            str | None, typer.Option(help="Its name (default: that of the file).", show_default=False)
        ] = None,
        env: Env = None,
        note: Annotated[str, typer.Option(help="What this version is about.", show_default=False)] = "",
        as_json: AsJson = False,
    ) -> None:
        new = {"name": name or name_of(file, kind), "env_id": env or "", "note": note}
        actions.save_file(kind, file, new, as_json=as_json)

    @group.command()
    def check(
        code: FileOrSaved,
        *,
        env: Env = None,
        run: Annotated[
            list[str] | None,
            typer.Option(metavar="RUN", help="Try it on the recorded steps of this run; repeatable."),
        ] = None,
        yes: Yes = False,
        as_json: AsJson = False,
    ) -> int:
        return actions.check_code(kind, code, env, run or [], yes=yes, as_json=as_json)

    @group.command()
    def rename(
        name: SavedCode,
        new_name: Annotated[str, typer.Argument(metavar="NEW_NAME", help="The new name.")],
        *,
        as_json: AsJson = False,
    ) -> None:
        actions.rename_code(kind, name, new_name, as_json=as_json)

    @group.command()
    def delete(
        code: SavedCode,
        *,
        all_versions: Annotated[bool, typer.Option("--all", help="With all its versions.")] = False,
        as_json: AsJson = False,
    ) -> None:
        actions.delete_code(kind, code, all_versions=all_versions, as_json=as_json)

    @group.command()
    def examples(name: ExampleName = None, *, as_json: AsJson = False) -> None:
        actions.print_examples(f"/api/{NOUNS[kind][0]}", name, as_json=as_json)

    group.command("add", hidden=True)(save)
    _describe(group, *NOUNS[kind])
    return group


def _describe(group: typer.Typer, word: str, noun: str) -> None:
    """The help of each command, with the words of the group."""
    texts = {
        "list": f"List your {noun}s.",
        "show": f"Print a {noun}: its versions, and the code of one.",
        "save": f"Save a file as a {noun}; contents that are saved already make no new version.",
        "check": f"Try a {noun} in a confined process, and report errors with their lines.",
        "rename": f"Rename a {noun} with all of its versions.",
        "delete": f"Delete a {noun} or one of its versions; runs keep their copy.",
        "examples": f"List working {noun}s to start from, or print one: rl-lab {word} examples NAME > FILE",
    }
    texts["add"] = texts["save"]
    for command in group.registered_commands:
        name = command.name or str(getattr(command.callback, "__name__", ""))
        command.help = texts[name].replace("a evaluation", "an evaluation")


groups.update({kind: make_group(kind) for kind in GROUPED})
