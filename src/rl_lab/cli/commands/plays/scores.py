"""`rl-lab scores`: the best episodes of an environment."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

import typer

from rl_lab.cli.output import AsJson, ago, number, print_json, print_table
from rl_lab.cli.terminal import print

PLAYERS = {"person": "person", "hybrid": "person and policy", "policy": "policy"}


def register(app: typer.Typer) -> None:
    app.command()(scores)


def scores(
    env: Annotated[str, typer.Argument(metavar="ENV", help="The environment.")],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="How many at most.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the highest returns in an environment, by people and by policies."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = client.get(f"/api/environments/{quote(env)}/scores", limit=limit)
    if as_json:
        print_json(found)
        return
    if not found["scores"]:
        print(
            f"Nobody has finished an episode of {found['env_id']} yet. `rl-lab play {found['env_id']}` begins one."
        )
        return
    print_table(
        ("", "RETURN", "STEPS", "PLAYER", "SEED", "EPISODE", "RUN", "WHEN"),
        [_row(place, score) for place, score in enumerate(found["scores"], 1)],
    )
    if found["threshold"] is not None:
        print(f"Solved at a mean return of {number(found['threshold'])}.")


def _row(place: int, score: dict[str, Any]) -> tuple[str, ...]:
    known = ("" if score[name] is None else str(score[name]) for name in ("seed", "episode"))
    return (
        str(place),
        number(score["return"]),
        "" if score["length"] is None else f"{score['length']:,}",
        PLAYERS[score["player"]],
        *known,
        f"{score['run_id']} ({score['label']})",
        ago(score["at"]),
    )
