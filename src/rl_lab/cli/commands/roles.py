"""`rl-lab roles`: lists the environments of a captured script, and changes which of them are the training."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rl_lab.cli.arguments.run_argument import RunArgument, find_run_id
from rl_lab.cli.output import AsJson, print_json, print_table
from rl_lab.cli.terminal import print

Numbers = Annotated[
    list[int] | None,
    typer.Option(
        "--training",
        metavar="NUMBER",
        help="This environment is the training; repeatable.",
        show_default=False,
    ),
]
EvaluationNumbers = Annotated[
    list[int] | None,
    typer.Option(
        "--evaluation",
        metavar="NUMBER",
        help="This environment is evaluation; repeatable.",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    app.command()(roles)


def roles(
    run: RunArgument,
    *,
    training: Numbers = None,
    evaluation: EvaluationNumbers = None,
    as_json: AsJson = False,
) -> None:
    """List or change which environments of a captured script are the training; curves and figures follow."""
    from rl_lab.cli.connection import open_lab

    # Training first: a run always has a training environment.
    chosen = [(number, "training") for number in training or ()]
    chosen += [(number, "evaluation") for number in evaluation or ()]
    with open_lab() as client:
        run_id = find_run_id(client, run)
        found = client.get(f"/api/runs/{run_id}/environments")
        for number, role in chosen:
            found = client.put(f"/api/runs/{run_id}/environments/{number}", {"role": role})
    if as_json:
        print_json(found)
    elif not found["items"]:
        print("This run has no environments of a script: only captured scripts have roles.")
    else:
        print_table(("NUMBER", "ENVIRONMENT", "ROLE", "EPISODES", "STEPS", "WHY"), map(_row, found["items"]))


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    count = f" × {one['count']}" if one["count"] > 1 else ""
    return (
        str(one["number"]),
        f"{one['env_id'] or '–'}{count}",
        one["role"],
        f"{one['episodes']:,}",
        f"{one['steps']:,}",
        one["why"],
    )
