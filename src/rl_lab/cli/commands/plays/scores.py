"""`rl-lab scores`: the best episodes of an environment."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

import typer

from rl_lab.cli.output import AsJson, ago, number, print_json, print_table
from rl_lab.cli.terminal import print
from rl_lab.core.plays.players import Player

PLAYERS = {"person": "PERSON", "hybrid": "PERSON AND POLICY", "policy": "POLICY"}


def register(app: typer.Typer) -> None:
    app.command()(scores)


def scores(
    env: Annotated[str, typer.Argument(metavar="ENV", help="The environment.")],
    player: Annotated[
        Player | None,
        typer.Option(help="Only people, people and policies in turn, or policies.", show_default=False),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=100, help="How many of each kind of player at most.")
    ] = 20,
    as_json: AsJson = False,
) -> None:
    """List the highest returns in an environment: by people, by people and policies in turn, and by policies."""
    from rl_lab.cli.connection import open_lab

    asked = {"limit": limit, **({"player": player} if player else {})}
    with open_lab() as client:
        found = client.get(f"/api/environments/{quote(env)}/scores", **asked)
    if as_json:
        print_json(found)
        return
    _print(found)


def _print(found: dict[str, Any]) -> None:
    tables = [(PLAYERS[group["player"]], group["scores"]) for group in found["groups"]]
    tables.append(("WITH OTHER ARGUMENTS", found["changed"]))
    shown = [(title, scores) for title, scores in tables if scores]
    if not shown:
        print(
            f"There is no such score in {found['env_id']} yet. `rl-lab play {found['env_id']}` starts a play."
        )
        return
    for title, scores in shown:
        print_table(
            ("", "RETURN", "STEPS", "SEED", "EPISODE", title, "WHEN"), [_row(score) for score in scores]
        )
        print()
    print("Each play and each training counts once; of equal returns the earlier one is first.")
    if found["returns_note"]:
        print(found["returns_note"])
    if found["threshold"] is not None:
        print(f"Solved at a mean return of {number(found['threshold'])}.")


def _row(score: dict[str, Any]) -> tuple[str, ...]:
    known = ("" if score[name] is None else str(score[name]) for name in ("seed", "episode"))
    who = f"{PLAYERS[score['player']].lower()}, {score['arguments']}: " if score["arguments"] else ""
    return (
        str(score["rank"]),
        number(score["return"]),
        "" if score["length"] is None else f"{score['length']:,}",
        *known,
        f"{who}{score['run_id']} ({', '.join(filter(None, (score['label'], score['cited'])))})",
        ago(score["at"]),
    )
