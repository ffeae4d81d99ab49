"""A dataset as tensors that a learner draws from: checked, scaled, in memory once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rl_lab.core.datasets.manifest import ScoreReference
from rl_lab.core.errors import InvalidInput
from rl_lab.runners.offline.spaces import LearnedSpaces, read_spaces
from rl_lab.worker.datasets.reading import OpenDataset, open_dataset
from rl_lab.worker.datasets.spaces import space_from_json

CHUNK = 1 << 18
"""Rows that are converted at once, so that memory does not hold the dataset twice."""
LEAST_SPREAD = 1e-3
"""A direction in which observations hardly differ is not blown up."""
SCALE_STEPS, SCALE_HORIZON = 200_000, 1000
"""Of the steps that the scale of returns is measured on, and how far ahead each looks."""
STEP_COLUMNS = ("rows", "actions", "rewards", "goes_on")
RETURN_SPREAD = 10.0
"""Standard deviation of returns after scaling: differences between actions are a small part of it, and are to count
next to a penalty of CQL."""
OUTSIDE = "The dataset has actions outside its action space; make it again from episodes that are right."


@dataclass
class Transitions:
    """One row per step, in the order of the dataset."""

    spaces: LearnedSpaces
    action_space: Any
    """As Gymnasium has it."""
    observations: Tensor
    """One row per step, and one more per episode: what was seen last."""
    rows: Tensor
    """For each step, the row of the observation in which it was chosen; the next one is what it led to."""
    actions: Tensor
    """Numbers of discrete actions from 0; continuous ones between −1 and 1."""
    rewards: Tensor
    goes_on: Tensor
    """0 where the environment ended the episode, else 1: an episode that was cut off has a future."""
    shift: Tensor
    spread: Tensor
    """Observations are stored as (seen − shift) / spread."""
    reward_scale: float
    reference: ScoreReference
    mean_return: float

    def __len__(self) -> int:
        return len(self.actions)

    def grow(self, steps: int, rows: int) -> None:
        """Makes room for steps of the environment, and for rows of observations."""
        for name, more in (("observations", rows), *((name, steps) for name in STEP_COLUMNS)):
            column = getattr(self, name)
            setattr(self, name, torch.cat((column, column.new_zeros((more, *column.shape[1:])))))

    def scaling(self) -> dict[str, Any]:
        """How what the learner sees follows from the dataset."""
        return {"shift": self.shift, "spread": self.spread, "reward_scale": self.reward_scale}


def load_transitions(
    folder: Path,
    algorithm: str,
    *,
    normalize_observations: bool = True,
    normalize_reward: bool = False,
    gamma: float = 0.99,
    best_share: float = 1.0,
    score: Callable[[OpenDataset], NDArray[np.float64] | None] | None = None,
) -> Transitions:
    """InvalidInput when nothing can be learned from it: spaces, empty, numbers that are not finite.

    `score` gives other rewards to learn from; None: the dataset's.
    """
    dataset = open_dataset(folder)
    spaces = read_dataset_spaces(dataset, algorithm)
    observations = _observations(dataset, spaces)
    own = score(dataset) if score is not None else None
    learned = dataset.column("rewards") if own is None else own
    rewards = _numbers(learned, "rewards")
    shift, spread = torch.zeros(spaces.observation_size), torch.ones(spaces.observation_size)
    if normalize_observations and not spaces.n_states:
        spread, shift = torch.std_mean(observations, dim=0, correction=0)
        spread = spread.clamp_(min=LEAST_SPREAD)
        observations.sub_(shift).div_(spread)
    scale = RETURN_SPREAD / spread_of_returns(dataset, gamma, learned) if normalize_reward else 1.0
    returns = dataset.returns if own is None else np.add.reduceat(own, dataset.starts)
    steps = _best_steps(dataset, best_share, returns)
    columns = {
        "rows": torch.from_numpy(dataset.observation_rows()),
        "actions": _actions(dataset, spaces),
        "rewards": rewards.mul_(scale),
        "goes_on": torch.from_numpy(~dataset.column("terminations")).float(),
    }
    if steps is not None:
        columns = {name: column[steps] for name, column in columns.items()}
    return Transitions(
        spaces=spaces,
        action_space=space_from_json(dataset.manifest.action_space),
        observations=observations,
        **columns,
        shift=shift,
        spread=spread,
        reward_scale=scale,
        reference=reference_of(dataset),
        mean_return=float(dataset.returns.mean()),
    )


def read_dataset_spaces(dataset: OpenDataset, algorithm: str) -> LearnedSpaces:
    manifest = dataset.manifest
    return read_spaces(
        space_from_json(manifest.observation_space), space_from_json(manifest.action_space), algorithm
    )


def reference_of(dataset: OpenDataset) -> ScoreReference:
    """The returns that count as 0 and 100: those that came with the dataset, else its worst and best episode."""
    if dataset.manifest.reference is not None:
        return dataset.manifest.reference
    low, high = float(dataset.returns.min()), float(dataset.returns.max())
    return ScoreReference(low=low, high=high, named="worst and best episode of the dataset")


def spread_of_returns(dataset: OpenDataset, gamma: float, rewards: NDArray[Any]) -> float:
    """The standard deviation of discounted returns over the first steps, at most so many of each episode."""
    lengths = np.minimum(dataset.lengths, SCALE_HORIZON)
    count = max(1, int(np.searchsorted(np.cumsum(lengths), SCALE_STEPS)))
    ends, lengths = (dataset.starts + dataset.lengths)[:count], lengths[:count]
    returns = np.zeros(count)
    seen = []
    for back in range(1, int(lengths.max()) + 1):
        still = lengths >= back
        returns[still] = rewards[ends[still] - back] + gamma * returns[still]
        seen.append(returns[still].copy())
    found = float(np.concatenate(seen).std())
    return found if np.isfinite(found) and found > 1e-6 else 1.0


def _observations(dataset: OpenDataset, spaces: LearnedSpaces) -> Tensor:
    column = dataset.observations
    if not spaces.n_states:
        return _numbers(column.reshape(len(column), -1), "observations")
    states = torch.from_numpy(np.array(column, np.int64)) - spaces.state_start
    if bool(((states < 0) | (states >= spaces.n_states)).any()):
        raise InvalidInput.of_field("dataset", "The dataset has observations outside its observation space.")
    return torch.nn.functional.one_hot(states, spaces.n_states).float()


def _actions(dataset: OpenDataset, spaces: LearnedSpaces) -> Tensor:
    column = dataset.actions
    if spaces.is_discrete:
        actions = torch.from_numpy(np.array(column, np.int64)) - spaces.action_start
        if bool(((actions < 0) | (actions >= spaces.action_size)).any()):
            raise InvalidInput.of_field("dataset", OUTSIDE)
        return actions
    actions = _numbers(column.reshape(len(column), -1), "actions")
    reach = np.where(spaces.action_reach > 0, spaces.action_reach, 1)
    actions.sub_(torch.from_numpy(spaces.action_middle)).div_(torch.from_numpy(reach))
    return actions.clamp_(-1, 1)  # behaviour policies may have played more than the bounds


def _numbers(column: NDArray[Any], name: str) -> Tensor:
    """As float32; InvalidInput with the first row that has NaN or an infinite number."""
    found = torch.empty(column.shape)
    for start in range(0, len(column), CHUNK):
        part = found[start : start + CHUNK]
        part.copy_(torch.from_numpy(np.array(column[start : start + CHUNK])))
        is_finite = torch.isfinite(part)
        if not bool(is_finite.all()):
            bad = ~is_finite.reshape(len(part), -1).all(1)
            row = start + int(bad.nonzero()[0])
            raise InvalidInput.of_field(
                "dataset",
                f"The dataset has numbers that are not finite (NaN or infinite) in {name}, the first in row {row:,}. "
                "`rl-lab datasets prune` makes a version without such episodes.",
            )
    return found


def _best_steps(dataset: OpenDataset, share: float, returns: NDArray[Any]) -> Tensor | None:
    """The steps of the episodes with the highest returns; None for all."""
    if share >= 1:
        return None
    count = max(1, round(share * len(dataset)))
    is_best = np.zeros(len(dataset), bool)
    is_best[np.argsort(-returns, kind="stable")[:count]] = True
    return torch.from_numpy(np.flatnonzero(np.repeat(is_best, dataset.lengths)))
