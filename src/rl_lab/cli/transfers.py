"""Waits for a push or a pull, with a bar; Ctrl-C cancels it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rl_lab.cli.job_progress import open_job_bar
from rl_lab.core.errors import NotReady

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

POLL_S = 0.3


def wait_for_transfer(
    client: LabClient, path: str, started: dict[str, Any], *, quiet: bool
) -> dict[str, Any]:
    """The transfer once it is done; raises with its own words when it failed."""
    address = f"{path}/{started['id']}"
    found = started
    try:
        with open_job_bar(
            f"{started['kind'].capitalize()}ing {started['repo']}", unit="bytes", quiet=quiet
        ) as advance:
            while found["ended_at"] is None:
                time.sleep(POLL_S)
                found = client.get(address)
                if found["total_bytes"]:
                    advance(found["done_bytes"], found["total_bytes"])
    except KeyboardInterrupt:
        client.delete(address)
        raise
    if found["state"] != "done":
        raise NotReady(found["message"], next_step=found["next_step"])
    return found
