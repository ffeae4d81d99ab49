"""`rl-lab queue`: what runs, what waits, and why; and how many may run at the same time."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rl_lab.cli.output import AsJson, print_json, print_table
from rl_lab.cli.terminal import print
from rl_lab.core.bounds import MAX_SLOTS


def register(app: typer.Typer) -> None:
    app.command()(queue)


def queue(
    *,
    slots: Annotated[
        int | None,
        typer.Option(
            min=1, max=MAX_SLOTS, help="Trainings at the same time, from now on.", show_default=False
        ),
    ] = None,
    job_slots: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MAX_SLOTS,
            help="Evaluations, forks, duels and films at the same time, from now on.",
            show_default=False,
        ),
    ] = None,
    reset: Annotated[
        bool, typer.Option("--reset", help="Reset both to the numbers from the settings first.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the running and the waiting runs, with their place and what they wait for; or change the slots."""
    from rl_lab.cli.connection import open_lab

    wanted: dict[str, Any] = {"training_slots": None, "job_slots": None} if reset else {}
    given = {"training_slots": slots, "job_slots": job_slots}
    wanted |= {name: value for name, value in given.items() if value is not None}
    with open_lab() as client:
        found = client.put("/api/queue/slots", wanted) if wanted else client.get("/api/queue")
    if as_json:
        print_json(found)
    else:
        _print_queue(found)


def _print_queue(found: dict[str, Any]) -> None:
    running = [(run["run_id"], run["name"], run["kind"], "running", "") for run in found["running"]]
    waiting = [
        (run["run_id"], run["name"], run["kind"], str(run["place"]), run["reason"])
        for run in found["waiting"]
    ]
    slots = f"{found['training_slots']} for trainings, {found['job_slots']} for evaluations and other jobs"
    print(f"{len(running)} running, {len(waiting)} waiting. Slots: {slots}.")
    if running or waiting:
        print_table(("RUN", "NAME", "KIND", "PLACE", "WHY"), [*running, *waiting])
