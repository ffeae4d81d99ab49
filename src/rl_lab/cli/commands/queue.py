"""`rl-lab queue`: what runs, what waits, and why."""

from __future__ import annotations

import typer

from rl_lab.cli.output import AsJson, print_json, print_table


def register(app: typer.Typer) -> None:
    app.command()(queue)


def queue(as_json: AsJson = False) -> None:
    """Show the running and the waiting runs, with their place and what they wait for."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = client.get("/api/queue")
    if as_json:
        print_json(found)
        return
    running = [(run["run_id"], run["name"], run["kind"], "running", "") for run in found["running"]]
    waiting = [
        (run["run_id"], run["name"], run["kind"], str(run["place"]), run["reason"])
        for run in found["waiting"]
    ]
    slots = f"{found['training_slots']} for trainings, {found['job_slots']} for evaluations and other jobs"
    print(f"{len(running)} running, {len(waiting)} waiting. Slots: {slots}.")
    if running or waiting:
        print_table(("RUN", "NAME", "KIND", "PLACE", "WHY"), [*running, *waiting])
