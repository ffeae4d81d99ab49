"""`rl-lab queue`: what runs, what waits, and why; its order, its slots, and its pause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rl_lab.cli.completion import complete_run
from rl_lab.cli.output import AsJson, print_json, print_table
from rl_lab.cli.terminal import print
from rl_lab.core.bounds import MAX_PRIORITY, MAX_SLOTS
from rl_lab.core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

Action = Literal["next", "move", "priority", "pause", "resume"]
USES = {
    "next": "rl-lab queue next RUN",
    "move": "rl-lab queue move RUN --before RUN, or --to PLACE",
    "priority": "rl-lab queue priority RUN NUMBER",
    "pause": "rl-lab queue pause",
    "resume": "rl-lab queue resume",
}


def register(app: typer.Typer) -> None:
    # A negative priority is not an option.
    app.command(context_settings={"ignore_unknown_options": True})(queue)


def queue(
    action: Annotated[
        Action | None,
        typer.Argument(
            help="`next` starts a run before all others, `move` puts it elsewhere, `priority` changes its priority; "
            "`pause` and `resume` are about the whole queue.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="[RUN|STUDY]",
            help="A waiting run, or a study: all its waiting runs.",
            show_default=False,
            autocompletion=complete_run,
        ),
    ] = None,
    number: Annotated[
        str | None,
        typer.Argument(
            metavar="[NUMBER]",
            help=f"With `priority`: from {-MAX_PRIORITY} to {MAX_PRIORITY}; higher ones start first.",
            show_default=False,
        ),
    ] = None,
    *,
    before: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="With `move`: the waiting run that follows.", show_default=False),
    ] = None,
    to: Annotated[
        int | None,
        typer.Option(metavar="PLACE", help="With `move`: the new place; 1 starts next.", show_default=False),
    ] = None,
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
    """Show the running and the waiting runs, with their place and what they wait for; or change order, slots, pause."""
    from rl_lab.cli.connection import open_lab

    wanted: dict[str, Any] = {"training_slots": None, "job_slots": None} if reset else {}
    given = {"training_slots": slots, "job_slots": job_slots}
    wanted |= {name: value for name, value in given.items() if value is not None}
    _check_use(action, target, number, before=before, to=to)
    with open_lab() as client:
        found = client.put("/api/queue/slots", wanted) if wanted else client.get("/api/queue")
        if action is not None:
            found = _act(client, action, target, number=number, before=before, to=to)
    if as_json:
        print_json(found)
    else:
        _print_queue(found)


def _check_use(
    action: Action | None, target: str | None, number: str | None, *, before: str | None, to: int | None
) -> None:
    """InvalidInput with the right use when something is missing or too much."""
    is_whole = action in (None, "pause", "resume")
    fits = (
        (target is None) == is_whole
        and (number is not None) == (action == "priority")
        and ((before is not None) + (to is not None)) == (1 if action == "move" else 0)
    )
    if not fits:
        use = USES.get(action or "", "; ".join(f"`{use}`" for use in USES.values()))
        raise InvalidInput("These arguments do not belong together.", next_step=f"Use {use}.")


def _act(
    client: LabClient,
    action: Action,
    target: str | None,
    *,
    number: str | None,
    before: str | None,
    to: int | None,
) -> Any:
    if target is None:
        return client.put("/api/queue/pause", {"paused": action == "pause"})
    about = _find_target(client, target)
    if action == "priority":
        return client.put("/api/queue/priority", {**about, "priority": _priority(number or "")})
    place: dict[str, Any] = {"to": 1 if action == "next" else to}
    if before is not None:
        from rl_lab.cli.arguments.run_argument import find_run_id

        place = {"before": find_run_id(client, before)}
    return client.post("/api/queue/moves", {**about, **place})


def _find_target(client: LabClient, wanted: str) -> dict[str, str]:
    """A study that has runs in the queue is named by its id; everything else is a run."""
    from rl_lab.cli.arguments.run_argument import find_run_id

    waiting = client.get("/api/queue")["waiting"]
    if any(entry["study_id"] == wanted for entry in waiting):
        return {"study_id": wanted}
    try:
        return {"run_id": find_run_id(client, wanted)}
    except NotFound as error:
        raise NotFound(
            f"Neither a run nor a study that waits is called “{wanted}”.",
            next_step="`rl-lab queue` lists the waiting runs.",
        ) from error


def _priority(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        message = f"“{text}” is not a whole number from {-MAX_PRIORITY} to {MAX_PRIORITY}"
        raise InvalidInput.of_field("priority", message) from None


def _print_queue(found: dict[str, Any]) -> None:
    running = [_row(run, "running", "") for run in found["running"]]
    waiting = [_row(run, str(run["place"]), run["reason"]) for run in found["waiting"]]
    slots = f"{found['training_slots']} for trainings, {found['job_slots']} for evaluations and other jobs"
    print(f"{len(running)} running, {len(waiting)} waiting. Slots: {slots}.")
    if found["paused"]:
        print("The queue is paused: no run starts. `rl-lab queue resume` resumes it.")
    if running or waiting:
        print_table(("RUN", "NAME", "KIND", "PLACE", "PRIORITY", "WHY"), [*running, *waiting])


def _row(run: dict[str, Any], place: str, reason: str) -> tuple[str, ...]:
    return (run["run_id"], run["name"], run["kind"], place, str(run["priority"]), reason)
