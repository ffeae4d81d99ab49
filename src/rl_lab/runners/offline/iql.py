"""Implicit Q-Learning: values of the dataset's better actions, without ever asking for an action outside it.

`value` learns an expectile of the critics' estimates, the critics learn from it, and the policy imitates the dataset's
actions with a weight that grows with their advantage. All three use the values of before the update, so their
gradients are taken in one optimiser step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from rl_lab.runners.offline.batches import StepBatch
from rl_lab.runners.offline.learning import (
    Imitation,
    Metrics,
    OfflineLearner,
    make_actor,
    make_critics,
    make_stack,
)
from rl_lab.runners.offline.networks import FusedAdam, Parameters
from rl_lab.runners.offline.spaces import LearnedSpaces

MOST_WEIGHT = 100.0
"""Of one action in the policy's loss, however good it is."""


class Iql(OfflineLearner):
    def __init__(self, spaces: LearnedSpaces, params: Any, generator: torch.Generator) -> None:
        super().__init__(spaces, params)
        self._critics = make_critics(spaces, params, params.n_critics)
        self._value = make_stack(params, spaces.observation_size, 1)
        self._actor = make_actor(spaces, params)
        self.stacks = {"critic": self._critics, "value": self._value, "actor": self._actor}
        stacks = list(self.stacks.values())
        self.parameters = Parameters(stacks, [] if spaces.is_discrete else [spaces.action_size])
        for stack in stacks:
            stack.initialise(generator)
        self._critic_part = self.parameters.parts[0][0]
        self._target = self._critic_part.clone()
        self._target_critics = make_critics(spaces, params, params.n_critics).bind(self._target)
        self._adam = FusedAdam(self.parameters.flat, self.parameters.gradient, params.learning_rate)
        self._imitation = Imitation(self._actor, next(iter(self.parameters.free), None))

    def backward(self, batch: StepBatch, wants_metrics: bool) -> Metrics:
        p, rows = self.params, len(batch.rewards)
        inputs = batch.seen if self.spaces.is_discrete else torch.cat((batch.seen, batch.actions), 1)
        best = self._of_actions(self._target_critics.values(inputs), batch).amin(0)
        after = self._value.values(batch.following)[0, :, 0]
        goal = torch.addcmul(batch.rewards, after, batch.goes_on, value=p.gamma)

        value = self._value.forward(batch.seen)[0, :, 0]
        advantage = best - value
        weighed = torch.nn.functional.leaky_relu(
            advantage, 1 / p.expectile - 1
        )  # by 1 − expectile below zero
        self._value.backward(weighed.mul(-2 * p.expectile / rows).view(1, rows, 1))

        q_values = self._critics.forward(inputs)
        error = self._of_actions(q_values, batch) - goal
        self._critics.backward(self._to_outputs(error * (2 / (rows * len(error))), q_values, batch))

        weights = torch.mul(advantage, p.temperature).exp_().clamp_(max=MOST_WEIGHT)
        loss = self._imitation.step(batch, weights, by_likelihood=True)
        if not wants_metrics:
            return {}
        policy, critic = (weights * loss).mean(), error.square().mean()
        fit = p.expectile * (weighed * advantage).mean()
        return {
            "loss": policy + critic + fit,
            "policy_loss": policy,
            "value_loss": critic + fit,
            "q_mean": best.mean(),
            "q_max": best.max(),
            "advantage_mean": advantage.mean(),
            "advantage_std": advantage.std(correction=0),
        }

    def apply(self) -> None:
        self._adam.step()
        self._target.lerp_(self._critic_part, self.params.tau)

    def value_of(self, seen: Tensor) -> float:
        """Of one state, in scaled rewards."""
        return float(self._value.values(seen))

    def _of_actions(self, q_values: Tensor, batch: StepBatch) -> Tensor:
        """(critics, rows): the values of the batch's actions."""
        if not self.spaces.is_discrete:
            return q_values[:, :, 0]
        column = batch.actions.view(1, -1, 1).expand(len(q_values), -1, 1)
        return q_values.gather(2, column)[:, :, 0]

    def _to_outputs(self, gradient: Tensor, q_values: Tensor, batch: StepBatch) -> Tensor:
        """The gradient of the batch's actions as that of the critics' outputs."""
        if not self.spaces.is_discrete:
            return gradient.unsqueeze(2)
        column = batch.actions.view(1, -1, 1).expand(len(q_values), -1, 1)
        return torch.zeros_like(q_values).scatter_(2, column, gradient.unsqueeze(2))

    @property
    def optimisers(self) -> dict[str, FusedAdam]:
        return {"all": self._adam}

    @property
    def targets(self) -> Mapping[str, Tensor]:
        return {"critics": self._target}

    @property
    def log_std(self) -> Tensor | None:
        return self.parameters.free[0][0] if self.parameters.free else None
