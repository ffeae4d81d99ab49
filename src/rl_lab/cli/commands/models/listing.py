"""`rl-lab models`: lists named models or the checkpoints of all runs; its commands name, label and remove versions."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from rl_lab.cli.arguments.policy_argument import (
    PolicyArgument,
    address_of,
    find_model,
    find_policy_id,
    get_model,
    get_version,
)
from rl_lab.cli.arguments.run_argument import MAX_PAGE, find_run_id
from rl_lab.cli.completion import complete_environment, complete_model
from rl_lab.cli.output import AsJson, ago, bytes_text, number, print_json, print_table
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput
from rl_lab.core.words.amounts import plural

group = typer.Typer(
    help="List named models, or the checkpoints of all runs; its commands name, compare and inspect them.",
    invoke_without_command=True,
)
ModelArgument = Annotated[
    str,
    typer.Argument(
        metavar="MODEL[@LABEL|@vN]", help="A named model, or one version.", autocompletion=complete_model
    ),
]
Sorts = Literal["created_at", "score", "timestep", "size", "env_id", "algorithm"]
Roles = Literal["best", "interval", "stop", "final", "imported"]
PROTOCOLS = {"evaluate_every": "evaluation while training", "import": "as its source states"}
"""What a return was measured by, in the words of the page; the others are words already."""
SHORT_HASH = 12


def register(app: typer.Typer) -> None:
    app.add_typer(group, name="models")


@group.callback()
def models(
    context: typer.Context,
    *,
    checkpoints: Annotated[
        bool,
        typer.Option("--checkpoints", help="List the checkpoints of all runs instead of the named models."),
    ] = False,
    env: Annotated[
        str | None,
        typer.Option(
            help="Only of this environment.", autocompletion=complete_environment, show_default=False
        ),
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option("--algorithm", "-a", help="Only of this algorithm.", show_default=False)
    ] = None,
    runner: Annotated[
        str | None, typer.Option("--runner", "-r", help="Only of this runner.", show_default=False)
    ] = None,
    run: Annotated[str | None, typer.Option(help="Only of this run.", show_default=False)] = None,
    role: Annotated[
        Roles | None, typer.Option(help="Why it was saved, or that it is the best one.", show_default=False)
    ] = None,
    tag: Annotated[str | None, typer.Option(help="Only with this tag.", show_default=False)] = None,
    search: Annotated[
        str | None,
        typer.Option(
            "--search",
            "-q",
            help="Words of the run, note, tags or name; the start of a hash.",
            show_default=False,
        ),
    ] = None,
    min_score: Annotated[
        float | None, typer.Option(help="Only with at least this return.", show_default=False)
    ] = None,
    named: Annotated[
        bool | None,
        typer.Option("--named/--unnamed", help="Only with a name, or without.", show_default=False),
    ] = None,
    sort: Annotated[Sorts, typer.Option(help="Order.")] = "created_at",
    ascending: Annotated[bool, typer.Option("--ascending", help="Smallest or oldest first.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=MAX_PAGE, help="Maximum number of checkpoints.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List named models, or with --checkpoints (or a filter) the checkpoints of all runs."""
    from rl_lab.cli.connection import open_lab

    if context.invoked_subcommand is not None:
        return
    wanted: dict[str, Any] = {
        "env_id": env,
        "algorithm": algorithm,
        "runner": runner,
        "role": role,
        "tag": tag,
        "q": search,
        "min_score": min_score,
        "named": named,
    }
    with open_lab() as client:
        if not checkpoints and run is None and all(value is None for value in wanted.values()):
            _list_models(client.get("/api/models"), as_json)
            return
        wanted["run_id"] = None if run is None else find_run_id(client, run)
        order = "asc" if ascending else "desc"
        page = client.get("/api/checkpoints", **wanted, sort=sort, order=order, limit=limit)
    _list_checkpoints(page, as_json)


