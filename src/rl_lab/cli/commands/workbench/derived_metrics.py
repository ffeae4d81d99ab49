"""`rl-lab metrics`: lists, adds, changes and deletes derived metrics, and prints the values of any metric of a run."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

import typer

from rl_lab.cli.arguments.run_argument import RunArgument, find_run_id
from rl_lab.cli.output import AsJson, ago, print_json, print_table
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput, NotFound, nearest

group = typer.Typer(
    help="List derived metrics; its commands add, change, show and delete them.", invoke_without_command=True
)
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Name of the derived metric.")]
NoteOption = Annotated[str | None, typer.Option(help="What it is about.", show_default=False)]
ExpressionArgument = Annotated[
    str,
    typer.Argument(
        metavar="EXPRESSION",
        help='Metrics, numbers, + - * / % ** and functions: "return / length", "ema(loss, 0.9)".',
    ),
]


def register(app: typer.Typer) -> None:
    app.add_typer(group, name="metrics")


@group.callback()
def metrics(context: typer.Context, as_json: AsJson = False) -> None:
    """List derived metrics."""
    if context.invoked_subcommand is None:
        list_metrics(as_json=as_json)


@group.command("list")
def list_metrics(as_json: AsJson = False) -> None:
    """List derived metrics."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = client.get("/api/derived-metrics")
    if as_json:
        print_json(found)
    elif found:
        rows = [(one["name"], one["expression"], one["note"] or "–", ago(one["updated_at"])) for one in found]
        print_table(("METRIC", "EXPRESSION", "NOTE", "CHANGED"), rows)
    else:
        print('No derived metric. For example: rl-lab metrics add reward_per_step "return / length"')


@group.command()
def add(
    name: NameArgument, expression: ExpressionArgument, *, note: NoteOption = None, as_json: AsJson = False
) -> None:
    """Save an expression as a metric, which is then charted, exported and filtered by like every other one."""
    from rl_lab.cli.connection import open_lab

    body = {"name": name, "expression": expression, "note": note or ""}
    with open_lab() as client:
        saved = client.post("/api/derived-metrics", body)
    _report(saved, "is saved", as_json=as_json)


@group.command()
def change(
    name: NameArgument,
    expression: Annotated[
        str | None, typer.Argument(metavar="[EXPRESSION]", help="The new expression.", show_default=False)
    ] = None,
    *,
    note: NoteOption = None,
    as_json: AsJson = False,
) -> None:
    """Change the expression or the note of a derived metric."""
    from rl_lab.cli.connection import open_lab

    given = {"expression": expression, "note": note}
    fields = {key: value for key, value in given.items() if value is not None}
    if not fields:
        raise InvalidInput(
            "Nothing is changed.", next_step=f'rl-lab metrics change {name} "EXPRESSION", or --note TEXT'
        )
    with open_lab() as client:
        changed = client.patch(_address(name), fields)
    _report(changed, "is changed", as_json=as_json)


@group.command()
def delete(name: NameArgument, as_json: AsJson = False) -> None:
    """Delete a derived metric."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        removed = client.delete(_address(name))
    _report(removed, "is deleted", as_json=as_json)


@group.command()
def show(
    run: RunArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A metric of the run, derived or not.")],
    *,
    points: Annotated[int, typer.Option(min=3, max=20_000, help="How many points at most, peaks kept.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Print values of a metric of a run."""
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.workbench.expressions import ALIASES

    with open_lab() as client:
        run_id = find_run_id(client, run)
        found = client.get(f"/api/runs/{run_id}/metrics", points=points)["series"]
    series = found.get(name) or found.get(ALIASES.get(name, name))
    if series is None:
        raise _unknown(run, name, list(found))
    if as_json:
        print_json(series)
        return
    rows = zip(series["step"], series["value"], strict=True)
    print_table(("STEP", name), [(f"{step:,}", _number(value)) for step, value in rows])
    if series["total"] > len(series["step"]):
        print(f"{len(series['step'])} of {series['total']:,} points; --points shows more.")


group.command("save", hidden=True)(add)
group.command("edit", hidden=True)(change)


def _unknown(run: str, name: str, known: list[str]) -> NotFound:
    close = nearest(name, known, 1)
    hint = f" Did you mean {close[0]}?" if close else ""
    return NotFound(
        f"The run “{run}” has no metric “{name}”.{hint}",
        next_step=f"It has: {', '.join(known) or 'none yet'}.",
    )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.6g}"


def _address(name: str) -> str:
    return f"/api/derived-metrics/{quote(name, safe='')}"


def _report(metric: dict[str, Any], done: str, *, as_json: bool) -> None:
    if as_json:
        print_json(metric)
    else:
        print(f"The metric {metric['name']} = {metric['expression']} {done}.")
