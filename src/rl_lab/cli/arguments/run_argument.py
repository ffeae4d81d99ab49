"""The RUN argument of many commands: an id, its first characters, a name, `latest` or `best`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.completion import complete_run
from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.run_ids import is_run_id
from rl_lab.core.words.typed_names import as_word

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

MAX_PAGE = 200
MAX_LISTED = 5
RunArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="Run id or its first characters, name, `latest` or `best`.",
        autocompletion=complete_run,
    ),
]


def find_run_id(client: LabClient, wanted: str, *, is_training: bool = False) -> str:
    """The id of the run that the user named; several that fit are listed in the error.

    `is_training`: evaluations and other jobs, whose names contain that of their training, are not meant.
    """
    if not wanted.strip():
        raise InvalidInput(
            "No run is named.", next_step="Give an id, a name or `latest`; `rl-lab runs` lists the runs."
        )
    if wanted == "latest":
        return str(_newest(client)["id"])
    if wanted == "best":
        return _best_id(client)
    if is_run_id(wanted):
        return wanted
    found = find_fitting(client, wanted, "train" if is_training else "all")
    if len(found) == 1:
        return str(found[0]["id"])
    if not found:
        raise NotFound(
            f"No run has an id or a name like “{wanted}”.",
            next_step="`rl-lab runs` lists the runs. One that was deleted is brought back with `rl-lab restore ID`.",
        )
    shown = [f"{run['id']} ({run['name']})" for run in found[:MAX_LISTED]]
    raise InvalidInput.of_field("run", f"“{wanted}” fits {len(found)} runs.", shown)


def _newest(client: LabClient) -> dict[str, Any]:
    found = client.get("/api/runs", limit=1)["items"]
    if not found:
        raise NotFound("There is no run yet.", next_step="rl-lab train CartPole-v1")
    newest: dict[str, Any] = found[0]
    return newest


def _best_id(client: LabClient) -> str:
    """The training with the highest mean reward in the environment of the newest one: others do not compare."""
    newest = _newest(client)
    env_id = newest["config"].get("env_id") or None
    ranked = client.get("/api/runs", env_id=env_id, sort="-mean_reward", limit=1)["items"]
    if not ranked or ranked[0]["summary"]["mean_reward"] is None:
        raise NotFound("No run has a mean reward yet.", next_step="`rl-lab runs` shows how far the runs are.")
    return str(ranked[0]["id"])


def find_fitting(client: LabClient, wanted: str, kind: str = "all") -> list[Any]:
    """Runs whose id starts with the text; otherwise those with this name; otherwise those whose name contains it."""
    text = wanted.casefold()
    found = _search(client, wanted, kind) or [
        run for run in _search(client, None, kind) if as_word(run["name"]).casefold() == text
    ]
    for fits in (
        lambda run: run["id"].startswith(wanted),
        lambda run: run["name"].casefold() == text,
        lambda run: text in run["name"].casefold(),
        lambda run: as_word(run["name"]).casefold() == text,
    ):
        if chosen := [run for run in found if fits(run)]:
            # An evaluation is called “Evaluation of lander”: who writes “land” means the training.
            return [run for run in chosen if run["kind"] == "train"] or chosen
    return []


def _search(client: LabClient, text: str | None, kind: str) -> list[Any]:
    found: list[Any] = []
    for archived in (False, True):
        found += client.get("/api/runs", q=text, kind=kind, limit=MAX_PAGE, archived=archived)["items"]
    return found
