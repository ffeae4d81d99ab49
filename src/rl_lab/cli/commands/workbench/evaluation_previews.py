"""`rl-lab evaluation-codes preview`: evaluation code tried on recorded episodes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from rl_lab.cli.arguments.code_argument import get_version, is_file, read_code
from rl_lab.cli.arguments.run_argument import find_run_id
from rl_lab.cli.code_consent import post_approved
from rl_lab.cli.commands.workbench.codes import Yes, groups
from rl_lab.cli.completion import complete_code, complete_run
from rl_lab.cli.output import AsJson, interval, number, print_json, print_table
from rl_lab.cli.terminal import print

FAILED = 1


def register(_: typer.Typer) -> None:
    groups["evaluation"].command()(preview)


def preview(
    code: Annotated[
        str,
        typer.Argument(
            metavar="FILE|NAME[@vN]",
            help="A file, or saved evaluation code.",
            autocompletion=complete_code("evaluation-codes"),
        ),
    ],
    *,
    run: Annotated[
        str,
        typer.Option(
            metavar="RUN",
            help="An evaluation, a training or a play: its newest recorded episodes are used.",
            autocompletion=complete_run,
        ),
    ],
    limit: Annotated[int, typer.Option(min=1, max=100, help="Episodes at most.")] = 20,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Try evaluation code on recorded episodes, which are simulated again. Nothing is saved."""
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.workbench.code_kinds import CodeKind

    kind = CodeKind.evaluation
    with open_lab() as client:
        source = read_code(Path(code), kind) if is_file(code) else get_version(client, kind, code)["source"]
        asked = {"source": source, "run_id": find_run_id(client, run), "limit": limit}
        found = post_approved(
            lambda asked: client.post("/api/evaluation-codes/preview", asked), asked, yes=yes
        )
    if found is None:
        print("Not run.", file=sys.stderr)
        return FAILED
    if as_json:
        print_json(found)
    else:
        _print(found)
    return FAILED if found["problem"] else 0


def _print(found: dict[str, Any]) -> None:
    names = list(found["numbers"])
    titles = ("EPISODE", "SEED", "RETURN", "LENGTH", *names)
    print_table(titles, [_row(one, names) for one in found["episodes"]])
    for name, one in found["numbers"].items():
        ends = interval(one["ci"], one["ci_level"], digits=3)
        print(f"{name}: {one['mean']:.4g} ± {one['std']:.4g}, interval of the mean {ends}")
    for note in [*found["notes"], *([found["problem"]["message"]] if found["problem"] else [])]:
        print(f"! {note}")


def _row(one: dict[str, Any], names: list[str]) -> tuple[str, ...]:
    seed = "–" if one["seed"] is None else str(one["seed"])
    values = [f"{one['numbers'][name]:.4g}" if name in one["numbers"] else "–" for name in names]
    return (str(one["episode"]), seed, number(one["returned"]), str(one["length"]), *values)
