"""Creates an SB3 model from Params, for an environment and a device."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from stable_baselines3 import A2C, DQN, PPO, SAC, TD3
from stable_baselines3.common.noise import NormalActionNoise, OrnsteinUhlenbeckActionNoise
from stable_baselines3.common.utils import LinearSchedule

from rl_lab.core.errors import NotReady
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.sb3.observations import policy_name
from rl_lab.runners.sb3.params import Sb3Params
from rl_lab.runners.sb3.spec import SPEC

CLASSES: dict[str, Any] = {"ppo": PPO, "a2c": A2C, "dqn": DQN, "sac": SAC, "td3": TD3}
ACTIVATIONS = {
    "tanh": torch.nn.Tanh,
    "relu": torch.nn.ReLU,
    "elu": torch.nn.ELU,
    "leaky_relu": torch.nn.LeakyReLU,
}
POLICY_FIELDS = frozenset({"ortho_init", "log_std_init", "n_critics", "squash_output"})
"""Params that the library takes in `policy_kwargs`."""
OWN_FIELDS = frozenset(
    {
        "schedule",
        "n_envs",
        "normalize_observations",
        "normalize_reward",
        "net_arch",
        "activation",
        "action_noise",
        "action_noise_sigma",
    }
)
"""Params that this adapter converts; all others are passed to the constructor unchanged."""


def params_of(config: TrainConfig) -> Sb3Params:
    params = SPEC.algorithm(config.algorithm).params.model_validate(config.params)
    assert isinstance(params, Sb3Params)
    return params


def make_model(config: TrainConfig, params: Sb3Params, vector: Any) -> Any:
    algorithm = CLASSES[config.algorithm.lower()]
    policy = policy_name(vector.observation_space)
    arguments = params.model_dump(exclude=set(OWN_FIELDS | POLICY_FIELDS))
    arguments["learning_rate"] = learning_rate(params)
    if hasattr(params, "action_noise"):
        arguments["action_noise"] = action_noise(params, vector.action_space)
    return algorithm(
        policy,
        vector,
        policy_kwargs=policy_arguments(params, policy),
        seed=config.seed,
        device=choose_device(config, policy),
        **arguments,
    )


def learning_rate(params: Sb3Params) -> Any:
    # The library's own class, so that the saved model can be loaded without rl-lab.
    return (
        LinearSchedule(params.learning_rate, 0.0, 1.0)
        if params.schedule == "linear"
        else params.learning_rate
    )


def policy_arguments(params: Sb3Params, policy: str) -> dict[str, Any]:
    arguments = params.model_dump(include=set(POLICY_FIELDS))
    arguments["activation_fn"] = ACTIVATIONS[params.activation]
    is_default = params.net_arch == type(params).model_fields["net_arch"].default
    if not (policy == "CnnPolicy" and is_default):
        arguments["net_arch"] = list(params.net_arch)
    return arguments


def action_noise(params: Any, action_space: Any) -> Any:
    if params.action_noise == "none":
        return None
    mean = np.zeros(action_space.shape)
    sigma = params.action_noise_sigma * np.ones(action_space.shape)
    kind = NormalActionNoise if params.action_noise == "normal" else OrnsteinUhlenbeckActionNoise
    return kind(mean, sigma)


def choose_device(config: TrainConfig, policy: str) -> str:
    """`auto` keeps small on-policy networks on the CPU, where they are faster."""
    has_cuda = torch.cuda.is_available()
    if config.device == "cuda" and not has_cuda:
        raise NotReady(
            "This run needs a CUDA device, but torch finds none on this machine.",
            cause="no-gpu",
            next_step="Choose device cpu or auto, or install torch with CUDA; `rl-lab doctor` shows the details.",
        )
    is_small = policy == "MlpPolicy" and config.algorithm.lower() in ("ppo", "a2c")
    if config.device == "cpu" or not has_cuda or (config.device == "auto" and is_small):
        torch.set_num_threads(1)
        return "cpu"
    return "cuda"