def _list_models(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    if not found["items"]:
        print("No checkpoint has a name yet. `rl-lab models add NAME RUN@best` names one;")
        print("`rl-lab models --checkpoints` lists the checkpoints of all runs.")
        return
    print_table(
        ("MODEL", "NEWEST", "LABELS", "ENVIRONMENT", "ALGORITHM", "STEPS", "RETURN", "CHANGED", "NOTE"),
        [_model_row(model) for model in found["items"]],
    )


def _model_row(model: dict[str, Any]) -> tuple[str, ...]:
    newest = model["versions"][0] if model["versions"] else None
    labels = [f"{label}=v{one['version']}" for one in model["versions"] for label in one["labels"]]
    if newest is None:
        return model["name"], "–", "", "", "", "", "", ago(model["updated_at"]), model["note"]
    return (
        model["name"],
        f"v{newest['version']}",
        ", ".join(labels),
        newest["env_id"],
        f"{newest['runner']} {newest['algorithm']}",
        number(newest["timestep"], 0),
        score_text(newest["score"]),
        ago(model["updated_at"]),
        model["note"],
    )


def _list_checkpoints(page: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(page)
        return
    if not page["items"]:
        print("No checkpoint fits. `rl-lab models --checkpoints` lists all of them.")
        return
    print_table(
        (
            "CHECKPOINT",
            "RUN",
            "ENVIRONMENT",
            "ALGORITHM",
            "STEPS",
            "ROLE",
            "RETURN",
            "SIZE",
            "NAMES",
            "CREATED",
        ),
        [
            (
                one["id"],
                one["run_name"],
                one["env_id"],
                f"{one['runner']} {one['algorithm']}",
                number(one["timestep"], 0),
                one["role"] or "",
                score_text(one["score"]),
                bytes_text(one["size"]),
                ", ".join(f"{name['name']} v{name['version']}" for name in one["models"]),
                ago(one["created_at"]),
            )
            for one in page["items"]
        ],
    )
    if page["total"] > len(page["items"]):
        print(f"{len(page['items'])} of {page['total']:,} checkpoints; --limit shows more.")


def score_text(score: dict[str, Any] | None) -> str:
    """The mean, and how it was measured."""
    if score is None:
        return "–"
    episodes = f", {plural(score['episodes'], 'episode')}" if score.get("episodes") else ""
    return f"{number(score['mean'])} ({PROTOCOLS.get(score['protocol'], score['protocol'])}{episodes})"


@group.command()
def show(model: ModelArgument, as_json: AsJson = False) -> None:
    """Show a model and its versions."""
    from rl_lab.cli.connection import open_lab

    name, at = _split(model)
    with open_lab() as client:
        found = get_model(client, name)
        versions = [get_version(client, name, at)] if at else found["versions"]
    if as_json:
        print_json({**found, "versions": versions})
    else:
        _print_model(found, versions)


@group.command()
def add(
    *,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of the model.", autocompletion=complete_model)
    ],
    policy: PolicyArgument,
    label: Annotated[
        list[str] | None,
        typer.Option(
            "--label", "-l", help="Label of this version, taken from others; repeatable.", show_default=False
        ),
    ] = None,
    note: Annotated[str, typer.Option(help="Note about this version.", show_default=False)] = "",
    as_json: AsJson = False,
) -> None:
    """Name a checkpoint: a new model, or the next version of one; the lab keeps a copy of the file."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        checkpoint = find_policy_id(client, policy)
        wanted = {"checkpoint": checkpoint, "labels": label or [], "note": note}
        known = find_model(client, name)
        if known is None:
            model = client.post("/api/models", {"name": name, **wanted})
        else:
            model = client.post(f"{address_of(known['name'])}/versions", wanted)
    if as_json:
        print_json(model)
    else:
        _print_model(model, model["versions"][:1])


@group.command()
def label(
    *,
    model: ModelArgument,
    labels: Annotated[list[str], typer.Argument(metavar="LABEL…", help="production, candidate, …")],
    remove: Annotated[bool, typer.Option("--remove", help="Take these labels away.")] = False,
    as_json: AsJson = False,
) -> None:
    """Give a version labels, which other versions of the model lose; or take them away."""
    from rl_lab.cli.connection import open_lab

    name, at = _split(model)
    with open_lab() as client:
        version = get_version(client, name, at)
        if remove:
            _require_labels(version, labels)
        kept = [one for one in version["labels"] if one not in labels]
        wanted = kept if remove else [*kept, *labels]
        address = f"{address_of(version['model'])}/versions/{version['version']}"
        changed = client.patch(address, {"labels": wanted})
    if as_json:
        print_json(changed)
    else:
        _print_model(changed, changed["versions"])


def _require_labels(version: dict[str, Any], labels: list[str]) -> None:
    for missing in (one for one in labels if one not in version["labels"]):
        raise InvalidInput.of_field(
            "label",
            f"{version['model']}@v{version['version']} has no label “{missing}”.",
            version["labels"] or "none: it has no labels",
        )


@group.command()
def rename(
    model: ModelArgument,
    new_name: Annotated[str, typer.Argument(metavar="NEW_NAME", help="The new name.")],
    as_json: AsJson = False,
) -> None:
    """Rename a model."""
    from rl_lab.cli.connection import open_lab

    wanted, at = _split(model)
    if at is not None:
        raise InvalidInput(
            f"“{model}” is one version; a model is renamed with all of its versions.",
            next_step=f"rl-lab models rename {wanted} {new_name}",
        )
    with open_lab() as client:
        name = get_model(client, wanted)["name"]
        changed = client.patch(address_of(name), {"name": new_name})
    if as_json:
        print_json(changed)
    else:
        print(f"{name} is now called {changed['name']}.")


@group.command()
def remove(
    model: ModelArgument,
    *,
    all_versions: Annotated[
        bool, typer.Option("--all", help="The model with all its versions and their copies.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Remove a version and its copy, or a whole model; checkpoints of runs stay."""
    from rl_lab.cli.connection import open_lab

    name, at = _split(model)
    with open_lab() as client:
        found = get_model(client, name)
        if at is None and not all_versions and len(found["versions"]) > 1:
            raise InvalidInput.of_field(
                "model",
                f"“{found['name']}” has {len(found['versions'])} versions; name one, or remove all with --all.",
                [f"{name}@v{one['version']}" for one in found["versions"]],
            )
        if at is None:
            left = client.delete(address_of(found["name"]))
            words = f"Removed {found['name']}."
        else:
            version = get_version(client, name, at)["version"]
            left = client.delete(f"{address_of(found['name'])}/versions/{version}")
            words = f"Removed {found['name']} v{version}."
    if as_json:
        print_json(left)
    else:
        print(words)


def _split(text: str) -> tuple[str, str | None]:
    name, _, at = text.partition("@")
    return name, at or None


def _print_model(model: dict[str, Any], versions: list[dict[str, Any]]) -> None:
    print(f"{model['name']}{': ' + model['note'] if model['note'] else ''}")
    print_table(
        (
            "VERSION",
            "LABELS",
            "RUN",
            "ENVIRONMENT",
            "ALGORITHM",
            "STEPS",
            "RETURN",
            "SHA-256",
            "ADDED",
            "NOTE",
        ),
        [
            (
                f"v{one['version']}",
                ", ".join(one["labels"]),
                f"{one['run_name']}{' (deleted)' if one['run_is_deleted'] else ''}",
                one["env_id"],
                f"{one['runner']} {one['algorithm']}",
                number(one["timestep"], 0),
                score_text(one["score"]),
                one["sha256"][:SHORT_HASH],
                ago(one["created_at"]),
                one["note"],
            )
            for one in versions
        ],
    )
