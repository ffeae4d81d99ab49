"""Hyper-parameters of the turbo learners, with bounds and descriptions; imports no learner."""

from __future__ import annotations

from typing import Literal

from rl_lab.core.runners import Params, param


class TurboPpoParams(Params):
    """Hyper-parameters of turbo PPO."""

    n_envs: int = param(32, "Number of environments stepped in parallel.", group="Experience", ge=1, le=4096)
    n_steps: int = param(
        128, "Steps per environment between two updates.", group="Experience", ge=1, le=16384
    )
    batch_size: int = param(256, "Number of samples per gradient step.", ge=1, le=65536)
    n_epochs: int = param(6, "Number of passes over each rollout.", ge=1, le=100)
    learning_rate: float = param(1e-3, "How much each update changes the network.", scale="log", gt=0, le=1)
    anneal_to: float = param(
        1.0,
        "Factor on the learning rate at the end of the run, reached linearly; 1 keeps it constant.",
        ge=0,
        le=1,
    )
    gamma: float = param(
        0.99,
        "Discount factor: the weight of a reward one step later. 0 is short-sighted, 1 does not discount.",
        ge=0,
        le=1,
    )
    gae_lambda: float = param(
        0.95, "Advantage estimate between one-step (0) and whole-episode (1).", ge=0, le=1
    )
    clip_range: float = param(
        0.2, "Maximum relative change of an action's probability in one update.", gt=0, le=10
    )
    ent_coef: float = param(0.0, "Weight of the entropy bonus.", group="Exploration", ge=0, le=1)
    log_std_init: float = param(
        0.0,
        "Log of the initial standard deviation of continuous actions.",
        group="Exploration",
        ge=-10,
        le=3,
        actions="continuous",
    )
    vf_coef: float = param(0.5, "Weight of the critic's loss.", advanced=True, ge=0, le=100)
    max_grad_norm: float = param(
        0.5,
        "Gradients with a larger norm are clipped to this norm; 0 = no limit.",
        advanced=True,
        ge=0,
        le=1000,
    )
    target_kl: float = param(
        0.0,
        "Stop the epochs of an update once its KL divergence exceeds this; 0 = never.",
        advanced=True,
        ge=0,
        le=10,
    )
    adam_beta2: float = param(0.999, "Decay rate of Adam's second moment.", advanced=True, gt=0, lt=1)
    hidden: int = param(64, "Units in each of the two hidden layers.", group="Network", ge=4, le=1024)
    activation: Literal["tanh", "relu"] = param(
        "tanh", "Activation function of the hidden layers.", group="Network"
    )
    normalize_observations: bool = param(
        False, "Scale observations to mean 0 and standard deviation 1.", group="Scaling"
    )
    normalize_reward: bool = param(
        False, "Divide rewards by the standard deviation of the return.", group="Scaling"
    )
    reward_scale: float = param(
        1.0,
        "Factor by which the learner multiplies every reward.",
        group="Scaling",
        scale="log",
        gt=0,
        le=1000,
    )
    processes: int = param(
        0,
        "Number of processes that step environments; 0 = one per core. It does not change the result.",
        group="Machine",
        ge=0,
        le=64,
    )


class TurboDqnParams(Params):
    """Hyper-parameters of turbo DQN."""

    n_envs: int = param(16, "Number of environments stepped in parallel.", group="Experience", ge=1, le=1024)
    train_freq: int = param(
        8, "Steps per environment between two rounds of updates.", group="Experience", ge=1, le=4096
    )
    gradient_steps: int = param(16, "Gradient steps per round.", ge=1, le=4096)
    batch_size: int = param(128, "Number of samples per gradient step.", ge=1, le=65536)
    buffer_size: int = param(
        100_000,
        "Number of steps in the replay buffer.",
        group="Experience",
        scale="log",
        ge=100,
        le=10_000_000,
    )
    learning_starts: int = param(
        1000, "Number of steps before learning starts.", group="Experience", ge=0, le=10_000_000
    )
    learning_rate: float = param(5e-4, "How much each update changes the network.", scale="log", gt=0, le=1)
    anneal_to: float = param(
        1.0,
        "Factor on the learning rate at the end of the run, reached linearly; 1 keeps it constant.",
        ge=0,
        le=1,
    )
    gamma: float = param(
        0.99,
        "Discount factor: the weight of a reward one step later. 0 is short-sighted, 1 does not discount.",
        ge=0,
        le=1,
    )
    n_steps: int = param(
        1,
        "Length of n-step returns: rewards summed before the network's estimate is used.",
        ge=1,
        le=32,
        help_key="n_step_return",
    )
    target_update_interval: int = param(
        500, "Gradient steps between updates of the target network.", ge=1, le=1_000_000
    )
    exploration_steps: int = param(
        20_000,
        "Number of steps over which the rate of random actions falls to its final value.",
        group="Exploration",
        ge=1,
        le=100_000_000,
    )
    exploration_final_eps: float = param(
        0.01, "Final rate of random actions.", group="Exploration", ge=0, le=1
    )
    max_grad_norm: float = param(
        10.0,
        "Gradients with a larger norm are clipped to this norm; 0 = no limit.",
        advanced=True,
        ge=0,
        le=1000,
    )
    adam_beta2: float = param(0.999, "Decay rate of Adam's second moment.", advanced=True, gt=0, lt=1)
    hidden: int = param(128, "Units in each of the two hidden layers.", group="Network", ge=4, le=1024)
    activation: Literal["tanh", "relu"] = param(
        "relu", "Activation function of the hidden layers.", group="Network"
    )
    reward_scale: float = param(
        1.0,
        "Factor by which the learner multiplies every reward.",
        group="Scaling",
        scale="log",
        gt=0,
        le=1000,
    )
    processes: int = param(
        0,
        "Number of processes that step environments; 0 = one per core. It does not change the result.",
        group="Machine",
        ge=0,
        le=64,
    )
