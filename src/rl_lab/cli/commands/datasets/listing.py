"""`rl-lab datasets`: lists datasets; `rl-lab datasets show` describes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import quote

import typer

from rl_lab.cli.commands.datasets.jobs import VersionArgument, chosen
from rl_lab.cli.completion import complete_environment
from rl_lab.cli.output import AsJson, ago, bytes_text, number, print_json, print_table
from rl_lab.cli.terminal import print
from rl_lab.core.words.amounts import plural

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

group = typer.Typer(
    help="List datasets; its commands make, check, change, import and export them.",
    invoke_without_command=True,
)
Sorts = Literal["updated_at", "created_at", "name", "episodes", "transitions", "size", "env_id"]
SHORT_HASH = 12
MAX_PAGE = 200


def register(app: typer.Typer) -> None:
    app.add_typer(group, name="datasets")


@group.callback()
def datasets(
    context: typer.Context,
    *,
    env: Annotated[
        str | None,
        typer.Option(
            help="Only of this environment.", autocompletion=complete_environment, show_default=False
        ),
    ] = None,
    search: Annotated[
        str | None,
        typer.Option(
            "--search", "-q", help="Words of the name, note, environment or source.", show_default=False
        ),
    ] = None,
    sort: Annotated[Sorts, typer.Option(help="Order.")] = "updated_at",
    ascending: Annotated[bool, typer.Option("--ascending", help="Smallest or oldest first.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=MAX_PAGE, help="Maximum number of datasets.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List datasets."""
    from rl_lab.cli.connection import open_lab

    if context.invoked_subcommand is not None:
        return
    order = sort if ascending else f"-{sort}"
    with open_lab() as client:
        page = client.get("/api/datasets", env_id=env, q=search, sort=order, limit=limit)
    if as_json:
        print_json(page)
    elif page["items"]:
        _print_list(page["items"])
        if page["total"] > len(page["items"]):
            print(f"{len(page['items'])} of {page['total']:,}; --limit shows more.")
    else:
        print("No dataset. Make one: rl-lab datasets make NAME RUN")


@group.command()
def show(dataset: VersionArgument, as_json: AsJson = False) -> None:
    """Describe a dataset: its versions, and one version with its figures."""
    from rl_lab.cli.connection import open_lab

    choice = chosen(dataset)
    with open_lab() as client:
        found = client.get(address_of(choice["name"]))
        version = get_version(client, found, choice.get("version"))
        learners = _list_learners(client, version) if version and version["learned_by"] else []
    if as_json:
        print_json(version if "version" in choice else found)
        return
    print(f"{found['name']}{': ' + found['note'] if found['note'] else ''}")
    print_table(
        (
            "VERSION",
            "EPISODES",
            "STEPS",
            "SIZE",
            "INTEGRITY",
            "VERIFIED",
            "LEARNED BY",
            "SHA-256",
            "MADE",
            "",
        ),
        map(_row, found["versions"]),
    )
    if version is not None:
        _print_version(version)
    if learners:
        print(f"Learned from by: {', '.join(learners)}")


def _list_learners(client: LabClient, version: dict[str, Any]) -> list[str]:
    found = client.get("/api/runs", dataset=version["sha256"], limit=MAX_PAGE)["items"]
    return [f"{run['name']} ({run['id']})" for run in found]


def address_of(name: str) -> str:
    return f"/api/datasets/{quote(name, safe='')}"


def get_version(client: LabClient, dataset: dict[str, Any], version: int | None) -> dict[str, Any] | None:
    """The one named, which must exist, or the newest one."""
    if version is not None:
        found: dict[str, Any] = client.get(f"{address_of(dataset['name'])}/versions/{version}")
        return found
    return next(iter(dataset["versions"]), None)


def _print_list(items: list[dict[str, Any]]) -> None:
    rows = []
    for one in items:
        newest: dict[str, Any] = next(iter(one["versions"]), {})
        rows.append(
            (
                one["name"],
                f"v{newest['version']}" if newest else "—",
                newest.get("env_id", ""),
                number(newest.get("episodes"), 0),
                number(newest.get("transitions"), 0),
                bytes_text(newest.get("size", 0)),
                number((newest.get("statistics") or {}).get("return_mean")),
                newest.get("integrity", ""),
                ago(one["updated_at"]),
            )
        )
    titles = ("NAME", "NEWEST", "ENVIRONMENT", "EPISODES", "STEPS", "SIZE", "RETURN", "INTEGRITY", "CHANGED")
    print_table(titles, rows)


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    verified = (one["verification"] or {}).get("outcome", "")
    return (
        f"v{one['version']}",
        number(one["episodes"], 0),
        number(one["transitions"], 0),
        bytes_text(one["size"]),
        one["integrity"],
        verified,
        plural(one["learned_by"], "training") if one["learned_by"] else "",
        one["sha256"][:SHORT_HASH],
        ago(one["created_at"]),
        "pinned" if one["pinned"] else "",
    )


def _print_version(one: dict[str, Any]) -> None:
    figures = one["statistics"] or {}
    facts = {
        "Version": f"v{one['version']}, {one['sha256']}",
        "Environment": one["env_id"] or "not named",
        "Source": one["source"],
        "Licence": one["licence"],
        "Return": _between(figures, "return"),
        "Length": _between(figures, "length"),
        "Ends": _ends(figures),
        "States": _share(figures.get("state_coverage")),
        "Duplicates": plural(figures["duplicates"], "episode") if figures.get("duplicates") else "",
        "Not finite": ", ".join(
            f"{name}: {count:,}" for name, count in figures.get("not_finite", {}).items()
        ),
        "By a person": plural(figures["by_person"], "step") if figures.get("by_person") else "",
        "Files": one["integrity_message"],
        "Verification": (one["verification"] or {}).get("message", ""),
    }
    for title, words in facts.items():
        if words:
            print(f"{title}: {words}")
    for note in one["notes"]:
        print(note)


def _between(figures: dict[str, Any], name: str) -> str:
    if figures.get(f"{name}_mean") is None:
        return ""
    low, high = number(figures[f"{name}_min"]), number(figures[f"{name}_max"])
    return f"{number(figures[f'{name}_mean'])} on average, {low} to {high}"


def _ends(figures: dict[str, Any]) -> str:
    if not figures:
        return ""
    return f"{figures['terminated']:,} terminated, {figures['truncated']:,} truncated"


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.0%} of a grid over the observations visited"
