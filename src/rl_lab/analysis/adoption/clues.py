"""A Clue is what the first part of a folder's files reveals about the training that wrote them. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rl_lab.analysis.adoption.pieces import Curve, EpisodeFact, Facts, Floats, Ints

RATES = frozenset({"learning_rate", "exploration_rate", "train/clip_range", "train/n_updates", "fps"})
"""Set by the configuration or the machine: the same in other trainings, too."""
ROLLING = 100
"""Episodes in the mean that SB3 logs."""


@dataclass
class Clue:
    path: str
    roles: frozenset[str]
    facts: Facts = field(default_factory=Facts)
    curves: dict[str, Curve] = field(default_factory=dict)
    """The first points, under the lab's names."""
    episodes: list[list[EpisodeFact]] = field(default_factory=list)
    """The first episodes of each monitor file."""
    is_whole: bool = True
    """All episodes are there."""
    written_at: float = 0.0
    """When a file with points was last written."""
    is_known: bool = False
    """It is a run already; two of these are never joined."""

    @cached_property
    def timeline(self) -> tuple[Ints, Floats, float]:
        """The steps at which episodes ended, sums of their rewards, and up to which step every episode is known.

        Sub-environments are stepped together, so an episode that ends after k steps of one of n ends at step k · n.
        """
        count = len(self.episodes)
        ends = [np.cumsum([e.length for e in part]) * count for part in self.episodes]
        order = sorted(
            (int(end), env, episode.reward)
            for env, part in enumerate(self.episodes)
            for end, episode in zip(ends[env], part, strict=True)
        )
        known = math.inf if self.is_whole else min((float(end[-1]) for end in ends if len(end)), default=0.0)
        sums = np.concatenate([[0.0], np.cumsum([reward for _, _, reward in order])])
        return np.array([end for end, _, _ in order], np.int64), sums, known

    def telling_curves(self) -> dict[str, Curve]:
        """Those whose values hardly occur in another training."""
        return {name: found for name, found in self.curves.items() if is_telling(name, found)}


def is_telling(name: str, found: Curve) -> bool:
    """Whether values differ from one training to the next: neither a constant nor a straight line."""
    values = found.values[np.isfinite(found.values)]
    if name in RATES or len(values) < 3:
        return name not in RATES and len(np.unique(values)) > 1
    with np.errstate(over="ignore", invalid="ignore"):
        bend = np.abs(np.diff(values, 2))
        return bool(bend.max() > 1e-6 * max(1e-9, float(np.abs(values).max())))


def equal_points(one: Curve, other: Curve) -> tuple[int, int]:
    """At how many steps both have a value, and at how many of these it is the same to single precision."""
    mine, theirs = last_by_step(one), last_by_step(other)
    both = mine.keys() & theirs.keys()
    return len(both), sum(mine[step] == theirs[step] for step in both)


def last_by_step(found: Curve) -> dict[int, float]:
    with np.errstate(over="ignore"):
        rounded = found.values.astype(np.float32).astype(np.float64)
    pairs = zip(found.steps.tolist(), rounded.tolist(), strict=True)
    return {step: value for step, value in pairs if value == value}


def rolling_means(clue: Clue, steps: Sequence[int]) -> dict[int, float]:
    """The mean reward of the last hundred episodes at these steps, as SB3 logs it; no steps beyond the episodes."""
    ends, sums, known = clue.timeline
    means = {}
    for step in steps:
        last = int(np.searchsorted(ends, step, side="right"))
        first = max(0, last - ROLLING)
        if last and step <= known:
            means[step] = float((sums[last] - sums[first]) / (last - first))
    return means
