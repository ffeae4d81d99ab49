"""TD3+BC: twin critics and a deterministic policy, which maximises the first critic and imitates the dataset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from rl_lab.runners.offline.batches import StepBatch
from rl_lab.runners.offline.learning import Metrics, OfflineLearner, make_actor, make_critics
from rl_lab.runners.offline.networks import FusedAdam, Parameters
from rl_lab.runners.offline.spaces import LearnedSpaces


class Td3Bc(OfflineLearner):
    def __init__(self, spaces: LearnedSpaces, params: Any, generator: torch.Generator) -> None:
        super().__init__(spaces, params)
        self.noise = spaces.action_size
        self._critics, self._actor = (
            make_critics(spaces, params, params.n_critics),
            make_actor(spaces, params),
        )
        self.stacks = {"critic": self._critics, "actor": self._actor}
        self.parameters = Parameters([self._critics, self._actor])
        for stack in self.stacks.values():
            stack.initialise(generator)
        self._first = self._critics.first()
        self._target = self.parameters.flat.clone()
        parts = self._target.split([self._critics.size, self._actor.size])
        self._target_critics = make_critics(spaces, params, params.n_critics).bind(parts[0])
        self._target_actor = make_actor(spaces, params).bind(parts[1])
        self._critic_adam, self._actor_adam = (
            FusedAdam(values, gradient, params.learning_rate) for values, gradient in self.parameters.parts
        )
        self._updates = torch.zeros((), dtype=torch.int64)

    def backward(self, batch: StepBatch, wants_metrics: bool) -> Metrics:
        p, rows = self.params, len(batch.rewards)
        noise = torch.clamp(batch.noise * p.target_policy_noise, -p.target_noise_clip, p.target_noise_clip)
        following = self._target_actor.values(batch.following)[0].tanh_().add_(noise).clamp_(-1, 1)
        after = self._target_critics.values(torch.cat((batch.following, following), 1)).amin(0)[:, 0]
        goal = torch.addcmul(batch.rewards, after, batch.goes_on, value=p.gamma)
        q_values = self._critics.forward(torch.cat((batch.seen, batch.actions), 1))[:, :, 0]
        error = q_values - goal
        self._critics.backward((error * (2 / rows)).unsqueeze(2))
        metrics = self._critic_metrics(q_values, error) if wants_metrics else {}
        if self._is_policy_due():
            self._improve(batch)
        return metrics

    def apply(self) -> None:
        self._critic_adam.step()
        if self._is_policy_due():
            self._actor_adam.step()
            self._target.lerp_(self.parameters.flat, self.params.tau)
        self._updates += 1

    def _is_policy_due(self) -> bool:
        return (int(self._updates) + 1) % int(self.params.policy_delay) == 0

    def _improve(self, batch: StepBatch) -> None:
        """Sets the gradient of the policy; that of the critics stays as it is."""
        rows, size = len(batch.actions), self.spaces.observation_size
        action = self._actor.forward(batch.seen)[0].tanh_()
        q_values = self._first.forward(torch.cat((batch.seen, action), 1), "policy")
        factor = self.params.alpha / q_values.abs().mean().clamp_(min=1e-6)
        upward = (-factor / rows).expand(1, rows, 1)
        gradient = self._first.input_gradient(upward, "policy")[0, :, size:]
        gradient = gradient + (action - batch.actions) * (2 / action.numel())
        slope = 1 - action.square()
        self._actor.backward((gradient * slope).unsqueeze(0))

    def _critic_metrics(self, q_values: Tensor, error: Tensor) -> Metrics:
        loss = error.square().mean(1).sum()
        return {"loss": loss, "value_loss": loss, "q_mean": q_values[0].mean(), "q_max": q_values[0].max()}

    @property
    def optimisers(self) -> dict[str, FusedAdam]:
        return {"critics": self._critic_adam, "actor": self._actor_adam}

    @property
    def targets(self) -> Mapping[str, Tensor]:
        return {"all": self._target, "updates": self._updates}
