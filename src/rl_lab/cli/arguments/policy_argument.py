"""Names a trained policy: RUN, RUN@best, RUN@newest, RUN@STEP, or a named model: MODEL, MODEL@LABEL, MODEL@v3."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple
from urllib.parse import quote

import typer

from rl_lab.cli.arguments.checkpoint_argument import find_checkpoint, split_run
from rl_lab.cli.arguments.run_argument import find_fitting, find_run_id
from rl_lab.cli.completion import complete_policy
from rl_lab.core.errors import NotFound
from rl_lab.core.run_ids import is_run_id
from rl_lab.core.words.typed_names import is_same_name

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

PolicyArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN[@CHECKPOINT]|MODEL[@LABEL]",
        help="A run with best, newest, final, a step or a tag (default: best), or a named model with a label or "
        "version.",
        autocompletion=complete_policy,
    ),
]
VERSION = re.compile(r"[vV](\d{1,9})")


class ChosenPolicy(NamedTuple):
    """A run and one of its checkpoints; None: the lab chooses the best one."""

    run_id: str
    checkpoint: str | None


def find_policy(client: LabClient, wanted: str, checkpoint: str | None = None) -> ChosenPolicy:
    """A model of this name, or a run; `checkpoint` is what an option of the command names."""
    name, at = split_run(wanted)
    version = find_version(client, name, checkpoint or at)
    if version is not None:
        address = f"{address_of(version['model'])}/versions/{version['version']}/checkpoint"
        item = client.post(address)
        return ChosenPolicy(item["run_id"], item["id"])
    run_id = _find_training(client, name)
    return ChosenPolicy(run_id, find_checkpoint(client, run_id, checkpoint or at))


def _find_training(client: LabClient, name: str) -> str:
    try:
        return find_run_id(client, name, is_training=True)
    except NotFound as error:
        if name in ("latest", "best"):
            raise
        raise NotFound(
            f"No run and no model is called “{name}”.",
            next_step=f"`rl-lab models` lists the models. {error.next_step}",
        ) from None


def find_policy_id(client: LabClient, wanted: str) -> str:
    """The artifact id of the checkpoint: the best one of a run, or its newest where it keeps no best one."""
    run_id, checkpoint = find_policy(client, wanted)
    if checkpoint is not None:
        return checkpoint
    with suppress(NotFound):
        return str(find_checkpoint(client, run_id, "best"))
    return str(find_checkpoint(client, run_id, "newest"))


def find_version(client: LabClient, name: str, at: str | None) -> dict[str, Any] | None:
    """The version of a model that is named, with the model's name in `model`; None when a run is meant."""
    model = None if is_run_id(name) or name in ("latest", "best") else find_model(client, name)
    if model is None:
        return None
    chosen = next((one for one in model["versions"] if _is_called(one, at)), None)
    if chosen is None and not _is_run(client, name):
        raise no_version(model, at)
    return None if chosen is None else {**chosen, "model": model["name"]}


def find_model(client: LabClient, name: str) -> dict[str, Any] | None:
    """Compared as a person reads it: without case, and with spaces as one types them."""
    found = [one for one in client.get("/api/models")["items"] if is_same_name(one["name"], name)]
    return found[0] if found else None


def get_model(client: LabClient, name: str) -> dict[str, Any]:
    """The model; the lab's own error says which name is meant."""
    found = find_model(client, name)
    return client.get(address_of(name)) if found is None else found


def get_version(client: LabClient, name: str, at: str | None) -> dict[str, Any]:
    model = get_model(client, name)
    for version in model["versions"]:
        if _is_called(version, at):
            return {**version, "model": model["name"]}
    raise no_version(model, at)


def address_of(model: str) -> str:
    return f"/api/models/{quote(model, safe='')}"


def no_version(model: dict[str, Any], at: str | None) -> NotFound:
    there = [", ".join([f"v{one['version']}", *one["labels"]]) for one in model["versions"]]
    if not there:
        return NotFound(
            f"The model “{model['name']}” has no version.",
            next_step=f"`rl-lab models add '{model['name']}' RUN@best` adds one.",
        )
    return NotFound(
        f"The model “{model['name']}” has no version or label “{at}”.",
        next_step=f"It has: {'; '.join(there)}.",
    )


def _is_called(version: dict[str, Any], at: str | None) -> bool:
    """Without a label or number the newest version is meant, which is listed first."""
    if at is None or at in version["labels"]:
        return True
    number = VERSION.fullmatch(at)
    return number is not None and int(number[1]) == version["version"]


def _is_run(client: LabClient, name: str) -> bool:
    """Whether a run has exactly this name; one that only contains it is not meant where a model has it."""
    return any(is_same_name(run["name"], name) for run in find_fitting(client, name))
