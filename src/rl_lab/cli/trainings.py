"""Follows a training that was created or continued: its estimate, its progress, its numbers and its evaluation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rl_lab.cli.commands.runs import print_run
from rl_lab.cli.estimates import estimated_time
from rl_lab.cli.follow import FAILED, exit_code, follow_run
from rl_lab.cli.jobs import wait_until_started
from rl_lab.cli.output import print_json
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


def see_training_through(
    client: LabClient,
    run: dict[str, Any] | None,
    *,
    no_wait: bool,
    detach: bool,
    bell: bool | None,
    as_json: bool,
) -> int:
    """Follows a new run as far as the user wants; None is a run that was not approved."""
    if run is None:
        print("Not run.", file=sys.stderr)
        return FAILED
    estimate = None if as_json else estimated_time(client, run["config"], run["progress"]["timestep"])
    if estimate is not None:
        print(estimate, file=sys.stderr)
    if detach:
        return _report(wait_until_started(client, run), as_json=as_json)
    return _follow(client, run, no_wait=no_wait, bell=bell, as_json=as_json)


def _follow(
    client: LabClient, run: dict[str, Any], *, no_wait: bool, bell: bool | None, as_json: bool
) -> int:
    """Shows the training until it has ended, then its evaluation."""
    from rl_lab.cli.commands.jobs.evaluations import evaluate_after_training, report

    interrupted = follow_run(client, run, quiet=as_json, bell=bell)
    run = client.get(f"/api/runs/{run['id']}")
    if not as_json:
        _report(run, as_json=False)
    evaluation = None
    is_evaluated = run["config"]["evaluate_after"] > 0 or run["config"]["evaluate_by"]
    if run["status"] == "succeeded" and is_evaluated:
        evaluation = evaluate_after_training(client, run, wait=not no_wait, quiet=as_json)
    if as_json:
        _report(run, as_json=True, evaluation=evaluation)
    elif evaluation is not None and not no_wait:
        report(evaluation, as_json=False)
    return exit_code(run["status"], interrupted)


def _report(run: dict[str, Any], *, as_json: bool, evaluation: dict[str, Any] | None = None) -> int:
    """Prints the run and its folder; the exit code."""
    from rl_lab.cli.connection import read_settings

    folder = str(read_settings().home_path / "runs" / run["id"])
    if as_json:
        print_json({**run, "folder": folder, "evaluation": evaluation})
    else:
        print_run(run, folder)
    return exit_code(run["status"], False)
