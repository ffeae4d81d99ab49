"""Conservative Q-Learning for discrete actions: Double DQN that values actions outside the dataset low."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from rl_lab.runners.offline.batches import StepBatch
from rl_lab.runners.offline.learning import Metrics, OfflineLearner, make_critics
from rl_lab.runners.offline.networks import FusedAdam, Parameters
from rl_lab.runners.offline.spaces import LearnedSpaces
from rl_lab.runners.offline.transitions import RETURN_SPREAD

HUBER = RETURN_SPREAD
"""Errors up to here count squared, larger ones linearly. With a smaller one values are medians rather than means, and
rare large rewards, such as those of a crash, hardly count."""


class DiscreteCql(OfflineLearner):
    """Its policy is the best action of the first critic."""

    def __init__(self, spaces: LearnedSpaces, params: Any, generator: torch.Generator) -> None:
        super().__init__(spaces, params)
        self._critics = make_critics(spaces, params, params.n_critics)
        self.stacks = {"critic": self._critics}
        self.parameters = Parameters([self._critics])
        self._critics.initialise(generator)
        self._target = self.parameters.flat.clone()
        self._target_critics = make_critics(spaces, params, params.n_critics).bind(self._target)
        self._adam = FusedAdam(self.parameters.flat, self.parameters.gradient, params.learning_rate)

    def backward(self, batch: StepBatch, wants_metrics: bool) -> Metrics:
        p, rows = self.params, len(batch.rewards)
        count = self._critics.count
        preferred = self._critics.values(batch.following).argmax(2, keepdim=True)
        after = self._target_critics.values(batch.following).gather(2, preferred).amin(0)[:, 0]
        goal = torch.addcmul(batch.rewards, after, batch.goes_on, value=p.gamma)

        q_values = self._critics.forward(batch.seen)
        column = batch.actions.view(1, rows, 1).expand(count, rows, 1)
        chosen = q_values.gather(2, column)
        error = chosen - goal.view(1, rows, 1)
        # Huber loss of the temporal difference, and α · (log Σ exp Q − Q of the dataset's action)
        gradient = torch.softmax(q_values, 2).mul_(p.alpha)
        gradient.scatter_add_(2, column, error.clamp(-HUBER, HUBER).sub_(p.alpha))
        metrics = self._metrics(q_values, chosen, error) if wants_metrics else {}
        self._critics.backward(gradient.div_(rows))
        return metrics

    def apply(self) -> None:
        self._adam.step()
        self._target.lerp_(self.parameters.flat, self.params.tau)

    def _metrics(self, q_values: Tensor, chosen: Tensor, error: Tensor) -> Metrics:
        difference = torch.nn.functional.huber_loss(error, torch.zeros_like(error), delta=HUBER)
        penalty = (q_values.logsumexp(2) - chosen[:, :, 0]).mean()
        best = q_values[0].amax(1)
        return {
            "loss": difference + self.params.alpha * penalty,
            "value_loss": difference,
            "conservative_loss": penalty,
            "q_mean": best.mean(),
            "q_max": best.max(),
        }

    @property
    def optimisers(self) -> dict[str, FusedAdam]:
        return {"all": self._adam}

    @property
    def targets(self) -> Mapping[str, Tensor]:
        return {"critics": self._target}
