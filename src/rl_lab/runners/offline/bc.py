"""Behaviour cloning: the policy is trained to choose the action that the dataset has in each state."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from rl_lab.runners.offline.batches import StepBatch
from rl_lab.runners.offline.learning import Imitation, Metrics, OfflineLearner, make_actor
from rl_lab.runners.offline.networks import FusedAdam, Parameters
from rl_lab.runners.offline.spaces import LearnedSpaces


class BehaviourCloning(OfflineLearner):
    def __init__(self, spaces: LearnedSpaces, params: Any, generator: torch.Generator) -> None:
        super().__init__(spaces, params)
        self.stacks = {"actor": make_actor(spaces, params)}
        self.parameters = Parameters(
            [self.stacks["actor"]], [] if spaces.is_discrete else [spaces.action_size]
        )
        self.stacks["actor"].initialise(generator)
        self._adam = FusedAdam(self.parameters.flat, self.parameters.gradient, params.learning_rate)
        self._imitation = Imitation(self.stacks["actor"], next(iter(self.parameters.free), None))

    def backward(self, batch: StepBatch, wants_metrics: bool) -> Metrics:
        loss = self._imitation.step(batch, None, by_likelihood=False)
        return {"loss": loss.mean(), "policy_loss": loss.mean()} if wants_metrics else {}

    def apply(self) -> None:
        self._adam.step()

    @property
    def optimisers(self) -> dict[str, FusedAdam]:
        return {"all": self._adam}

    @property
    def log_std(self) -> Tensor | None:
        return self.parameters.free[0][0] if self.parameters.free else None
