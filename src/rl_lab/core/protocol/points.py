"""What one point of a series is: an episode, a mean over many, an evaluation, an update.

It decides what may be tested: neighbouring means over the last 100 episodes share most of these episodes,
so they are not independent observations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rl_lab.core.protocol.metrics import EVALUATION_PREFIX

PointKind = Literal["episode", "mean", "evaluation", "update", "value"]
NOUNS: dict[PointKind, str] = {
    "episode": "episode",
    "mean": "logged mean",
    "evaluation": "evaluation",
    "update": "update",
    "value": "logged value",
}


@dataclass(frozen=True)
class PointMeaning:
    """What one point is, and how many episodes it averages."""

    kind: PointKind
    episodes: int = 1

    @property
    def noun(self) -> str:
        """The word for it in a sentence."""
        return NOUNS[self.kind]


EPISODE = PointMeaning("episode")
UPDATE = PointMeaning("update", 0)
VALUE = PointMeaning("value")
"""A reward that a program logged without saying what it is."""
MEAN = PointMeaning("mean", 100)
"""The mean over the last 100 episodes: SB3's `rollout/ep_rew_mean`, RLlib's `episode_reward_mean`."""

_PER_EPISODE = ("reward", "length")
_MEANS = ("mean_reward", "mean_length")


def point_of(name: str, *, has_episodes: bool, has_means: bool) -> PointMeaning:
    """What a point of this series is; `has_means`: the run has a `mean_reward`, which replaces missing episodes."""
    if name.startswith(("eval/", EVALUATION_PREFIX)):
        return PointMeaning("evaluation", 0)
    if name in _MEANS:
        return MEAN
    if name in _PER_EPISODE:
        return EPISODE if has_episodes else MEAN if has_means else VALUE
    return UPDATE
