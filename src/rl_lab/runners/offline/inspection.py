"""An offline checkpoint opened for inspection: its learner, and the losses and gradients of it on played steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from rl_lab.runners.offline.batches import StepBatch
from rl_lab.runners.offline.checkpoints import OfflineHeader, read_checkpoint
from rl_lab.runners.offline.learner import make_learner, read_params
from rl_lab.runners.offline.networks import Stack
from rl_lab.runners.offline.playing import OfflinePolicy
from rl_lab.runners.offline.tensors import to_tensors
from rl_lab.worker.models.inspected_model import Act, Experience, LayerOutput, Tensors

LOSSES = {
    "bc": "Behaviour cloning: error of the imitated actions",
    "iql": "IQL: value, temporal difference and weighted imitation",
    "cql": "CQL: temporal difference, conservative penalty and policy",
    "td3_bc": "TD3+BC: temporal difference and policy",
}
EXACT: dict[str, dict[str, Any]] = {"td3_bc": {"policy_delay": 1}, "cql": {"gradient_actions": 0}}
"""Parameters with which each pass back gives the policy's gradient too, and that of all actions of a penalty."""
TERMS = ("policy_loss", "value_loss", "conservative_loss")


def open_model(checkpoint: Path) -> OfflineModel:
    return OfflineModel(*read_checkpoint(checkpoint))


class OfflineModel:
    exploration = "sampled from the policy; the best action where it has no chance of its own"

    def __init__(self, header: OfflineHeader, state: dict[str, Any]) -> None:
        torch.set_num_threads(1)
        self._header, self._spaces = header, header.spaces
        self._policy = OfflinePolicy(header, state)
        params = header.params | EXACT.get(header.algorithm, {})
        known = read_params(header.algorithm, params)
        self._learner = make_learner(header.algorithm, header.spaces, known, 0)
        self._learner.restore(to_tensors(state["learner"]))
        scaling = to_tensors(state["scaling"])
        self._shift, self._spread, self._reward_scale = (
            scaling["shift"],
            scaling["spread"],
            float(scaling["reward_scale"]),
        )
        self._gradients: Tensors = {}

    @property
    def loss_name(self) -> str:
        return LOSSES[self._header.algorithm]

    def tensors(self) -> Tensors:
        return {name: np.array(view) for name, view in self._named(of_gradients=False).items()}

    def replace(self, tensors: Tensors) -> None:
        named = self._named(of_gradients=False)
        for name, tensor in tensors.items():
            named[name][...] = tensor

    def wrap(self, env: Any) -> Any:
        return env

    def act(self, observation: Any) -> Act:
        played = self._policy.act(observation, deterministic=False).action
        if self._spaces.is_discrete:
            return Act(int(played) - self._spaces.action_start, played)
        reach = np.where(self._spaces.action_reach > 0, self._spaces.action_reach, 1)
        return Act((np.reshape(played, -1) - self._spaces.action_middle) / reach, played)

    def prepare(self, experience: Experience) -> StepBatch:
        """With the same noise each time, so that a surface shows the weights and not the noise."""
        noise = torch.randn(len(experience), self._learner.noise, generator=torch.Generator().manual_seed(0))
        actions = torch.from_numpy(np.asarray(experience.actions))
        return StepBatch(
            self._scaled(experience.observations),
            self._scaled(experience.following),
            actions.long() if self._spaces.is_discrete else actions.float(),
            torch.from_numpy(experience.rewards * self._reward_scale).float(),
            torch.from_numpy(~experience.terminated).float(),
            noise,
        )

    def layer_outputs(self, batch: StepBatch) -> list[LayerOutput]:
        self._learner.backward(batch, False)
        rows = len(batch.rewards)
        return [
            LayerOutput(f"{name}.{2 * layer + 1}", values.numpy().copy(), "relu")
            for stack_name, stack in self._learner.stacks.items()
            for number, name in _names(stack_name, stack)
            for layer, values in enumerate(stack.hidden(number, rows))
        ]

    def losses(self, batch: StepBatch) -> dict[str, float]:
        metrics = self._learner.backward(batch, True)
        alpha = getattr(self._learner.params, "alpha", 1.0)
        return {
            name.removesuffix("_loss"): float(metrics[name]) * (alpha if name == TERMS[2] else 1)
            for name in TERMS
            if name in metrics
        }

    def gradients(self, batch: StepBatch) -> Tensors:
        self._learner.parameters.gradient.zero_()
        self._learner.backward(batch, False)
        return {name: np.array(view) for name, view in self._named(of_gradients=True).items()}

    def _scaled(self, observations: list[Any]) -> Any:
        rows = torch.from_numpy(np.stack([self._spaces.flatten(one) for one in observations]))
        return (rows - self._shift) / self._spread

    def _named(self, *, of_gradients: bool) -> Tensors:
        """Views of the learner's own tensors, weights as (outputs, inputs)."""
        found: Tensors = {}
        for stack_name, stack in self._learner.stacks.items():
            for number, name in _names(stack_name, stack):
                for layer, (weight, bias) in enumerate(stack.tensors(number, of_gradients=of_gradients)):
                    found[f"{name}.{2 * layer}.weight"] = weight.T.numpy()
                    found[f"{name}.{2 * layer}.bias"] = bias.numpy()
        if self._learner.log_std is not None:
            found["log_std"] = self._learner.parameters.free[0][int(of_gradients)].numpy()
        return found


def _names(name: str, stack: Stack) -> list[tuple[int, str]]:
    return [(n, f"{name}{n + 1}" if name == "critic" else name) for n in range(stack.count)]
