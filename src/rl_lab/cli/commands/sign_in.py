"""`rl-lab sign-in`: a new sign-in link of the running lab."""

from __future__ import annotations

import webbrowser
from typing import Annotated

import typer

from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.terminal import print


def register(app: typer.Typer) -> None:
    app.command(name="sign-in")(sign_in)


def sign_in(
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the link.")] = False,
    as_json: AsJson = False,
) -> None:
    """Sign a browser in: print a link of the running lab and open it. It works once, for 30 seconds."""
    from rl_lab.cli.commands.serve import SIGN_IN, has_display, new_ticket, sign_in_link
    from rl_lab.cli.connection import find_lab, is_served
    from rl_lab.core.errors import NotReady
    from rl_lab.home_folder import home_path

    client = find_lab(home_path()) if is_served() else None
    if client is None:
        raise NotReady(
            f"No lab is running in {home_path()}.",
            next_step="Start it with `rl-lab serve`; for another home folder add --home.",
        )
    link = sign_in_link(client.url, new_ticket(client))
    if as_json:
        print_json({"url": client.url, "sign_in": link})
        return
    print(f"{SIGN_IN}: {link}", flush=True)
    if not no_browser and has_display():
        webbrowser.open(link)
