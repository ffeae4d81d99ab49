"""Bounds for arguments of scripts with well-known names: a form refuses what cannot be meant."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

from rl_lab.runners.script_text.arguments import Argument


class Bounds(NamedTuple):
    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    scale: Literal["linear", "log"] = "linear"


_SHARE = Bounds(ge=0, le=1)
_RATE = Bounds(gt=0, scale="log")
_COUNT = Bounds(ge=1)
_AMOUNT = Bounds(ge=0)
_BOUNDS = {
    "gamma": _SHARE,
    "discount": _SHARE,
    "iql_tau": _SHARE,
    "frac": _SHARE,
    "attention_dropout": _SHARE,
    "residual_dropout": _SHARE,
    "embedding_dropout": _SHARE,
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
    "eval_freq": _COUNT,
    "eval_frequency": _COUNT,
    "eval_every": _COUNT,
    "log_every": _COUNT,
    "n_episodes": _COUNT,
    "n_test_episodes": _COUNT,
    "eval_episodes": _COUNT,
    "num_updates_on_epoch": _COUNT,
    "num_critics": _COUNT,
    "hidden_dim": _COUNT,
    "embedding_dim": _COUNT,
    "num_layers": _COUNT,
    "num_heads": _COUNT,
    "seq_len": _COUNT,
    "episode_len": _COUNT,
    "max_traj_len": _COUNT,
    "warmup_steps": _COUNT,
    "policy_freq": _COUNT,
    "num_workers": _AMOUNT,
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


def bounds_of(argument: Argument) -> Bounds:
    """Bounds for number arguments; none if the script's own default is outside of them."""
    if not {argument.type, *get_args(argument.type)} & {int, float}:
        return Bounds()
    name = argument.name
    is_rate = name == "learning_rate" or name.endswith(("_lr", "_learning_rate"))
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
