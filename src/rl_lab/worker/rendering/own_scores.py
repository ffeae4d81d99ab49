"""A re-simulated episode under the reward that its run learned from: the reward and its terms at each step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rl_lab.core.recordings import Recording

if TYPE_CHECKING:
    from rl_lab.worker.own_reward import OwnReward
    from rl_lab.worker.scored_episode import ScoredEpisode
    from rl_lab.worker.user_code.noted_steps import NotedSteps


@dataclass(frozen=True)
class OwnScores:
    """Empty for a run that learned from the environment's own reward."""

    name: str
    rewards: list[float] = field(default_factory=list)
    terms: dict[str, list[float]] = field(default_factory=dict)
    note: str = ""
    """Why there are none, where the run had a reward of its own."""


class EpisodeReward:
    """The reward that the run of an episode learned from, ready to score its steps while they are simulated."""

    def __init__(self, given: Mapping[str, Any], recording: Recording) -> None:
        """`given`: the message that asks for the episode."""
        reward = given.get("reward") or {}
        self._name, self._note = str(reward.get("name", "")), str(reward.get("problem", ""))
        # Observations of an environment in another process are only a summary.
        is_scored = "source" in reward and recording.place is None
        self._own: OwnReward | None = None
        self._episode: ScoredEpisode | None = None
        if is_scored:
            self._own, self._episode = _opened(reward)

    @property
    def noted(self) -> NotedSteps | None:
        """For the simulation; None when its steps are not scored."""
        return self._episode.noted if self._episode is not None else None

    def scores(self) -> OwnScores:
        """After the whole episode was simulated. A reward that fails is a note: the episode can be shown anyway."""
        scored = self._episode.finish() if self._episode is not None else None
        if self._episode is None or scored is None:
            return OwnScores(self._name, note=self._episode.problem if self._episode else self._note)
        terms = {term: scored.terms[:, k].tolist() for k, term in enumerate(scored.names)}
        return OwnScores(self._name, scored.totals.tolist(), terms)

    def close(self) -> None:
        if self._own is not None:
            self._own.close()


def _opened(reward: Mapping[str, Any]) -> tuple[OwnReward, ScoredEpisode]:
    # Most runs have no reward of their own: their first picture does not wait for these to load.
    from rl_lab.worker.own_reward import OwnReward
    from rl_lab.worker.scored_episode import ScoredEpisode

    own = OwnReward(reward)
    return own, ScoredEpisode(own)


def with_own_rewards(rows: list[dict[str, Any]], scores: OwnScores) -> list[dict[str, Any]]:
    """The row of each step with the reward, the return so far and the terms; the first row is before the first step."""
    returned = 0.0
    for number, (row, reward) in enumerate(zip(rows[1:], scores.rewards, strict=False)):
        returned += reward
        row |= {"own_reward": reward, "own_return": returned}
        if scores.terms:
            row["own_terms"] = {name: values[number] for name, values in scores.terms.items()}
    return rows
