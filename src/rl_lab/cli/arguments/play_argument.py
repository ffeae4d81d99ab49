"""Names a play: its id, or its exact name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_lab.cli.arguments.run_argument import find_fitting
from rl_lab.core.words.typed_names import is_same_name

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


def find_play(client: LabClient, wanted: str) -> str | None:
    """The id of the newest play that is meant; None when something else is."""
    found = find_fitting(client, wanted, kind="play")
    return next(
        (str(run["id"]) for run in found if run["id"] == wanted or is_same_name(run["name"], wanted)), None
    )
