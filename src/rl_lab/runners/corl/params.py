"""A script's arguments as parameters of an algorithm. Those that describe the data may be left to the dataset."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pydantic import create_model

from rl_lab.core.runners import Params, param
from rl_lab.runners.captured_params import CapturedParams
from rl_lab.runners.corl.scripts import ENV, EPOCHS, SEED, UPDATES, CorlScript
from rl_lab.runners.script_text.arguments import REQUIRED, Argument
from rl_lab.runners.script_text.bounds import bounds_of

GIVEN_BY_THE_LAB = frozenset({*ENV, *SEED, *UPDATES, EPOCHS, "device", "checkpoints_path", "load_model"})
"""Dataset, seed, length and device of the run; where its models go; a file that a confined script cannot read."""
TRACKING = frozenset({"project", "group", "name"})
EVALUATION = frozenset(
    {
        "eval_freq",
        "eval_frequency",
        "eval_every",
        "n_episodes",
        "n_test_episodes",
        "eval_episodes",
        "eval_seed",
        "test_seed",
        "target_returns",
    }
)
FROM_DATASET = {
    "max_action": "the largest action of the dataset's space",
    "max_traj_len": "the longest episode of the dataset",
    "episode_len": "the longest episode of the dataset",
    "buffer_size": "as large as the dataset",
    "target_returns": "the best and the median return in the dataset",
}
"""What a script's default is for D4RL's tasks, and has to fit the data: left out, it does."""
FROM_LENGTH = frozenset({"eval_freq", "eval_frequency"})
"""Updates between two evaluations: the script's default is longer than a short run."""


class CorlParams(CapturedParams):
    """Parameters of every script in addition to its own."""

    save_models: bool = param(
        True,
        "Let the script save its networks with every evaluation, into the run's folder.",
        group="Evaluation",
        advanced=True,
    )


_RESERVED = frozenset({*dir(CorlParams), *CorlParams.model_fields})


@lru_cache(maxsize=256)
def params_of(script: CorlScript) -> type[Params]:
    """The model that the form, the command-line help and the validation are derived from."""
    fields: dict[str, Any] = {
        one.name: (one.type | None if is_left_open(one.name) else one.type, _field(one))
        for one in script.arguments
        if is_form_field(one)
    }
    return create_model(f"Corl{script.id.title().replace('_', '')}Params", __base__=CorlParams, **fields)


def is_form_field(argument: Argument) -> bool:
    name = argument.name
    return not (name in GIVEN_BY_THE_LAB or name.startswith(("_", "model_")) or name in _RESERVED)


def is_left_open(name: str) -> bool:
    """Whether the lab chooses a value when the user names none."""
    return name in FROM_DATASET or name in FROM_LENGTH


def _field(argument: Argument) -> Any:
    bounds = bounds_of(argument)
    return param(
        _default(argument),
        _description(argument),
        group=_group(argument.name),
        advanced=argument.name in TRACKING,
        scale=bounds.scale,
        ge=bounds.ge,
        gt=bounds.gt,
        le=bounds.le,
    )


def _default(argument: Argument) -> Any:
    if is_left_open(argument.name):
        return None
    return ... if argument.default is REQUIRED else argument.default


def _description(argument: Argument) -> str:
    words = (argument.description or argument.name.replace("_", " ").capitalize()).rstrip(".")
    if argument.name in FROM_DATASET:
        return f"{words}. Empty: {FROM_DATASET[argument.name]}."
    if argument.name in FROM_LENGTH:
        return f"{words}. Empty: {argument.default:,}, or a tenth of a shorter run."
    return f"{words}."


def _group(name: str) -> str:
    if name in TRACKING:
        return "Tracking"
    return "Evaluation" if name in EVALUATION else "Learning"
