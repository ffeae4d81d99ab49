"""A re-simulated episode under the reward that its run learned from: the reward and its terms at each step."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rl_lab.core.errors import CodeFailed
from rl_lab.worker.own_reward import OwnReward
from rl_lab.worker.rendering.simulation import Simulation


@dataclass(frozen=True)
class OwnScores:
    """Empty for a run that learned from the environment's own reward."""

    name: str
    rewards: list[float] = field(default_factory=list)
    terms: dict[str, list[float]] = field(default_factory=dict)
    note: str = ""
    """Why there are none, where the run had a reward of its own."""


def notes_steps(given: Mapping[str, Any]) -> bool:
    """Whether the steps of the simulation are needed; `given`: the message that asks for it."""
    return "source" in (given.get("reward") or {})


def score_episode(given: Mapping[str, Any], simulation: Simulation) -> OwnScores:
    """After the whole episode was simulated. A reward that fails is a note: the episode can be shown all the same."""
    reward = given.get("reward") or {}
    name = str(reward.get("name", ""))
    if simulation.noted is None or not len(simulation.noted):
        return OwnScores(name, note=str(reward.get("problem", "")))
    with contextlib.closing(OwnReward(reward)) as own:
        try:
            scored = own.scored(simulation.noted.take())
        except CodeFailed as error:
            return OwnScores(name, note=error.detail)
    terms = {term: scored.terms[:, k].tolist() for k, term in enumerate(scored.names)}
    return OwnScores(name, scored.totals.tolist(), terms)


def with_own_rewards(rows: list[dict[str, Any]], scores: OwnScores) -> list[dict[str, Any]]:
    """The row of each step with the reward, the return so far and the terms; the first row is before the first step."""
    returned = 0.0
    for number, (row, reward) in enumerate(zip(rows[1:], scores.rewards, strict=False)):
        returned += reward
        row |= {"own_reward": reward, "own_return": returned}
        if scores.terms:
            row["own_terms"] = {name: values[number] for name, values in scores.terms.items()}
    return rows
