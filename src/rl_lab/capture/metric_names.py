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
SB3_ENTROPY_LOSS = "train/entropy_loss"
"""Stable-Baselines3 logs the negative entropy under this name. Elsewhere an entropy loss contains a coefficient."""
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
OF_THE_LAB = frozenset({"reward", "length", "eval/reward", "eval/length"})
"""Series that the lab makes from episodes."""
OWN_PREFIX = "script/"
"""Before a script's name that is one of those: its values are another quantity."""


class MetricNames:
    """Gives each value its names, and each of the lab's names to one quantity of the script only."""

    def __init__(self) -> None:
        self._owners: dict[str, str] = {}
        """The lab's name → the script's name that had it first."""
        self.sources: dict[str, str] = {}
        """Where a series comes from, as text; emptied by the reader, so that each is sent once."""
        self._known: set[str] = set()

    def values(
        self, values: Mapping[str, Any], *, has_episodes: bool, is_sb3: bool = False, source: str = ""
    ) -> dict[str, float]:
        """The numbers in `values`, under their own names and the lab's."""
        found: dict[str, float] = {}
        for name, value in values.items():
            number = number_of(value)
            if number is None:
                continue
            own = own_name(str(name), has_episodes=has_episodes)
            found[own] = number
            self._note(own, f"{source} {name}" if source else "")
            canonical, sign = canonical_name(str(name), has_episodes=has_episodes, is_sb3=is_sb3)
            if canonical is not None and self._owners.setdefault(canonical, own) == own:
                found.setdefault(canonical, sign * number)
                self._note(canonical, f"{source} {'−' if sign < 0 else ''}{name}" if source else "")
        return found

    def _note(self, name: str, source: str) -> None:
        if source and name not in self._known:
            self._known.add(name)
            self.sources[name] = source

    def take_sources(self) -> dict[str, str]:
        """Those of series that are new since the last call."""
        taken, self.sources = self.sources, {}
        return taken


@lru_cache(maxsize=4096)
def own_name(name: str, *, has_episodes: bool) -> str:
    """The name of a script's series; `script/…` where the lab has a series of that name."""
    is_taken = name in OF_THE_LAB and (has_episodes or name.startswith("eval/"))
    return OWN_PREFIX + name if is_taken else name


@lru_cache(maxsize=4096)
def canonical_name(name: str, *, has_episodes: bool, is_sb3: bool = False) -> tuple[str | None, float]:
    """The lab's name for a script's metric, and the sign of its value; None when there is none."""
    *phases, leaf = name.lower().replace(".", "/").split("/")
    if any(phase in OTHER_PHASES for phase in phases):
        return None, 1.0
    if is_sb3 and name == SB3_ENTROPY_LOSS:
        return "entropy", -1.0
    if leaf in EPISODES:
        return (None if has_episodes else EPISODES[leaf]), 1.0
    return NAMES.get(leaf), 1.0
