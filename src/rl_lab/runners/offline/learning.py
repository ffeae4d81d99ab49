"""What every offline learner has: networks in one vector, optimisers, targets, and a state to continue from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from rl_lab.runners.offline.batches import StepBatch
from rl_lab.runners.offline.networks import FusedAdam, Parameters, Stack
from rl_lab.runners.offline.spaces import LearnedSpaces

Metrics = dict[str, Tensor | float]
LOG_STD = (-5.0, 2.0)
"""Bounds of the log of a policy's standard deviation."""


class OfflineLearner(ABC):
    """A learner has named stacks of networks; `update` changes them with one batch."""

    noise = 0
    """Normal numbers that a row of its batches has."""
    stacks: dict[str, Stack]
    """By name; several networks of one stack are numbered, as `critic1`, `critic2`."""
    parameters: Parameters

    def __init__(self, spaces: LearnedSpaces, params: Any) -> None:
        self.spaces, self.params = spaces, params

    def update(self, batch: StepBatch, wants_metrics: bool) -> Metrics:
        """One gradient step of everything; the metrics are empty unless they are wanted."""
        metrics = self.backward(batch, wants_metrics)
        self.apply()
        return metrics

    @abstractmethod
    def backward(self, batch: StepBatch, wants_metrics: bool) -> Metrics:
        """Sets the gradients, all of them with the values of before the update."""

    @abstractmethod
    def apply(self) -> None:
        """Makes the optimiser steps, and lets the targets follow."""

    @property
    @abstractmethod
    def optimisers(self) -> dict[str, FusedAdam]: ...

    @property
    def targets(self) -> Mapping[str, Tensor]:
        """Vectors that follow the trained ones slowly."""
        return {}

    @property
    def log_std(self) -> Tensor | None:
        """Of a policy whose spread does not depend on the state."""
        return None

    @property
    def value_names(self) -> tuple[str, ...]:
        """Networks whose outputs are values, in the units of the scaled rewards."""
        return tuple(name for name in self.stacks if name != "actor")

    def state(self) -> dict[str, Any]:
        """Everything that the next update depends on, besides its number."""
        moments = {name: adam.state() for name, adam in self.optimisers.items()}
        return {"parameters": self.parameters.flat, "targets": dict(self.targets), "adam": moments}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.parameters.flat.copy_(state["parameters"])
        for name, vector in self.targets.items():
            vector.copy_(state["targets"][name].view_as(vector))
        for name, adam in self.optimisers.items():
            adam.restore(state["adam"][name])


def make_stack(params: Any, inputs: int, outputs: int, count: int = 1) -> Stack:
    return Stack((inputs, *params.net_arch, outputs), count, is_rounded=params.precision == "bfloat16")


def make_actor(spaces: LearnedSpaces, params: Any, per_action: int = 1) -> Stack:
    """Scores of discrete actions; of continuous ones the mean before tanh, and more where `per_action` says so."""
    return make_stack(params, spaces.observation_size, per_action * spaces.action_size)


def make_critics(spaces: LearnedSpaces, params: Any, count: int) -> Stack:
    """Q-networks: of all discrete actions, or of one continuous action that is part of the input."""
    size, actions = spaces.observation_size, spaces.action_size
    sizes = (size, actions) if spaces.is_discrete else (size + actions, 1)
    return make_stack(params, *sizes, count)


class Imitation:
    """The gradient by which a policy becomes more like the actions of a batch, each with its weight."""

    def __init__(self, actor: Stack, log_std: tuple[Tensor, Tensor] | None) -> None:
        """`log_std`: value and gradient, for continuous actions."""
        self._actor, self._log_std = actor, log_std

    def step(self, batch: StepBatch, weights: Tensor | None, by_likelihood: bool) -> Tensor:
        """Sets the gradients; returns each row's loss before its weight."""
        output = self._actor.forward(batch.seen)
        if self._log_std is None:
            loss, gradient = self._discrete(output[0], batch.actions)
        else:
            loss, gradient = self._continuous(output[0], batch.actions, weights, by_likelihood)
        if weights is not None:
            gradient.mul_(weights.unsqueeze(1))
        self._actor.backward(gradient.div_(len(gradient)).unsqueeze(0))
        return loss

    def _discrete(self, scores: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
        """Cross-entropy; its gradient is the probabilities, less 1 for the action."""
        log_p = torch.log_softmax(scores, 1)
        column = actions.unsqueeze(1)
        loss = log_p.gather(1, column)
        gradient = log_p.exp_()
        gradient.scatter_add_(1, column, torch.full_like(loss, -1.0))
        return loss.neg_().squeeze(1), gradient

    def _continuous(
        self, output: Tensor, actions: Tensor, weights: Tensor | None, by_likelihood: bool
    ) -> tuple[Tensor, Tensor]:
        """A squared error, or the negative log-likelihood of a normal distribution around tanh(output)."""
        assert self._log_std is not None
        log_std, log_std_gradient = self._log_std
        log_std.clamp_(*LOG_STD)
        mean = output.tanh_()
        error = mean - actions
        scaled = error * torch.exp(-2 * log_std)
        squares = scaled * error
        spread = 1 - squares
        if weights is not None:
            spread.mul_(weights.unsqueeze(1))
        torch.mean(spread, 0, out=log_std_gradient)
        by_mean = scaled if by_likelihood else error * (2 / error.shape[1])
        loss = torch.add(log_std, squares, alpha=0.5).sum(1) if by_likelihood else error.square_().mean(1)
        return loss, torch.ops.aten.tanh_backward(by_mean, mean)
