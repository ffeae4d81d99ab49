"""`rl-lab docs`: the address of the docs inside the lab's page."""

from __future__ import annotations

import webbrowser
from typing import Annotated

import typer

from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.terminal import print


def register(app: typer.Typer) -> None:
    app.command()(docs)


def docs(
    page: Annotated[
        str | None,
        typer.Argument(help="A page, such as quickstart, glossary or howto/install.", show_default=False),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
    as_json: AsJson = False,
) -> None:
    """Open the docs in the lab's page, and print their address."""
    from rl_lab.cli.commands.serve import has_display, new_ticket, sign_in_link
    from rl_lab.cli.connection import find_lab
    from rl_lab.core.errors import NotReady
    from rl_lab.home_folder import home_path

    client = find_lab(home_path())
    if client is None:
        raise NotReady(
            "The docs are part of the lab's page, and the lab is not running.",
            next_step="Start it with `rl-lab serve`.",
        )
    address = f"{client.url}/docs{'/' + page.strip('/') if page else ''}"
    if as_json:
        print_json({"url": address})
        return
    print(address)
    if not no_browser and has_display():
        webbrowser.open(sign_in_link(address, new_ticket(client)))
