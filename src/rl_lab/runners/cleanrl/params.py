"""A script's arguments as parameters of an algorithm: with groups, descriptions, and bounds for well-known names."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, NamedTuple, get_args

from pydantic import create_model

from rl_lab.core.runners import Params, param
from rl_lab.runners.cleanrl.arguments import REQUIRED, Argument
from rl_lab.runners.cleanrl.scripts import Script

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


class CaptureParams(Params):
    """Parameters of every script in addition to its own; used by the capture layer and the sandbox."""

    threads: int = param(
        1,
        "Number of CPU threads for torch; more than one helps only large networks and slows down other runs.",
        group="Machine",
        advanced=True,
        ge=1,
        le=256,
    )
    network: bool = param(False, "Allow network access.", group="Permissions", advanced=True)
    wandb: Literal["stand-in", "offline", "online"] = param(
        "stand-in",
        "With `track`: handle W&B calls by the lab, without an account (stand-in), or by the real package.",
        group="Tracking",
        advanced=True,
    )
    gymnasium_029: Literal["auto", "on", "off"] = param(
        "on",
        "Emulate Gymnasium 0.29, for which these scripts were written.",
        group="Environment",
        advanced=True,
    )


class Bounds(NamedTuple):
    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    scale: Literal["linear", "log"] = "linear"


_RESERVED = frozenset({*dir(CaptureParams), *CaptureParams.model_fields})
_SHARE = Bounds(ge=0, le=1)
_RATE = Bounds(gt=0, scale="log")
_COUNT = Bounds(ge=1)
_AMOUNT = Bounds(ge=0)
_BOUNDS = {
    "gamma": _SHARE,
    "gae_lambda": _SHARE,
    "q_lambda": _SHARE,
    "tau": _SHARE,
    "int_gamma": _SHARE,
    "start_e": _SHARE,
    "end_e": _SHARE,
    "exploration_fraction": _SHARE,
    "num_envs": _COUNT,
    "num_steps": _COUNT,
    "num_minibatches": _COUNT,
    "update_epochs": _COUNT,
    "n_step": _COUNT,
    "batch_size": _COUNT,
    "buffer_size": _COUNT,
    "train_frequency": _COUNT,
    "policy_frequency": _COUNT,
    "target_network_frequency": _COUNT,
    "update_frequency": _COUNT,
    "n_atoms": Bounds(ge=2),
    "learning_starts": _AMOUNT,
    "clip_coef": _AMOUNT,
    "max_grad_norm": _AMOUNT,
    "target_kl": _AMOUNT,
    "vf_coef": _AMOUNT,
    "exploration_noise": _AMOUNT,
    "policy_noise": _AMOUNT,
    "noise_clip": _AMOUNT,
}


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
    bounds = _bounds(argument)
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


def _bounds(argument: Argument) -> Bounds:
    """Bounds for number arguments; none if the script's own default is outside of them."""
    if not {argument.type, *get_args(argument.type)} & {int, float}:
        return Bounds()
    name = argument.name
    is_rate = name == "learning_rate" or name.endswith("_lr")
    bounds = _RATE if is_rate else _BOUNDS.get(name, Bounds())
    return bounds if _holds(bounds, argument.default) else Bounds()


def _holds(bounds: Bounds, default: Any) -> bool:
    if not isinstance(default, int | float):
        return True
    return (
        (bounds.ge is None or default >= bounds.ge)
        and (bounds.gt is None or default > bounds.gt)
        and (bounds.le is None or default <= bounds.le)
    )
