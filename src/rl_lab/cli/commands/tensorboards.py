"""`rl-lab tensorboard`: runs TensorBoard for one or more runs until the command ends."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.run_argument import find_run_id
from rl_lab.cli.completion import complete_run
from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

FAILED = 1
LOOK_S = 0.2
KEEP_S = 20.0
"""Interval between the requests that keep TensorBoard running."""


def register(app: typer.Typer) -> None:
    app.command("tensorboard")(tensorboard)


def tensorboard(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN…", help="Runs: ids, names, `latest` or `best`.", autocompletion=complete_run
        ),
    ],
    as_json: AsJson = False,
) -> int:
    """Open runs in TensorBoard until Ctrl-C; active runs are shown live."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        run_ids = [find_run_id(client, run) for run in runs]
        board = _wait_until_started(client, run_ids)
        if board["state"] != "ready":
            return _print_failure(board)
        if as_json:
            print_json(board)
        else:
            print(f"TensorBoard: {board['url']}\nPress Ctrl-C to stop it.")
        sys.stdout.flush()
        return _keep_running(client, run_ids, board)


def _wait_until_started(client: LabClient, run_ids: list[str]) -> dict[str, Any]:
    board: dict[str, Any] = client.post("/api/tensorboards", {"run_ids": run_ids})
    while board["state"] == "starting":
        time.sleep(LOOK_S)
        board = client.get(f"/api/tensorboards/{board['id']}")
    return board


def _keep_running(client: LabClient, run_ids: list[str], board: dict[str, Any]) -> int:
    """Requests the same runs again from time to time, so that TensorBoard is not stopped as idle."""
    requested_at = time.monotonic()
    with noted_interrupts() as interrupts:
        while board["state"] == "ready" and not interrupts:
            time.sleep(LOOK_S)
            if time.monotonic() - requested_at > KEEP_S:
                requested_at = time.monotonic()
                client.post("/api/tensorboards", {"run_ids": run_ids})
            board = client.get(f"/api/tensorboards/{board['id']}")
        if interrupts:
            client.delete(f"/api/tensorboards/{board['id']}")
            return 0
    return _print_failure(board)


@contextmanager
def noted_interrupts() -> Iterator[list[int]]:
    """Ctrl-C is noted instead of raised: Python ignores exceptions in some places, and one raised there is lost."""
    noted: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)


def _print_failure(board: dict[str, Any]) -> int:
    print(f"Error: {board['message']}", file=sys.stderr)
    if board["next_step"]:
        print(f"Next: {board['next_step']}", file=sys.stderr)
    return FAILED
