"""`rl-lab preview`: a smoke test of an environment before training."""

from __future__ import annotations

from typing import Annotated

import typer

from rl_lab.cli.completion import complete_environment
from rl_lab.cli.output import AsJson, print_json, print_table
from rl_lab.cli.terminal import print

FAILED = 1


def register(app: typer.Typer) -> None:
    app.command()(preview)


def preview(
    env: Annotated[
        str,
        typer.Argument(
            metavar="ENV", help="Environment, e.g. CartPole-v1.", autocompletion=complete_environment
        ),
    ],
    as_json: AsJson = False,
) -> int:
    """Check an environment: Gymnasium's API rules, finite numbers, determinism, speed, rendering."""
    from urllib.parse import quote

    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = client.post(f"/api/environments/{quote(env)}/smoke-test")
    if as_json:
        print_json(found)
    else:
        print(f"{found['env_id']} ({found['version']})")
        rows = [(f["check"], f["level"], f["message"]) for f in found["findings"]]
        print_table(("CHECK", "RESULT", "MESSAGE"), rows)
    return FAILED if any(f["level"] == "problem" for f in found["findings"]) else 0
