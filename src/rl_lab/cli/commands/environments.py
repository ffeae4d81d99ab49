"""`rl-lab envs`: what can be learned."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rl_lab.cli.output import AsJson, number, print_json, print_table


def register(app: typer.Typer) -> None:
    app.command()(envs)


def envs(
    search: Annotated[str | None, typer.Argument(help="Part of an id, name or family.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the environments this machine can make."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = [env for env in client.get("/api/environments") if _fits(env, search)]
    if as_json:
        print_json(found)
        return
    print_table(
        ("ENVIRONMENT", "FAMILY", "ACTIONS", "OBSERVATIONS", "SOLVED AT", "NOTE"),
        [
            (e["id"], e["family"], e["action_space"], e["obs_space"], number(e["reward_threshold"]), _note(e))
            for e in found
        ],
    )


def _fits(env: dict[str, Any], search: str | None) -> bool:
    words = f"{env['id']} {env['name']} {env['family']}".casefold()
    return search is None or search.casefold() in words


def _note(env: dict[str, Any]) -> str:
    return f"{env['problem']} {env['remedy'] or ''}".strip() if env["problem"] else ""
