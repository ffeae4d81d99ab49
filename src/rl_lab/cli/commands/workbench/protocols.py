"""`rl-lab protocols`: lists, shows, saves and deletes evaluation protocols; `rl-lab evaluate --protocol` uses one."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal
from urllib.parse import quote

import typer

from rl_lab.cli.arguments.code_argument import find_saved
from rl_lab.cli.arguments.evaluation_code_argument import EvaluationCodeOption
from rl_lab.cli.arguments.wrapper_argument import EnvArgs, Wrappers, environment_arguments
from rl_lab.cli.completion import complete_environment
from rl_lab.cli.output import AsJson, ago, print_json, print_table
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.words.amounts import plural

group = typer.Typer(
    help="List evaluation protocols; its commands show, save and delete them.", invoke_without_command=True
)
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Name of the protocol.")]
WrittenArgument = Annotated[
    str, typer.Argument(metavar="NAME[@vN]", help="The newest version unless one is named.")
]
SHORT_HASH = 12


def register(app: typer.Typer) -> None:
    app.add_typer(group, name="protocols")


@group.callback()
def protocols(context: typer.Context, as_json: AsJson = False) -> None:
    """List evaluation protocols."""
    if context.invoked_subcommand is None:
        list_protocols(as_json=as_json)


@group.command("list")
def list_protocols(as_json: AsJson = False) -> None:
    """List evaluation protocols."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = client.get("/api/protocols")
    if as_json:
        print_json(found)
        return
    titles = ("PROTOCOL", "EPISODES", "SEEDS", "ACTIONS", "CODE", "PASSES", "ENVIRONMENT", "CHANGED")
    print_table(titles, [_row(one["versions"][0]) for one in found])


@group.command()
def show(written: WrittenArgument, as_json: AsJson = False) -> None:
    """Show a protocol with its versions."""
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.workbench.protocols import read_protocol_choice

    name, version = read_protocol_choice(written)
    with open_lab() as client:
        saved = client.get(f"/api/protocols/{quote(name, safe='')}")
    chosen = next((one for one in saved["versions"] if version in (None, one["version"])), None)
    if chosen is None:
        raise NotFound(f"The protocol “{saved['name']}” has no version {version}.")
    if as_json:
        print_json(saved if version is None else chosen)
        return
    print_table(("PROTOCOL", _title(chosen)), _facts(chosen))
    others = [f"v{one['version']} ({ago(one['created_at'])})" for one in saved["versions"] if one != chosen]
    if others:
        print(f"Other versions: {', '.join(others)}")


@group.command()
def save(
    name: NameArgument,
    *,
    episodes: Annotated[
        int | None,
        typer.Option("--episodes", "-e", min=1, max=100, help="Number of episodes.", show_default="20"),
    ] = None,
    seed: Annotated[
        list[int] | None,
        typer.Option(min=0, help="Seed of an episode; repeatable. Else they are drawn.", show_default=False),
    ] = None,
    base_seed: Annotated[int, typer.Option(min=0, help="What seeds are drawn from.")] = 0,
    stochastic: Annotated[bool, typer.Option("--stochastic", help="Sample actions as in training.")] = False,
    env: Annotated[
        str,
        typer.Option(
            help="Only for this environment.", autocompletion=complete_environment, show_default=False
        ),
    ] = "",
    env_arg: EnvArgs = None,
    wrapper: Wrappers = None,
    env_kwargs: Annotated[
        str | None,
        typer.Option(
            metavar="JSON",
            help="All arguments of the environment at once; --env-arg and --wrapper replace theirs.",
            show_default=False,
        ),
    ] = None,
    code: EvaluationCodeOption = None,
    threshold: Annotated[
        float | None, typer.Option(help="The mean from which on a policy passes.", show_default=False)
    ] = None,
    judged_by: Annotated[
        str, typer.Option(metavar="NUMBER", help="`return`, or a number of the code.")
    ] = "return",
    passes: Annotated[
        Literal["at_least", "at_most"], typer.Option(help="Side of the threshold.")
    ] = "at_least",
    description: Annotated[
        str, typer.Option("--description", "-d", help="What it is for.", show_default=False)
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Save a protocol; other contents under a known name are a new version."""
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.workbench.code_kinds import CodeKind

    wanted: dict[str, Any] = {
        "name": name,
        "base_seed": base_seed,
        "deterministic": not stochastic,
        "env_id": env,
        "env_kwargs": {**_read_json(env_kwargs), **environment_arguments(env_arg, wrapper)},
        "threshold": threshold,
        "judged_by": judged_by,
        "passes": passes,
        "description": description,
        **({"episodes": episodes} if episodes is not None else {}),
        **({"seeds": seed} if seed else {}),
    }
    with open_lab() as client:
        wanted["code"] = find_saved(client, CodeKind.evaluation, code, quiet=as_json)
        saved = client.post("/api/protocols", wanted)
    if as_json:
        print_json(saved)
    else:
        print(f"Saved {_title(saved)}. Use it: rl-lab evaluate RUN --protocol {saved['name']}")


@group.command()
def delete(name: NameArgument, as_json: AsJson = False) -> None:
    """Delete a protocol with all versions; scores that cite it stay as they are."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        gone = client.delete(f"/api/protocols/{quote(name, safe='')}")
    if as_json:
        print_json(gone)
    else:
        print(f"Deleted {gone['name']} with {plural(len(gone['versions']), 'version')}.")


group.command("add", hidden=True)(save)


def _title(one: dict[str, Any]) -> str:
    return str(one["name"]) if one["is_built_in"] else f"{one['name']}@v{one['version']}"


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    return (
        _title(one),
        str(one["episodes"]),
        "given" if one["seeds"] else f"from {one['base_seed']}",
        "best" if one["deterministic"] else "sampled",
        _code(one),
        _passes(one),
        one["env_id"] or "any",
        ago(one["created_at"]) if one["created_at"] else "part of the lab",
    )


def _facts(one: dict[str, Any]) -> list[tuple[str, str]]:
    seeds = ", ".join(map(str, one["seeds"])) if one["seeds"] else f"drawn from {one['base_seed']}"
    facts = [
        ("episodes", str(one["episodes"])),
        ("seeds", seeds),
        ("actions", "the best in each state" if one["deterministic"] else "sampled from the policy"),
        ("environment", one["env_id"] or "any"),
        ("its arguments", json.dumps(one["env_kwargs"]) if one["env_kwargs"] else "those of the run"),
        ("evaluation code", _code(one)),
        ("passes", _passes(one)),
        ("contents", one["sha256"][:SHORT_HASH]),
    ]
    return [*facts, ("about", one["description"])] if one["description"] else facts


def _code(one: dict[str, Any]) -> str:
    return f"{one['code']['name']}@v{one['code']['version']}" if one["code"] else "–"


def _passes(one: dict[str, Any]) -> str:
    if one["threshold"] is None:
        return "–"
    return f"{one['judged_by']} {'≥' if one['passes'] == 'at_least' else '≤'} {one['threshold']:g}"


def _read_json(written: str | None) -> dict[str, Any]:
    try:
        found = json.loads(written) if written else {}
    except ValueError as error:
        raise InvalidInput.of_field("env_kwargs", f"it is not JSON: {error}.") from None
    if not isinstance(found, dict):
        raise InvalidInput.of_field("env_kwargs", 'it must be a JSON object such as {"gravity": -8}.')
    return found
