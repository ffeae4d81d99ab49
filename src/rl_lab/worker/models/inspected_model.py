"""The interface of a checkpoint that can be inspected; runners that offer it have a method `open_model`.

Tensors are named as in the network, weights as (outputs, inputs, …), so that a filter is one entry of the first axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rl_lab.core.errors import NotReady
from rl_lab.core.job_file import PolicyInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.worker.checkpoint_files import verified
from rl_lab.worker.runner import runner_of

Array = NDArray[Any]
Tensors = dict[str, Array]


class Act(NamedTuple):
    """An action as the learner stores it, and as the environment gets it."""

    learnt: Any
    played: Any


@dataclass(frozen=True)
class Experience:
    """Consecutive steps in one environment, played with the exploration of training."""

    observations: list[Any]
    actions: Array
    """As the learner stores them."""
    rewards: NDArray[np.float64]
    following: list[Any]
    """The observation after each step, also where the episode ended with it."""
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.rewards)

    @property
    def ended(self) -> NDArray[np.bool_]:
        ended: NDArray[np.bool_] = self.terminated | self.truncated
        return ended


@dataclass(frozen=True)
class LayerOutput:
    """The outputs of a layer: one row a state, one column a unit."""

    name: str
    values: Array
    activation: str | None = None


class InspectedModel(Protocol):
    @property
    def loss_name(self) -> str:
        """The loss of the algorithm, for a person."""
        ...

    @property
    def exploration(self) -> str:
        """How `act` chooses, for a person."""
        ...

    def tensors(self) -> Tensors:
        """Copies of all trained tensors."""
        ...

    def replace(self, tensors: Tensors) -> None:
        """Sets these tensors."""
        ...

    def wrap(self, env: Any) -> Any:
        """The environment with the observations it was trained on."""
        ...

    def act(self, observation: Any) -> Act: ...

    def prepare(self, experience: Experience) -> Any:
        """What the loss is computed on; advantages and targets are those of the weights now."""
        ...

    def layer_outputs(self, batch: Any) -> list[LayerOutput]: ...

    def losses(self, batch: Any) -> dict[str, float]:
        """The terms of the loss, whose sum it is."""
        ...

    def gradients(self, batch: Any) -> Tensors: ...


class Opens(Protocol):
    """What a runner has whose checkpoints can be inspected."""

    def open_model(self, checkpoint: Path, config: TrainConfig) -> InspectedModel: ...


def open_model(given: PolicyInput) -> InspectedModel:
    """Loads exactly the recorded bytes; NotReady for a runner without inspection."""
    runner: Any = runner_of(given.runner)
    if not hasattr(runner, "open_model"):
        raise NotReady(
            f"Checkpoints of {runner.spec.name} cannot be inspected.",
            cause="not-supported",
            next_step="Inspect a checkpoint of Turbo or Stable-Baselines3.",
        )
    with verified(given.checkpoint, given.sha256) as checkpoint:
        model: InspectedModel = runner.open_model(checkpoint, given.config)
        return model
