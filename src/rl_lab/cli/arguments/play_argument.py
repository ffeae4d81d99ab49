"""Names a play: its id or the first characters of it, or its exact name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_lab.cli.arguments.run_argument import MAX_LISTED, find_fitting
from rl_lab.core.errors import InvalidInput
from rl_lab.core.words.typed_names import is_same_name

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


def find_play(client: LabClient, wanted: str) -> str | None:
    """The id of the newest play that is meant; None when something else is."""
    found = find_fitting(client, wanted, kind="play")
    for run in found:
        if run["id"] == wanted or is_same_name(run["name"], wanted):
            return str(run["id"])
    return _find_by_start(client, wanted) if any(run["id"].startswith(wanted) for run in found) else None


def _find_by_start(client: LabClient, wanted: str) -> str | None:
    """None where a training is meant: its id starts like this too, or it is called so."""
    trainings = find_fitting(client, wanted, kind="train")
    if any(run["id"].startswith(wanted) or is_same_name(run["name"], wanted) for run in trainings):
        return None
    plays = [run for run in find_fitting(client, wanted, kind="play") if run["id"].startswith(wanted)]
    if len(plays) == 1:
        return str(plays[0]["id"])
    shown = [f"{run['id']} ({run['name']})" for run in plays[:MAX_LISTED]]
    raise InvalidInput.of_field("run", f"“{wanted}” fits {len(plays)} plays.", shown)
