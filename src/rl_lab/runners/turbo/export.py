"""Exports a turbo policy as an SB3 `.zip` or an ONNX graph; both act exactly like the checkpoint.

Observation scaling is folded into the first layer and reward scaling is removed from the values, so both take
unscaled observations and return values in the environment's rewards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.onnx_policies import F32, Layers, PolicyGraph, value_info
from rl_lab.runners.turbo.checkpoints import Header, read_checkpoint
from rl_lab.runners.turbo.playing import network_of, reward_scale


def export_sb3(checkpoint: Path, target: Path) -> None:
    """Writes a model for `PPO.load` or `DQN.load` of Stable-Baselines3."""
    from stable_baselines3 import DQN, PPO
    from torch import from_numpy, nn

    from rl_lab.worker.environments.make import make_environment

    header, state = read_checkpoint(checkpoint)
    layers, log_std = _layers(header, state)
    width, params = header.params["hidden"], header.params
    activation = nn.ReLU if params["activation"] == "relu" else nn.Tanh
    shape = {"net_arch": [width, width], "activation_fn": activation}
    env = make_environment(header.env.env_id, header.env.env_kwargs)
    common: dict[str, Any] = {"policy_kwargs": shape, "device": "cpu", "gamma": params["gamma"]}
    if header.algorithm == "ppo":
        model = PPO("MlpPolicy", env, learning_rate=params["learning_rate"], **common)
    else:
        model = DQN("MlpPolicy", env, learning_rate=params["learning_rate"], buffer_size=1, **common)
    names = _sb3_names(header, layers, log_std)
    tensors = {name: from_numpy(np.ascontiguousarray(array)) for name, array in names.items()}
    model.policy.load_state_dict(tensors)
    model.num_timesteps = int(state["timesteps"])
    model.save(target)
    env.close()


def sb3_weights(checkpoint: Path, algorithm: str) -> dict[str, F32]:
    """The policy of a checkpoint under the names that SB3 uses; InvalidInput for one of another algorithm."""
    header, state = read_checkpoint(checkpoint)
    if header.algorithm != algorithm:
        message = f"The weights are those of turbo {header.algorithm}; {algorithm} has other networks."
        raise InvalidInput.of_field("algorithm", message, [header.algorithm])
    return _sb3_names(header, *_layers(header, state))


def _sb3_names(header: Header, layers: list[Layers], log_std: F32 | None) -> dict[str, F32]:
    names = _ppo_names(layers) if header.algorithm == "ppo" else _dqn_names(layers)
    return names if log_std is None else {**names, "log_std": log_std.copy()}


def _ppo_names(layers: list[Layers]) -> dict[str, F32]:
    names: dict[str, F32] = {}
    for twin, net, head in ((0, "policy_net", "action_net"), (1, "value_net", "value_net")):
        for index, (weight, bias) in zip((0, 2), layers[twin][:2], strict=True):
            names[f"mlp_extractor.{net}.{index}.weight"] = weight.T
            names[f"mlp_extractor.{net}.{index}.bias"] = bias
        names[f"{head}.weight"], names[f"{head}.bias"] = layers[twin][2][0].T, layers[twin][2][1]
    return names


def _dqn_names(layers: list[Layers]) -> dict[str, F32]:
    names: dict[str, F32] = {}
    for net in ("q_net", "q_net_target"):
        for index, (weight, bias) in zip((0, 2, 4), layers[0], strict=True):
            names[f"{net}.q_net.{index}.weight"], names[f"{net}.q_net.{index}.bias"] = weight.T, bias
    return names


def export_onnx(checkpoint: Path, target: Path) -> None:
    """Writes a graph `observation (n × size) → action`, plus the outputs `logits`/`mean` and `value`, or `q_values`."""
    from onnx import TensorProto, helper

    header, state = read_checkpoint(checkpoint)
    layers, _ = _layers(header, state)
    graph = PolicyGraph(header.params["activation"])
    is_ppo, env = header.algorithm == "ppo", header.env
    scores = "q_values" if not is_ppo else "logits" if env.is_discrete else "mean"
    graph.mlp("observation", layers[0], scores)
    outputs = [value_info(scores, TensorProto.FLOAT, env.action_size)]
    if is_ppo:
        graph.mlp("observation", layers[1], "value")
        outputs.append(value_info("value", TensorProto.FLOAT, 1))
    if env.is_discrete:
        graph.best_of(scores, env.action_start)
        action = helper.make_tensor_value_info("action", TensorProto.INT64, ["n"])
    else:
        graph.clip(scores, env.action_low, env.action_high)
        action = value_info("action", TensorProto.FLOAT, env.action_size)
    graph.save(
        target,
        observation_size=env.observation_size,
        outputs=[action, *outputs],
        about=f"{header.algorithm} for {env.env_id}",
    )


def policy_layers(header: Header, state: dict[str, Any]) -> Layers:
    """The layers whose outputs choose an action: logits, a mean, or values of actions."""
    return _layers(header, state)[0][0]


def _layers(header: Header, state: dict[str, Any]) -> tuple[list[Layers], F32 | None]:
    """The layers of each twin, and the log of the standard deviation if the policy has one."""
    p, scale = network_of(header, state).parameters, reward_scale(header, state)
    twins: list[Layers] = []
    for twin in range(len(p["w1"])):
        is_value = twin == 1 or header.algorithm == "dqn"
        factor = np.float32(1 / scale if is_value else 1)
        last = (p[f"w3_{twin}"] * factor, p[f"b3_{twin}"] * factor)
        twins.append([(p["w1"][twin], p["b1"][twin, 0]), (p["w2"][twin], p["b2"][twin, 0]), last])
    return twins, p.get("free")
