"""`rl-lab logs` and `rl-lab events`: the output of the worker, and the event log of the run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.run_argument import RunArgument, find_run_id
from rl_lab.cli.output import AsJson, clock, print_json
from rl_lab.cli.run_output import LOOK_S, OutputPrinter
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

Follow = Annotated[bool, typer.Option("--follow", "-f", help="Keep printing new lines until the run ends.")]
FINAL = {"succeeded", "failed", "stopped", "lost"}


def register(app: typer.Typer) -> None:
    app.command()(logs)
    app.command()(events)


def logs(
    run: RunArgument,
    follow: Follow = False,
    tail: Annotated[
        int, typer.Option("--tail", "-n", min=1, max=5000, help="Number of lines, from the end.")
    ] = 200,
    as_json: AsJson = False,
) -> None:
    """Print the output of the run's worker."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        run_id = find_run_id(client, run)
        if follow and not as_json:
            _follow_log(client, run_id, tail)
            return
        lines = client.get(f"/api/runs/{run_id}/log", tail=tail)["lines"]
    if as_json:
        print_json({"lines": lines})
        return
    for line in lines:
        print(line)


def _follow_log(client: LabClient, run_id: str, tail: int) -> None:
    output = OutputPrinter(client, run_id, first=tail)
    while client.get(f"/api/runs/{run_id}")["status"] not in FINAL:
        output.print_new()
        time.sleep(LOOK_S)
    output.print_new()


def events(
    run: RunArgument,
    follow: Follow = False,
    limit: Annotated[int, typer.Option(min=1, max=200, help="Maximum number of events.")] = 50,
    level: Annotated[
        list[str] | None,
        typer.Option(help="Only events of this level: debug, info, warning, error; repeatable."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the run's event log, oldest first."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        run_id = find_run_id(client, run)
        page = client.get(f"/api/runs/{run_id}/events", limit=limit, level=level)
        if as_json:
            print_json(page)
            return
        items = page["items"][::-1]
        for event in items:
            _print_event(event)
        if follow:
            _follow_events(client, run_id, items[-1]["id"] if items else 0)


def _follow_events(client: LabClient, run_id: str, last_id: int) -> None:
    address = f"/api/runs/{run_id}"
    if client.get(address)["status"] in FINAL:
        # The final event may have been written after we read the page.
        for event in client.get(f"{address}/events", after_id=last_id)["items"]:
            _print_event(event)
        return
    for _, event in client.stream(f"{address}/events", last_id=last_id):
        _print_event(event)
        if event["type"].removeprefix("run_") in FINAL:
            return


def _print_event(event: dict[str, Any]) -> None:
    mark = {"warning": "WARNING ", "error": "ERROR "}.get(event["level"], "")
    print(f"{clock(event['at'])}  {mark}{event['message']}", flush=True)
