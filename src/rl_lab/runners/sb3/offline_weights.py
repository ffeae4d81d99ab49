"""The networks of an offline checkpoint under the names that Stable-Baselines3 uses; both choose the same actions.

An offline policy squashes continuous actions with tanh, and observation scaling is part of its first layer. What a
learner has no counterpart for stays as it is in the new model: the critics of a policy that only imitated, for example.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from rl_lab.core.errors import InvalidInput

Weights = dict[str, Any]
Layers = list[tuple[Any, Any]]
"""(weight of shape outputs × inputs, bias) of each layer."""
SDE_LOG_STD = -3.0
"""Of state-dependent noise, which is multiplied by the numbers of the last hidden layer and summed."""
SQUASHED_LOG_STD = (-5.0, 2.0)


def read_offline(checkpoint: Path) -> Weights | None:
    """The tensors of an offline checkpoint by name; None for a file of another kind. Nothing is unpickled."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        found = dict(load_file(checkpoint))
    except (SafetensorError, ValueError):
        return None
    # Checkpoints of turbo are safetensors too.
    return found if any(layers_of(found, name) for name in ("actor", "critic1")) else None


def as_sb3(found: Weights, algorithm: str, fresh: Mapping[str, Any]) -> Weights:
    """The weights of a new model, `fresh`, with what the checkpoint has for it."""
    named = {**fresh}
    if algorithm == "dqn":
        critic = _require(found, "critic1")
        for net in ("q_net", "q_net_target"):
            named |= _sequential(f"{net}.q_net", critic)
    elif algorithm == "sac":
        named |= _sac(found)
    elif algorithm == "td3":
        for net in ("actor", "actor_target"):
            named |= _sequential(f"{net}.mu", _require(found, "actor"))
        named |= _critics(found)
    else:
        named |= _actor_critic(found, fresh)
    return named


def layers_of(found: Weights, network: str) -> Layers:
    """Empty when the checkpoint has no such network."""
    numbers = sorted(
        int(name.split(".")[1])
        for name in found
        if name.startswith(f"{network}.") and name.endswith(".weight")
    )
    return [(found[f"{network}.{number}.weight"], found[f"{network}.{number}.bias"]) for number in numbers]


def _require(found: Weights, network: str) -> Layers:
    layers = layers_of(found, network)
    if not layers:
        raise InvalidInput.of_field(
            "start_from", f"The checkpoint has no network “{network}”, which this algorithm starts with."
        )
    return layers


def _sac(found: Weights) -> Weights:
    *hidden, (weight, bias) = _require(found, "actor")
    named = _sequential("actor.latent_pi", hidden)
    log_std = found.get("log_std")
    if log_std is None:  # its spread depends on the state: the second half of the outputs
        means, spreads = weight.chunk(2), bias.chunk(2)
        named |= {"actor.mu.weight": means[0], "actor.mu.bias": spreads[0]}
        named |= {"actor.log_std.weight": means[1], "actor.log_std.bias": spreads[1]}
    else:
        named |= {"actor.mu.weight": weight, "actor.mu.bias": bias}
        named["actor.log_std.weight"] = torch.zeros_like(weight)
        named["actor.log_std.bias"] = log_std.reshape(-1).clamp(*SQUASHED_LOG_STD)
    return named | _critics(found)


def _critics(found: Weights) -> Weights:
    named: Weights = {}
    number = 1
    while layers := layers_of(found, f"critic{number}"):
        for net in ("critic", "critic_target"):
            named |= _sequential(f"{net}.qf{number - 1}", layers)
        number += 1
    return named


def _actor_critic(found: Weights, fresh: Mapping[str, Any]) -> Weights:
    """Of PPO and A2C. Continuous actions: gSDE with squashed outputs, whose mean action is the same."""
    *hidden, (weight, bias) = _require(found, "actor")
    outputs = fresh["action_net.bias"].shape[0]
    named = _sequential("mlp_extractor.policy_net", hidden)
    # Of a policy whose spread depends on the state, the first half of the outputs is the mean.
    named |= {"action_net.weight": weight[:outputs], "action_net.bias": bias[:outputs]}
    value = layers_of(found, "value")
    if value:
        *hidden, (weight, bias) = value
        named |= _sequential("mlp_extractor.value_net", hidden)
        named |= {"value_net.weight": weight, "value_net.bias": bias}
    if "log_std" in fresh:
        named["log_std"] = torch.full_like(fresh["log_std"], SDE_LOG_STD)
    return named


def _sequential(name: str, layers: Layers) -> Weights:
    """Layers with an activation between them."""
    named = {}
    for number, (weight, bias) in enumerate(layers):
        named |= {f"{name}.{2 * number}.weight": weight, f"{name}.{2 * number}.bias": bias}
    return named
