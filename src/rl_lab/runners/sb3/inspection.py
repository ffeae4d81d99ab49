"""A Stable-Baselines3 checkpoint opened for inspection: tensors, what its layers put out, acting, the loss of a batch.

The losses themselves are in `losses.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.sb3.checkpoints import State, read_state
from rl_lab.runners.sb3.losses import LOSSES, LossBatch, LossTerms
from rl_lab.runners.sb3.models import params_of
from rl_lab.runners.sb3.observations import with_training_observations
from rl_lab.runners.sb3.policy import CLIP, EPSILON, load_model, make_normaliser
from rl_lab.worker.models.inspected_model import Act, Experience, LayerOutput, Tensors

ACTIVATIONS = {
    torch.nn.Tanh: "tanh",
    torch.nn.ReLU: "relu",
    torch.nn.ELU: "elu",
    torch.nn.LeakyReLU: "leaky_relu",
}
NOISE_SEED = 0
"""Losses with random actions draw the same ones each time, so that a surface shows the weights and not the noise."""


def open_model(checkpoint: Path, config: TrainConfig) -> Sb3Model:
    return Sb3Model(load_model(checkpoint, config), read_state(checkpoint), config)


class Sb3Model:
    def __init__(self, model: Any, state: State, config: TrainConfig) -> None:
        self._model, self._policy, self._algorithm = model, model.policy, config.algorithm.lower()
        self._scales_rewards = params_of(config).normalize_reward
        self._policy.set_training_mode(False)
        self._state, self._normalise = state, make_normaliser(state)
        self._loss = LOSSES[self._algorithm]
        # Targets follow the trained networks; they have no gradient and no life of their own.
        self._trained = {n: p for n, p in self._policy.named_parameters() if "target" not in n}
        for tensor in self._trained.values():
            tensor.requires_grad_(True)

    @property
    def loss_name(self) -> str:
        return self._loss.name

    @property
    def exploration(self) -> str:
        return (
            "the best action, or a random one as in training" if self._is_dqn else "sampled, as in training"
        )

    @property
    def _is_dqn(self) -> bool:
        return self._algorithm == "dqn"

    def tensors(self) -> Tensors:
        return {name: tensor.detach().numpy().copy() for name, tensor in self._trained.items()}

    def replace(self, tensors: Tensors) -> None:
        with torch.no_grad():
            for name, tensor in tensors.items():
                self._trained[name].copy_(torch.from_numpy(np.asarray(tensor, np.float32)))

    def wrap(self, env: Any) -> Any:
        return with_training_observations(env)

    def act(self, observation: Any) -> Act:
        seen, _ = self._policy.obs_to_tensor(self._normalise(observation))
        with torch.no_grad():
            if self._is_dqn:
                return self._explore(seen)
            if self._algorithm in ("ppo", "a2c"):
                return self._sample(seen)
            scaled = self._policy._predict(seen, deterministic=False)[0].numpy()
        noise = self._model.action_noise
        if noise is not None:
            scaled = np.clip(scaled + noise(), -1, 1).astype(np.float32)
        return Act(scaled, self._policy.unscale_action(scaled))

    def _explore(self, seen: Any) -> Act:
        if np.random.rand() < self._model.exploration_rate:
            action = int(np.random.randint(self._model.action_space.n))
        else:
            action = int(self._policy.q_net(seen)[0].argmax())
        return Act(action, action)

    def _sample(self, seen: Any) -> Act:
        action = self._policy.get_distribution(seen).get_actions()[0].numpy()
        space = self._model.action_space
        if isinstance(space, spaces.Box):
            return Act(action, np.clip(action, space.low, space.high))
        return Act(action, action if action.shape else int(action))

    def prepare(self, experience: Experience) -> LossBatch:
        batch = LossBatch(
            observations=self._tensor_of(experience.observations),
            following=self._tensor_of(experience.following),
            actions=torch.as_tensor(experience.actions),
            rewards=torch.as_tensor(self._scaled(experience.rewards), dtype=torch.float32),
            terminated=torch.as_tensor(experience.terminated, dtype=torch.float32),
            ended=torch.as_tensor(experience.ended, dtype=torch.float32),
        )
        torch.manual_seed(NOISE_SEED)
        with torch.no_grad():
            return self._loss.fix(self._model, batch)

    def layer_outputs(self, batch: LossBatch) -> list[LayerOutput]:
        found: dict[str, LayerOutput] = {}
        hooks = [
            module.register_forward_hook(_keep(found, name, module))
            for name, module in self._policy.named_modules()
            if "target" not in name
            and (type(module) in ACTIVATIONS or _is_output(self._policy, name, module))
        ]
        try:
            with torch.no_grad():
                self._terms(batch)
        finally:
            for hook in hooks:
                hook.remove()
        rows = len(batch.rewards)
        return [one for one in found.values() if len(one.values) >= rows]

    def losses(self, batch: LossBatch) -> dict[str, float]:
        with torch.no_grad():
            return {name: float(term) for name, term in self._terms(batch).items()}

    def gradients(self, batch: LossBatch) -> Tensors:
        """Each network's gradient is that of its own loss: a critic is not changed by the actor's."""
        names, parameters = list(self._trained), list(self._trained.values())
        sums = {name: np.zeros(tuple(tensor.shape), np.float32) for name, tensor in self._trained.items()}
        for term, loss in self._terms(batch).items():
            for name, found in zip(
                names,
                torch.autograd.grad(loss, parameters, retain_graph=True, allow_unused=True),
                strict=True,
            ):
                if found is not None and self._loss.trains(term, name):
                    sums[name] += found.numpy()
        return sums

    def _terms(self, batch: LossBatch) -> LossTerms:
        torch.manual_seed(NOISE_SEED)
        return self._loss.terms(self._model, batch)

    def _tensor_of(self, observations: list[Any]) -> Any:
        seen = [self._normalise(one) for one in observations]
        if isinstance(seen[0], dict):
            stacked: Any = {name: np.stack([one[name] for one in seen]) for name in seen[0]}
        else:
            stacked = np.stack(seen)
        return self._policy.obs_to_tensor(stacked)[0]

    def _scaled(self, rewards: Any) -> Any:
        """As the learner gets them: divided by the deviation of the return, where the run normalises rewards."""
        if "reward_var" not in self._state or not self._scales_rewards:
            return rewards
        return np.clip(rewards / np.sqrt(float(self._state["reward_var"]) + EPSILON), -CLIP, CLIP)


def _is_output(policy: Any, name: str, module: Any) -> bool:
    """A linear layer that no activation follows."""
    if not isinstance(module, torch.nn.Linear):
        return False
    parent, _, last = name.rpartition(".")
    siblings = policy.get_submodule(parent) if parent else policy
    if not isinstance(siblings, torch.nn.Sequential):
        return True
    following = int(last) + 1
    return following >= len(siblings) or type(siblings[following]) not in ACTIVATIONS


def _keep(found: dict[str, LayerOutput], name: str, module: Any) -> Any:
    def hook(_: Any, __: Any, output: Any) -> None:
        if name in found:
            return  # the second pass of an actor-critic loss, over other actions
        values = output.detach()
        if values.ndim > 2:  # a channel of a convolution is a unit
            values = values.movedim(1, -1).flatten(0, -2)
        found[name] = LayerOutput(name, values.numpy().copy(), ACTIVATIONS.get(type(module)))

    return hook
