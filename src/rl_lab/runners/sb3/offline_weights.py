"""The networks of an offline checkpoint under the names that Stable-Baselines3 uses; both choose the same actions.

An offline policy squashes continuous actions with tanh. What a learner has no counterpart for stays as it is in the
new model: the critics of a policy that only imitated, for example.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from rl_lab.runners.offline.checkpoints import Layers, critics_of, layers_of
from rl_lab.runners.offline.starting import Networks, require_layers

SDE_LOG_STD = -3.0
"""Of state-dependent noise, which is multiplied by the numbers of the last hidden layer and summed."""
SQUASHED_LOG_STD = (-5.0, 2.0)


def as_sb3(found: Networks, algorithm: str, fresh: Mapping[str, Any]) -> dict[str, Any]:
    """The weights of a new model, `fresh`, with what the checkpoint has for it."""
    named: Networks = {}
    if algorithm == "dqn":
        for net in ("q_net", "q_net_target"):
            named |= _sequential(f"{net}.q_net", require_layers(found, "critic1"))
    elif algorithm == "sac":
        named = _sac_actor(found) | _critics(found)
    elif algorithm == "td3":
        for net in ("actor", "actor_target"):
            named |= _sequential(f"{net}.mu", require_layers(found, "actor"))
        named |= _critics(found)
    else:
        named = _actor_critic(found, fresh)
    return {
        **fresh,
        **{name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in named.items()},
    }


def _sac_actor(found: Networks) -> Networks:
    *hidden, (weight, bias) = require_layers(found, "actor")
    log_std = found.get("log_std")
    if log_std is None:  # its spread depends on the state: the second half of the outputs
        (mean, spread), (mean_bias, spread_bias) = np.split(weight, 2), np.split(bias, 2)
    else:
        mean, mean_bias = weight, bias
        spread, spread_bias = np.zeros_like(weight), log_std.reshape(-1).clip(*SQUASHED_LOG_STD)
    return {
        **_sequential("actor.latent_pi", hidden),
        "actor.mu.weight": mean,
        "actor.mu.bias": mean_bias,
        "actor.log_std.weight": spread,
        "actor.log_std.bias": spread_bias,
    }


def _critics(found: Networks) -> Networks:
    named: Networks = {}
    for number, layers in enumerate(critics_of(found)):
        for net in ("critic", "critic_target"):
            named |= _sequential(f"{net}.qf{number}", layers)
    return named


def _actor_critic(found: Networks, fresh: Mapping[str, Any]) -> Networks:
    """Of PPO and A2C. Continuous actions: gSDE with squashed outputs, whose mean action is the same."""
    *hidden, (weight, bias) = require_layers(found, "actor")
    # Of a policy whose spread depends on the state, the first half of the outputs is the mean.
    outputs = fresh["action_net.bias"].shape[0]
    named = {"action_net.weight": weight[:outputs], "action_net.bias": bias[:outputs]}
    named |= _sequential("mlp_extractor.policy_net", hidden)
    value = layers_of(found, "value")
    if value:
        *hidden, (weight, bias) = value
        named |= {"value_net.weight": weight, "value_net.bias": bias}
        named |= _sequential("mlp_extractor.value_net", hidden)
    if "log_std" in fresh:
        named["log_std"] = np.full(tuple(fresh["log_std"].shape), SDE_LOG_STD, np.float32)
    return named


def _sequential(name: str, layers: Layers) -> Networks:
    """Layers with an activation between them."""
    named: Networks = {}
    for number, (weight, bias) in enumerate(layers):
        named |= {f"{name}.{2 * number}.weight": weight, f"{name}.{2 * number}.bias": bias}
    return named
