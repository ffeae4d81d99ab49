"""The losses of Stable-Baselines3's algorithms on one batch, as its `train` methods compute them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import torch
from torch.nn import functional

LossTerms = dict[str, Any]
"""Tensors, whose sum is the loss."""


@dataclass(frozen=True)
class LossBatch:
    """Consecutive steps as tensors; what a loss compares with is fixed by `fix`."""

    observations: Any
    following: Any
    actions: Any
    rewards: Any
    terminated: Any
    ended: Any
    advantages: Any = None
    targets: Any = None
    log_prob: Any = None


class BatchLoss(Protocol):
    name: str

    def fix(self, model: Any, batch: LossBatch) -> LossBatch:
        """With the advantages and targets of the weights now."""
        ...

    def terms(self, model: Any, batch: LossBatch) -> LossTerms: ...

    def trains(self, term: str, tensor: str) -> bool:
        """Whether the optimiser of this tensor minimises this term."""
        ...


class OnPolicyLoss:
    """PPO and A2C: policy, value and entropy, on advantages with a bootstrapped value where an episode was cut off."""

    def __init__(self, name: str, *, clips: bool) -> None:
        self.name, self._clips = name, clips

    def fix(self, model: Any, batch: LossBatch) -> LossBatch:
        values = model.policy.predict_values(batch.observations).flatten()
        after = model.policy.predict_values(batch.following).flatten() * (1 - batch.terminated)
        delta = batch.rewards + model.gamma * after - values
        advantages = delta.clone()
        for t in range(len(delta) - 2, -1, -1):
            advantages[t] += model.gamma * model.gae_lambda * (1 - batch.ended[t]) * advantages[t + 1]
        targets = advantages + values
        if getattr(model, "normalize_advantage", False):
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        _, log_prob, _ = model.policy.evaluate_actions(batch.observations, self._actions(model, batch))
        return replace(batch, advantages=advantages, targets=targets, log_prob=log_prob)

    def terms(self, model: Any, batch: LossBatch) -> LossTerms:
        actions = self._actions(model, batch)
        values, log_prob, entropy = model.policy.evaluate_actions(batch.observations, actions)
        terms = {
            "policy": self._policy_loss(model, batch, log_prob),
            "value": model.vf_coef * functional.mse_loss(batch.targets, values.flatten()),
        }
        if model.ent_coef:
            terms["entropy"] = model.ent_coef * -(-log_prob if entropy is None else entropy).mean()
        return terms

    def trains(self, term: str, tensor: str) -> bool:
        return True

    def _policy_loss(self, model: Any, batch: LossBatch, log_prob: Any) -> Any:
        if not self._clips:
            return -(batch.advantages * log_prob).mean()
        ratio, clip = torch.exp(log_prob - batch.log_prob), model.clip_range(1.0)
        clipped = torch.clamp(ratio, 1 - clip, 1 + clip)
        return -torch.min(batch.advantages * ratio, batch.advantages * clipped).mean()

    def _actions(self, model: Any, batch: LossBatch) -> Any:
        return batch.actions.long().flatten() if hasattr(model.action_space, "n") else batch.actions


class DqnLoss:
    name = "DQN: Huber loss of the temporal difference"

    def fix(self, model: Any, batch: LossBatch) -> LossBatch:
        after = model.q_net_target(batch.following).max(dim=1).values
        targets = batch.rewards + (1 - batch.terminated) * model.gamma * after
        return replace(batch, targets=targets)

    def terms(self, model: Any, batch: LossBatch) -> LossTerms:
        chosen = model.q_net(batch.observations).gather(1, batch.actions.long().reshape(-1, 1)).flatten()
        return {"temporal difference": functional.smooth_l1_loss(chosen, batch.targets)}

    def trains(self, term: str, tensor: str) -> bool:
        return True


class ActorCriticLoss:
    """SAC and TD3: the actor and the critics have optimisers of their own."""

    def trains(self, term: str, tensor: str) -> bool:
        return tensor.startswith("actor") == (term == "actor")

    def _critic_loss(self, model: Any, batch: LossBatch) -> Any:
        return sum(
            functional.mse_loss(q, batch.targets) for q in model.critic(batch.observations, batch.actions)
        )


class SacLoss(ActorCriticLoss):
    name = "SAC: critic loss and actor loss, each for its own network"

    def fix(self, model: Any, batch: LossBatch) -> LossBatch:
        actions, log_prob = model.actor.action_log_prob(batch.following)
        q = torch.cat(model.critic_target(batch.following, actions), dim=1).min(dim=1, keepdim=True).values
        q = q - _entropy_weight(model) * log_prob.reshape(-1, 1)
        targets = batch.rewards[:, None] + (1 - batch.terminated[:, None]) * model.gamma * q
        return replace(batch, targets=targets)

    def terms(self, model: Any, batch: LossBatch) -> LossTerms:
        actions, log_prob = model.actor.action_log_prob(batch.observations)
        q = torch.cat(model.critic(batch.observations, actions), dim=1).min(dim=1, keepdim=True).values
        return {
            "critic": 0.5 * self._critic_loss(model, batch),
            "actor": (_entropy_weight(model) * log_prob.reshape(-1, 1) - q).mean(),
        }


class Td3Loss(ActorCriticLoss):
    name = "TD3: critic loss and actor loss, each for its own network"

    def fix(self, model: Any, batch: LossBatch) -> LossBatch:
        noise = (torch.randn_like(batch.actions) * model.target_policy_noise).clamp(
            -model.target_noise_clip, model.target_noise_clip
        )
        actions = (model.actor_target(batch.following) + noise).clamp(-1, 1)
        q = torch.cat(model.critic_target(batch.following, actions), dim=1).min(dim=1, keepdim=True).values
        targets = batch.rewards[:, None] + (1 - batch.terminated[:, None]) * model.gamma * q
        return replace(batch, targets=targets)

    def terms(self, model: Any, batch: LossBatch) -> LossTerms:
        actions = model.actor(batch.observations)
        return {
            "critic": self._critic_loss(model, batch),
            "actor": -model.critic.q1_forward(batch.observations, actions).mean(),
        }


def _entropy_weight(model: Any) -> Any:
    """The learnt one, or the fixed one."""
    learnt = getattr(model, "log_ent_coef", None)
    return model.ent_coef_tensor if learnt is None else torch.exp(learnt.detach())


LOSSES: dict[str, BatchLoss] = {
    "ppo": OnPolicyLoss("PPO: clipped policy loss, value loss and entropy", clips=True),
    "a2c": OnPolicyLoss("A2C: policy loss, value loss and entropy", clips=False),
    "dqn": DqnLoss(),
    "sac": SacLoss(),
    "td3": Td3Loss(),
}
