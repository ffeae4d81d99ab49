"""What a learner needs to know of the spaces of a dataset, and whether an environment has the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.core.errors import InvalidInput

F32 = NDArray[np.float32]


@dataclass(frozen=True)
class LearnedSpaces:
    """Sizes are of the flattened observation and action."""

    observation_size: int
    n_states: int
    """Number of values of a discrete observation, which is encoded as one-hot; 0 for vectors."""
    state_start: int
    action_size: int
    is_discrete: bool
    action_start: int
    """First discrete action of the environment; the learner counts from 0."""
    action_low: list[float]
    action_high: list[float]
    action_shape: tuple[int, ...]

    def flatten(self, observation: Any) -> F32:
        """An observation as the networks' input."""
        if self.n_states:
            row = np.zeros(self.n_states, np.float32)
            row[int(observation) - self.state_start] = 1
            return row
        return np.asarray(observation, np.float32).reshape(-1)

    @property
    def action_middle(self) -> F32:
        low, high = np.array(self.action_low), np.array(self.action_high)
        return np.asarray((high + low) / 2, np.float32)

    @property
    def action_reach(self) -> F32:
        """Learners see continuous actions as numbers between −1 and 1."""
        low, high = np.array(self.action_low), np.array(self.action_high)
        return np.asarray((high - low) / 2, np.float32)

    def to_action(self, scaled: F32) -> F32:
        """A learner's continuous action as the environment's."""
        played = self.action_middle + self.action_reach * scaled
        return (
            np.clip(played, self.action_low, self.action_high).astype(np.float32).reshape(self.action_shape)
        )


def read_spaces(observation: Any, action: Any, algorithm: str) -> LearnedSpaces:
    """Of Gymnasium spaces; InvalidInput for those that the learners do not support."""
    from gymnasium import spaces

    if not isinstance(observation, spaces.Box | spaces.Discrete) or len(observation.shape) > 1:
        raise InvalidInput.of_field(
            "dataset",
            "The offline learners support vector and scalar observations only, no images or nested ones; those of "
            f"this dataset are {observation}. Learn from another dataset, or train in the environment with sb3.",
        )
    if not isinstance(action, spaces.Box | spaces.Discrete):
        raise InvalidInput.of_field(
            "dataset",
            f"The offline learners support Discrete and Box actions only; those of this dataset are {action}.",
        )
    is_discrete = isinstance(action, spaces.Discrete)
    if algorithm == "td3_bc" and is_discrete:
        raise InvalidInput.of_field(
            "algorithm",
            f"TD3+BC needs continuous actions; those of this dataset are {action}. Choose bc, iql or cql.",
        )
    if not is_discrete and not (np.isfinite(action.low).all() and np.isfinite(action.high).all()):
        raise InvalidInput.of_field(
            "dataset", f"The actions of this dataset have no bounds ({action}), so they cannot be scaled."
        )
    is_counted = isinstance(observation, spaces.Discrete)
    return LearnedSpaces(
        observation_size=int(spaces.flatdim(observation)),
        n_states=int(observation.n) if is_counted else 0,
        state_start=int(observation.start) if is_counted else 0,
        action_size=int(action.n) if is_discrete else int(np.prod(action.shape)),
        is_discrete=is_discrete,
        action_start=int(action.start) if is_discrete else 0,
        action_low=[] if is_discrete else action.low.reshape(-1).astype(float).tolist(),
        action_high=[] if is_discrete else action.high.reshape(-1).astype(float).tolist(),
        action_shape=() if is_discrete else tuple(action.shape),
    )


def require_same(dataset: LearnedSpaces, environment: LearnedSpaces, env_id: str) -> None:
    """InvalidInput when the environment's observations or actions are other ones than the dataset's."""
    if _seen(dataset) != _seen(environment) or _acts(dataset) != _acts(environment):
        raise InvalidInput.of_field(
            "dataset",
            f"The dataset has {spaces_text(dataset)}, but {env_id} has {spaces_text(environment)}. Choose a dataset "
            "of this environment, or the environment of the dataset.",
        )


def spaces_text(one: LearnedSpaces) -> str:
    """ "observations of size 4 and 2 discrete actions" """
    seen = f"{one.n_states} states" if one.n_states else f"observations of size {one.observation_size}"
    if one.is_discrete:
        return f"{seen} and {one.action_size} discrete actions"
    between = f" from {one.action_low} to {one.action_high}" if one.action_size <= 4 else ""
    return f"{seen} and {one.action_size} continuous actions{between}"


def _seen(one: LearnedSpaces) -> tuple[int, int, int]:
    return one.observation_size, one.n_states, one.state_start


def _acts(one: LearnedSpaces) -> Any:
    if one.is_discrete:
        return True, one.action_size, one.action_start
    bounds = np.array([one.action_low, one.action_high], np.float32).tobytes()
    return False, one.action_shape, bounds
