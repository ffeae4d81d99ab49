"""`rl-lab views`: lists, saves and deletes views of the table of runs; `rl-lab runs --view NAME` uses one."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

import typer

from rl_lab.cli.output import AsJson, print_json, print_table
from rl_lab.cli.terminal import print


def register(app: typer.Typer) -> None:
    app.command()(views)


def views(
    *,
    save: Annotated[
        str | None, typer.Option(metavar="NAME", help="Save a view under this name.", show_default=False)
    ] = None,
    query: Annotated[
        str | None,
        typer.Option(
            "--query", "-q", help="What a saved view lists, as in `rl-lab runs QUERY`.", show_default=False
        ),
    ] = None,
    sort: Annotated[
        str | None, typer.Option(help="The order of a saved view, as in `rl-lab runs`.", show_default=False)
    ] = None,
    delete: Annotated[
        str | None, typer.Option(metavar="NAME", help="Delete this view.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the saved views of the table of runs, save one, or delete one."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = client.get("/api/views")
        if delete is not None:
            found = client.delete(f"/api/views/{quote(delete, safe='')}")
        if save is not None:
            search = {name: value for name, value in (("q", query), ("sort", sort)) if value}
            found = client.put(f"/api/views/{quote(save, safe='')}", {"search": search})
    if as_json:
        print_json(found)
        return
    print_table(("VIEW", "FILTER", "ORDER"), map(_row, found["items"]))
    if not found["items"]:
        print("There is no saved view. For example: rl-lab views --save best --query 'best>200'")


def _row(view: dict[str, Any]) -> tuple[str, ...]:
    search = view["search"]
    words = [search.get("q", ""), *(f"{name}:{search[name]}" for name in ("status", "tag") if name in search)]
    return view["name"], " ".join(word for word in words if word) or "–", search.get("sort", "–")
