"""Maps metric names of scripts to the lab's: one table, by the last part of a script's name.

A value is stored under the script's name and also under the lab's, so that all runs share the same charts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rl_lab.capture.to_json import number_of

NAMES = {
    "loss": "loss",
    "td_loss": "loss",
    "total_loss": "loss",
    "policy_loss": "policy_loss",
    "pg_loss": "policy_loss",
    "policy_gradient_loss": "policy_loss",
    "actor_loss": "policy_loss",
    "value_loss": "value_loss",
    "v_loss": "value_loss",
    "vf_loss": "value_loss",
    "critic_loss": "value_loss",
    "qf_loss": "value_loss",
    "entropy": "entropy",
    "approx_kl": "kl",
    "kl": "kl",
    "clipfrac": "clip_fraction",
    "clip_fraction": "clip_fraction",
    "explained_variance": "explained_variance",
    "learning_rate": "learning_rate",
    "lr": "learning_rate",
    "epsilon": "exploration_rate",
    "exploration_rate": "exploration_rate",
    "grad_norm": "gradient_norm",
    "gradient_norm": "gradient_norm",
    "sps": "fps",
    "fps": "fps",
}
"""Last part of a name, in lower case → a name of `core.metrics`."""
NEGATED = {"entropy_loss": "entropy"}
"""Stable-Baselines3 logs the entropy loss, which is the negative entropy."""
EPISODES = {
    "episodic_return": "reward",
    "episode_return": "reward",
    "episode_reward": "reward",
    "ep_rew_mean": "mean_reward",
    "episodic_length": "length",
    "episode_length": "length",
}
"""Only when no environment is captured: otherwise its episodes give these values."""
OTHER_PHASES = ("eval", "evaluation", "test", "valid", "validation")


def metric_values(values: Mapping[str, Any], *, has_episodes: bool) -> dict[str, float]:
    """The numbers in `values`, under their own names and the lab's."""
    found: dict[str, float] = {}
    for name, value in values.items():
        number = number_of(value)
        if number is None:
            continue
        found[str(name)] = number
        canonical, sign = canonical_name(str(name), has_episodes=has_episodes)
        if canonical is not None:
            found.setdefault(canonical, sign * number)
    return found


@lru_cache(maxsize=4096)
def canonical_name(name: str, *, has_episodes: bool) -> tuple[str | None, float]:
    """The lab's name for a script's metric, and the sign of its value; None when there is none."""
    *phases, leaf = name.lower().replace(".", "/").split("/")
    if any(phase in OTHER_PHASES for phase in phases):
        return None, 1.0
    if leaf in NEGATED:
        return NEGATED[leaf], -1.0
    if leaf in EPISODES:
        return (None if has_episodes else EPISODES[leaf]), 1.0
    return NAMES.get(leaf), 1.0
