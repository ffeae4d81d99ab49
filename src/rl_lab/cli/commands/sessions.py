"""`rl-lab sessions`: the signed-in browsers, and signing them out."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from rl_lab.cli.output import AsJson, ago, print_json, print_table
from rl_lab.cli.terminal import print


def register(app: typer.Typer) -> None:
    app.command()(sessions)


def sessions(
    action: Annotated[
        Literal["end"] | None, typer.Argument(help="Sign browsers out.", show_default=False)
    ] = None,
    session_id: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="The browser to sign out, from `rl-lab sessions`."),
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="With `end`: sign out every browser.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the signed-in browsers; `sessions end ID` or `sessions end --all` signs them out at once."""
    from rl_lab.cli.connection import open_lab

    _check_use(action, session_id, everything)
    with open_lab() as client:
        if action is None:
            found = client.get("/api/sessions")
        elif everything:
            found = client.delete("/api/sessions")
        else:
            found = [client.delete(f"/api/sessions/{session_id}")]
    if as_json:
        print_json(found)
    elif action is None:
        _print_sessions(found)
    else:
        _print_ended(found)


def _check_use(action: str | None, session_id: str | None, everything: bool) -> None:
    from rl_lab.core.errors import InvalidInput

    if action is None and everything:
        raise InvalidInput("--all belongs to `end`.", next_step="Use `rl-lab sessions end --all`.")
    if action is not None and (session_id is None) != everything:
        raise InvalidInput(
            "Name one browser by its ID, or add --all.", next_step="`rl-lab sessions` lists the IDs."
        )


def _print_sessions(found: list[dict[str, Any]]) -> None:
    if not found:
        print("No browser is signed in. `rl-lab sign-in` signs one in.")
        return
    rows = [
        (
            session["id"],
            _name(session),
            session["address"],
            ago(session["created_at"]),
            ago(session["last_seen_at"]),
            session["ends_at"][:10],
        )
        for session in found
    ]
    print_table(("ID", "BROWSER", "ADDRESS", "SINCE", "LAST SEEN", "ENDS"), rows)


def _print_ended(found: list[dict[str, Any]]) -> None:
    for session in found:
        print(f"Signed out: {_name(session)} ({session['id']}).")
    if not found:
        print("No browser was signed in.")


def _name(session: dict[str, Any]) -> str:
    return f"{session['browser']} on {session['system']}" if session["system"] else session["browser"]
