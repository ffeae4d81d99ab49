"""A script's arguments as parameters of an algorithm: with groups, descriptions, and bounds for well-known names."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from pydantic import create_model

from rl_lab.core.runners import Params, param
from rl_lab.runners.captured_params import CapturedParams
from rl_lab.runners.cleanrl.scripts import Script
from rl_lab.runners.script_text.arguments import REQUIRED, Argument
from rl_lab.runners.script_text.bounds import bounds_of

GIVEN_BY_THE_LAB = frozenset({"env_id", "seed", "total_timesteps", "cuda"})
"""Fields of the run itself; `cuda` is its device."""

TRACKING = frozenset(
    {
        "exp_name",
        "track",
        "capture_video",
        "save_model",
        "upload_model",
        "hf_entity",
        "wandb_project_name",
        "wandb_entity",
    }
)
ADVANCED = TRACKING | {"torch_deterministic"}
ENVIRONMENT = frozenset({"num_envs", "local_num_envs", "num_steps", "n_step", "async_batch_size"})
EXPLORATION = frozenset(
    {
        "start_e",
        "end_e",
        "exploration_fraction",
        "exploration_noise",
        "learning_starts",
        "ent_coef",
        "alpha",
        "autotune",
        "policy_noise",
        "noise_clip",
    }
)


class CaptureParams(CapturedParams):
    """Parameters of every script in addition to its own."""

    gymnasium_029: Literal["auto", "on", "off"] = param(
        "on",
        "Emulate Gymnasium 0.29, for which these scripts were written.",
        group="Environment",
        advanced=True,
    )


_RESERVED = frozenset({*dir(CaptureParams), *CaptureParams.model_fields})


@lru_cache(maxsize=1024)
def params_of(script: Script) -> type[Params]:
    """The model that the form, the command-line help and the validation are derived from."""
    fields: dict[str, Any] = {
        one.name: (one.type, _field(one)) for one in script.arguments if is_form_field(one)
    }
    return create_model(f"{script.id.title().replace('_', '')}Params", __base__=CaptureParams, **fields)


def is_form_field(argument: Argument) -> bool:
    """Whether the form offers this argument; not for fields of the run, and not for names that pydantic reserves."""
    name = argument.name
    return not (name in GIVEN_BY_THE_LAB or name.startswith(("_", "model_")) or name in _RESERVED)


def _field(argument: Argument) -> Any:
    bounds = bounds_of(argument)
    return param(
        ... if argument.default is REQUIRED else argument.default,
        argument.description or argument.name.replace("_", " "),
        group=_group(argument.name),
        advanced=argument.name in ADVANCED,
        scale=bounds.scale,
        ge=bounds.ge,
        gt=bounds.gt,
        le=bounds.le,
    )


def _group(name: str) -> str:
    if name in TRACKING or name.startswith(("wandb_", "hf_")):
        return "Tracking"
    if name in ENVIRONMENT:
        return "Environment"
    return "Exploration" if name in EXPLORATION else "Learning"
