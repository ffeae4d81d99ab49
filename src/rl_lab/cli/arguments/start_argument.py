"""`--from RUN[@CHECKPOINT]`: a new training begins with the weights of a checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.policy_argument import find_policy
from rl_lab.cli.config_file import ENDS, replace_settings

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

FromOption = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="RUN[@CHECKPOINT]|MODEL[@LABEL]",
        help="Start with the weights of a run: RUN or RUN@best, RUN@newest, RUN@STEP. Without ENV, settings that are "
        "not given here are those of RUN; the seed is a new one.",
        show_default=False,
    ),
]
OWN = ("kind", "args", "seed", "start_from", "dataset", "prefill", "lengthened")
"""What a new run does not take over from the one it starts from."""


COUNTED = (*ENDS, "checkpoint_every", "evaluate_every")


def start_settings(client: LabClient, given: dict[str, Any], start: str) -> dict[str, Any]:
    """The settings of a training that starts with these weights.

    An environment that is named makes it a new training with the runner, algorithm and network of the weights.
    """
    point = find_start(client, start)
    config = client.get(f"/api/runs/{point['run_id']}/config")
    base = {name: value for name, value in config.items() if name not in OWN}
    if not base.get("total_timesteps"):  # an imported file that does not say how long it was trained
        base.pop("total_timesteps", None)
    same = {name: given[name] or base.get(name) for name in ("runner", "algorithm")}
    if config.get("dataset") and not config.get("prefill"):
        base, given = _as_learner(base, given, config["dataset"], is_same=same["runner"] == config["runner"])
    if given["env_id"] is not None:
        return {**given, **same, "start_from": point}
    if any(same[name] != base.get(name) for name in same):
        base = {name: value for name, value in base.items() if name not in ("params", "preset", "length")}
    return {**replace_settings(base, given), **same, "start_from": point}


def _as_learner(
    base: dict[str, Any], given: dict[str, Any], dataset: dict[str, Any], *, is_same: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings after a training from a dataset: the same learner reads the same one, another learner reads none.

    Then its steps are no updates, so nothing that counts updates is taken over.
    """
    if is_same:
        return base, {**given, "dataset": given.get("dataset") or dataset}
    return {name: value for name, value in base.items() if name not in COUNTED}, given


def find_start(client: LabClient, start: str) -> dict[str, Any]:
    return find_policy(client, start)._asdict()
