"""The networks of CleanRL's single-file scripts, recognised by the names and shapes of their tensors.

They are the networks of Stable-Baselines3 under other names, so the lab plays them with that runner.
"""

from __future__ import annotations

import re
from typing import Any

from rl_lab.runners.imports.found_models import FoundModel
from rl_lab.runners.imports.refusals import refused
from rl_lab.runners.imports.tensors import only_state_dict, require_state_dict

LAYER = re.compile(r"(actor|critic|actor_mean|network)\.(\d+)\.(weight|bias)")
NOT_SAVED = (
    "CleanRL's continuous PPO scales observations with running statistics that its file does not hold: if the script "
    "did, the policy acts worse here than it did there."
)
SPREAD = (
    "Sampled actions of CleanRL's SAC spread differently from those of Stable-Baselines3; the best action, which "
    "evaluations use, is the same."
)


def read_cleanrl(found: Any, name: str, wanted: str | None) -> FoundModel:
    """`found` is what torch saved: a state dict, a dict that holds one (`{"model": …, "step": 5}`),
    or the tuple (actor, qf1, qf2) of TD3, DDPG and SAC."""
    parts = list(found) if isinstance(found, tuple | list) else [only_state_dict(found, name)]
    if not 1 <= len(parts) <= 3:
        raise _unknown(name)
    states = [require_state_dict(part, name) for part in parts]
    actor = states[0]
    if any(tensor.ndim == 4 for tensor in actor.values()):
        raise refused(
            f"“{name}” is a network for images, which the lab does not import from CleanRL.",
            "Export its policy as ONNX, which the lab can evaluate.",
        )
    model = _recognise(actor, states[1:], name)
    if wanted and wanted.lower() not in (
        model.algorithm,
        "a2c" if model.algorithm == "ppo" else model.algorithm,
    ):
        raise refused(
            f"“{name}” is a network of {model.algorithm.upper()}, not of {wanted.upper()}.",
            "Leave --algorithm out.",
        )
    return model


def _recognise(actor: dict[str, Any], critics: list[dict[str, Any]], name: str) -> FoundModel:
    names = set(actor)
    if "fc_mean.weight" in names and "fc_logstd.weight" in names:
        return _sac(actor, critics)
    if "fc_mu.weight" in names:
        return _td3(actor, critics)
    families = {match.group(1) for match in map(LAYER.fullmatch, names) if match}
    if families == {"network"} and all(LAYER.fullmatch(key) for key in names):
        return _dqn(actor, name)
    if families == {"actor", "critic"} or (families == {"actor_mean", "critic"} and "actor_logstd" in names):
        return _ppo(actor, families, name)
    raise _unknown(name)


def _ppo(tensors: dict[str, Any], families: set[str], name: str) -> FoundModel:
    is_discrete = "actor" in families
    made: dict[str, Any] = {}
    policy = _stack(tensors, "actor" if is_discrete else "actor_mean", name)
    value = _stack(tensors, "critic", name)
    for net, head, layers in (("policy_net", "action_net", policy), ("value_net", "value_net", value)):
        for number, (weight, bias) in enumerate(layers[:-1]):
            made[f"mlp_extractor.{net}.{2 * number}.weight"] = weight
            made[f"mlp_extractor.{net}.{2 * number}.bias"] = bias
        made[f"{head}.weight"], made[f"{head}.bias"] = layers[-1]
    if not is_discrete:
        made["log_std"] = tensors["actor_logstd"].reshape(-1)
    model = _model("ppo", made, policy, is_discrete)
    model.activation = "tanh"
    model.notes = [] if is_discrete else [NOT_SAVED]
    return model


def _dqn(tensors: dict[str, Any], name: str) -> FoundModel:
    layers = _stack(tensors, "network", name)
    made = {}
    for net in ("q_net", "q_net_target"):
        for number, (weight, bias) in enumerate(layers):
            made[f"{net}.q_net.{2 * number}.weight"], made[f"{net}.q_net.{2 * number}.bias"] = weight, bias
    model = _model("dqn", made, layers, True)
    model.activation = "relu"
    return model


def _td3(actor: dict[str, Any], critics: list[dict[str, Any]]) -> FoundModel:
    layers = [_linear(actor, key) for key in ("fc1", "fc2", "fc_mu")]
    made = {}
    for net in ("actor", "actor_target"):
        for number, (weight, bias) in enumerate(layers):
            made[f"{net}.mu.{2 * number}.weight"], made[f"{net}.mu.{2 * number}.bias"] = weight, bias
    made |= _critics(critics)
    model = _model("td3", made, layers, False)
    model.activation = "relu"
    return model


def _sac(actor: dict[str, Any], critics: list[dict[str, Any]]) -> FoundModel:
    layers = [_linear(actor, key) for key in ("fc1", "fc2")]
    made = {}
    for number, (weight, bias) in enumerate(layers):
        made[f"actor.latent_pi.{2 * number}.weight"], made[f"actor.latent_pi.{2 * number}.bias"] = (
            weight,
            bias,
        )
    mean = _linear(actor, "fc_mean")
    for head, (weight, bias) in (("mu", mean), ("log_std", _linear(actor, "fc_logstd"))):
        made[f"actor.{head}.weight"], made[f"actor.{head}.bias"] = weight, bias
    made |= _critics(critics)
    model = _model("sac", made, [*layers, mean], False)
    model.activation, model.notes = "relu", [SPREAD]
    return model


def _critics(critics: list[dict[str, Any]]) -> dict[str, Any]:
    """Q networks as critic and as its target; without any the critic stays untrained."""
    made = {}
    for index, critic in enumerate(critics):
        for number, key in enumerate(("fc1", "fc2", "fc3")):
            weight, bias = _linear(critic, key)
            for net in ("critic", "critic_target"):
                made[f"{net}.qf{index}.{2 * number}.weight"], made[f"{net}.qf{index}.{2 * number}.bias"] = (
                    weight,
                    bias,
                )
    return made


def _model(
    algorithm: str, tensors: dict[str, Any], layers: list[tuple[Any, Any]], is_discrete: bool
) -> FoundModel:
    return FoundModel(
        "cleanrl",
        algorithm,
        {key: tensor.contiguous() for key, tensor in tensors.items()},
        observation=(int(layers[0][0].shape[1]),),
        action_size=int(layers[-1][0].shape[0]),
        is_discrete=is_discrete,
    )


def _stack(tensors: dict[str, Any], family: str, name: str) -> list[tuple[Any, Any]]:
    numbers = sorted({int(m.group(2)) for m in map(LAYER.fullmatch, tensors) if m and m.group(1) == family})
    if not 2 <= len(numbers) <= 8:
        raise _unknown(name)
    return [_linear(tensors, f"{family}.{number}") for number in numbers]


def _linear(tensors: dict[str, Any], key: str) -> tuple[Any, Any]:
    weight, bias = tensors.get(f"{key}.weight"), tensors.get(f"{key}.bias")
    if weight is None or bias is None or weight.ndim != 2 or bias.shape != weight.shape[:1]:
        raise refused(f"The layer “{key}” has no weights and biases that fit.")
    return weight, bias


def _unknown(name: str) -> Exception:
    return refused(
        f"“{name}” holds tensors of a network that the lab does not know; it knows CleanRL's networks of PPO, DQN, SAC "
        "and TD3 for vectors.",
        "Export its policy as ONNX, which the lab can evaluate, or run its script in the lab: `rl-lab run SCRIPT`.",
    )
