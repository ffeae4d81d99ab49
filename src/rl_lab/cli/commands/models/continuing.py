"""`rl-lab continue`: trains an ended run longer, from its newest checkpoint."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from rl_lab.cli.arguments.run_argument import RunArgument, find_run_id
from rl_lab.cli.bell import Bell
from rl_lab.cli.output import AsJson
from rl_lab.cli.run_options import read_duration
from rl_lab.cli.terminal import print
from rl_lab.cli.trainings import see_training_through


def register(app: typer.Typer) -> None:
    app.command("continue")(continue_)


def continue_(
    run: RunArgument,
    *,
    timesteps: Annotated[
        int | None, typer.Option("--timesteps", "-n", min=1, help="Steps to add.", show_default=False)
    ] = None,
    seconds: Annotated[
        int | None,
        typer.Option(
            "--for",
            parser=read_duration,
            metavar="TIME",
            help="Training time to add: 30m, 2h30m, 90s.",
            show_default=False,
        ),
    ] = None,
    episodes: Annotated[
        int | None, typer.Option("--episodes", min=1, help="Episodes to add.", show_default=False)
    ] = None,
    inexact: Annotated[
        bool,
        typer.Option(
            "--inexact", help="Also where something cannot be restored, such as after an update of packages."
        ),
    ] = False,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Return when the training has ended; its evaluation continues.")
    ] = False,
    detach: Annotated[
        bool, typer.Option("--detach", "-d", help="Return once it is running; it continues.")
    ] = False,
    bell: Bell = None,
    as_json: AsJson = False,
) -> int:
    """Train an ended run longer: the same run, from its newest checkpoint, with a later end."""
    from rl_lab.cli.connection import open_lab

    longer = _asked({"more_timesteps": timesteps, "more_seconds": seconds, "more_episodes": episodes})
    with open_lab() as client:
        run_id = find_run_id(client, run, is_training=True)
        continued = client.post(f"/api/runs/{run_id}/continue", {**longer, "inexact": inexact})
        if not as_json:
            print(_what_happens(client.get(f"/api/runs/{run_id}/events", limit=20)), file=sys.stderr)
        return see_training_through(
            client, continued, no_wait=no_wait, detach=detach, bell=bell, as_json=as_json
        )


def _asked(given: dict[str, int | None]) -> dict[str, int]:
    from rl_lab.core.errors import InvalidInput

    found = {name: value for name, value in given.items() if value is not None}
    if len(found) != 1:
        message = "How much longer? Give one of --timesteps 100000, --for 30m and --episodes 500."
        raise InvalidInput.of_field("--timesteps", message)
    return found


def _what_happens(page: Any) -> str:
    """The line of the event log that says where it ends now, and what its schedules do."""
    lines = [one["message"] for one in page["items"] if one["type"] == "continued"]
    return str(lines[0]) if lines else ""
