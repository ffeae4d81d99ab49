"""Short names that people use for hyper-parameters, such as `lr`, and the full names they stand for."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rl_lab.core.errors import nearest

SHORT_NAMES: dict[str, tuple[str, ...]] = {
    "lr": ("learning_rate",),
    "bs": ("batch_size",),
    "batch": ("batch_size",),
    "minibatch_size": ("batch_size",),
    "discount": ("gamma",),
    "lam": ("gae_lambda",),
    "lambda": ("gae_lambda",),
    "gae": ("gae_lambda",),
    "entropy": ("ent_coef",),
    "entropy_coef": ("ent_coef",),
    "ent": ("ent_coef",),
    "value_coef": ("vf_coef",),
    "vf": ("vf_coef",),
    "clip": ("clip_range",),
    "clip_coef": ("clip_range",),
    "epochs": ("n_epochs",),
    "envs": ("n_envs",),
    "num_envs": ("n_envs",),
    "rollout": ("n_steps",),
    "num_steps": ("n_steps",),
    "hidden": ("net_arch", "hidden"),
    "layers": ("net_arch", "hidden"),
    "buffer": ("buffer_size",),
    "epsilon": ("exploration_final_eps", "exploration_fraction"),
    "arch": ("net_arch", "hidden"),
    "kl": ("target_kl",),
}
SHORT_MEANINGS = frozenset(full for meant in SHORT_NAMES.values() for full in meant)
"""Every parameter that has a short name."""


def full_name(name: str, known: Collection[str]) -> str:
    """The parameter that a short name stands for, if it is one of the known ones; otherwise the name itself."""
    if name in known:
        return name
    return next((full for full in SHORT_NAMES.get(name.lower(), ()) if full in known), name)


def short_names_of(parameter: str) -> list[str]:
    return [short for short, meant in SHORT_NAMES.items() if parameter in meant and short != parameter]


def suggest_names(name: str, known: Iterable[str]) -> list[str]:
    """The known parameters that the user may have meant, for "did you mean"."""
    known = list(known)
    meant = full_name(name, known)
    return [meant] if meant in known else nearest(name, known)
