"""Waits for values of a study that come after its runs have ended: those of evaluations and of derived metrics."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rl_lab.cli.job_progress import open_job_bar

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

LOOK_S = 0.25
FINAL = ("succeeded", "failed", "stopped", "lost")
STARTED_S = 10.0
"""Longest wait for the evaluation of a run that has ended."""
JUDGED_S = 10.0
"""Longest wait for the lab to judge its variants, once everything that it judges by is there."""


def wait_for_values(client: LabClient, study: dict[str, Any], *, quiet: bool) -> None:
    """A lab that was started for this command runs until then. Ctrl-C stops waiting."""
    from rl_lab.core.run_query import METRIC
    from rl_lab.core.studies.comparisons import is_of_evaluations

    measure = study["plan"]["measure"]
    try:
        if is_of_evaluations(measure):
            _wait_for_evaluations(client, study, quiet=quiet)
        elif not measure.startswith(METRIC):
            return
        _wait_until_judged(client, study)
    except KeyboardInterrupt:
        return


def _wait_for_evaluations(client: LabClient, study: dict[str, Any], *, quiet: bool) -> None:
    from rl_lab.cli.jobs import wait_for_job

    ended = [run_id for variant in _variants(client, study) for run_id in variant["run_ids"]]
    with open_job_bar("Evaluating", unit="runs", quiet=quiet) as advance:
        for place, run_id in enumerate(ended, 1):
            evaluation = _find_evaluation(client, run_id)
            if evaluation is not None and evaluation["status"] not in FINAL:
                wait_for_job(client, evaluation, "", quiet=True)
            advance(place, len(ended))


def _find_evaluation(client: LabClient, run_id: str) -> dict[str, Any] | None:
    """The newest one; None where none follows. It starts just after the end of the training."""
    if client.get(f"/api/runs/{run_id}")["status"] != "succeeded":
        return None
    deadline = time.monotonic() + STARTED_S
    while time.monotonic() < deadline:
        found: list[dict[str, Any]] = client.get("/api/runs", kind="evaluate", parent_id=run_id, limit=1)[
            "items"
        ]
        if found:
            return found[0]
        events = client.get(f"/api/runs/{run_id}/events", limit=50)["items"]
        if any(event["type"] == "follow_up_failed" for event in events):
            return None
        time.sleep(LOOK_S)
    return None


def _wait_until_judged(client: LabClient, study: dict[str, Any]) -> None:
    """A variant whose evaluations have failed never gets a value."""
    deadline = time.monotonic() + JUDGED_S
    while time.monotonic() < deadline and any(_is_open(variant) for variant in _variants(client, study)):
        time.sleep(LOOK_S)


def _is_open(variant: dict[str, Any]) -> bool:
    return variant["status"] == "finished" and variant["value"] is None


def _variants(client: LabClient, study: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"/api/studies/{study['id']}/variants")["items"]
    return found
