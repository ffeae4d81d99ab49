"""The networks of a learner as the tensors of a checkpoint: for plain observations, with values in plain rewards."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from rl_lab.runners.offline.learning import OfflineLearner
from rl_lab.runners.offline.networks import Stack
from rl_lab.runners.offline.transitions import Transitions


def named_networks(learner: OfflineLearner, data: Transitions) -> dict[str, Any]:
    """Observation scaling becomes part of first layers, reward scaling of the last layers of value networks."""
    found: dict[str, Any] = {}
    for name, stack in learner.stacks.items():
        factor = 1 / data.reward_scale if name in learner.value_names else 1.0
        for number in range(stack.count):
            numbered = f"{name}{number + 1}" if name == "critic" else name
            found |= _tensors(stack, number, numbered, data, factor)
    if learner.log_std is not None:
        found["log_std"] = learner.log_std.numpy().copy()
    return found


def _tensors(stack: Stack, number: int, name: str, data: Transitions, factor: float) -> dict[str, Any]:
    found = {}
    last = len(stack.layers) - 1
    for layer, (weights, biases) in enumerate(zip(stack.weights, stack.biases, strict=True)):
        weight, bias = weights[number].double(), biases[number, 0].double()
        if layer == 0:
            weight, bias = _fold(weight, bias, data)
        if layer == last:
            weight, bias = weight * factor, bias * factor
        found[f"{name}.{2 * layer}.weight"] = weight.T.contiguous().float().numpy()
        found[f"{name}.{2 * layer}.bias"] = bias.float().numpy()
    return found


def _fold(weight: Tensor, bias: Tensor, data: Transitions) -> tuple[Tensor, Tensor]:
    """(x − shift) / spread @ w + b = x @ (w / spread) + (b − shift @ (w / spread)); actions follow unscaled."""
    size = len(data.shift)
    scaled = weight.clone()
    scaled[:size] /= data.spread.double().unsqueeze(1)
    return scaled, bias - data.shift.double() @ scaled[:size]


def to_arrays(state: Any) -> Any:
    """Tensors in a nested state as arrays of their own."""
    if isinstance(state, torch.Tensor):
        return state.numpy().copy()
    return {name: to_arrays(part) for name, part in state.items()} if isinstance(state, dict) else state


def to_tensors(state: Any) -> Any:
    if isinstance(state, dict):
        return {name: to_tensors(part) for name, part in state.items()}
    return torch.from_numpy(state) if hasattr(state, "dtype") else state
