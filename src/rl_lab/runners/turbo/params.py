"""Hyper-parameters of the turbo learners, with bounds and words; no learner is imported here."""

from __future__ import annotations

from typing import Literal

from rl_lab.core.runners import Params, param


class PpoParams(Params):
    """Hyper-parameters of turbo PPO."""

    n_envs: int = param(32, "Environments played side by side.", group="Experience", ge=1, le=4096)
    n_steps: int = param(
        128, "Steps each environment plays between two updates.", group="Experience", ge=1, le=16384
    )
    batch_size: int = param(256, "Samples of one gradient step.", ge=1, le=65536)
    n_epochs: int = param(6, "Passes over each rollout.", ge=1, le=100)
    learning_rate: float = param(1e-3, "Step size of the optimiser.", scale="log", gt=0, le=1)
    anneal_to: float = param(
        1.0, "Share of the learning rate left at the end of the run; 1 keeps it constant.", ge=0, le=1
    )
    gamma: float = param(
        0.99, "Weight of the next step's reward: 0 is greedy, 1 looks to the end.", ge=0, le=1
    )
    gae_lambda: float = param(
        0.95, "Between one-step (0) and whole-episode (1) advantage estimates.", ge=0, le=1
    )
    clip_range: float = param(0.2, "How far one update may move an action's probability.", gt=0, le=10)
    ent_coef: float = param(0.0, "Reward for staying undecided.", group="Exploration", ge=0, le=1)
    log_std_init: float = param(
        0.0, "Log of the first standard deviation of continuous actions.", group="Exploration", ge=-10, le=3
    )
    vf_coef: float = param(0.5, "Weight of the critic's loss.", advanced=True, ge=0, le=100)
    max_grad_norm: float = param(0.5, "Longest gradient allowed; 0 = any.", advanced=True, ge=0, le=1000)
    target_kl: float = param(
        0.0, "End an update's epochs once it moved this far; 0 = never.", advanced=True, ge=0, le=10
    )
    adam_beta2: float = param(0.999, "Memory of Adam's second moment.", advanced=True, gt=0, lt=1)
    hidden: int = param(64, "Units in each of the two hidden layers.", group="Network", ge=4, le=1024)
    activation: Literal["tanh", "relu"] = param("tanh", "Activation of the hidden layers.", group="Network")
    normalize_observations: bool = param(
        False, "Bring observations to zero mean and unit deviation.", group="Scaling"
    )
    normalize_reward: bool = param(False, "Divide rewards by the deviation of the return.", group="Scaling")
    reward_scale: float = param(
        1.0, "Factor on every reward the learner sees.", group="Scaling", scale="log", gt=0, le=1000
    )
    processes: int = param(
        0,
        "Processes that step environments; 0 = one per core. The result is the same.",
        group="Machine",
        ge=0,
        le=64,
    )


class DqnParams(Params):
    """Hyper-parameters of turbo DQN."""

    n_envs: int = param(16, "Environments played side by side.", group="Experience", ge=1, le=1024)
    train_freq: int = param(
        8, "Steps each environment plays between two rounds of updates.", group="Experience", ge=1, le=4096
    )
    gradient_steps: int = param(16, "Gradient steps in each round.", ge=1, le=4096)
    batch_size: int = param(128, "Samples of one gradient step.", ge=1, le=65536)
    buffer_size: int = param(
        100_000, "Steps remembered.", group="Experience", scale="log", ge=100, le=10_000_000
    )
    learning_starts: int = param(
        1000, "Steps played before learning begins.", group="Experience", ge=0, le=10_000_000
    )
    learning_rate: float = param(5e-4, "Step size of the optimiser.", scale="log", gt=0, le=1)
    anneal_to: float = param(
        1.0, "Share of the learning rate left at the end of the run; 1 keeps it constant.", ge=0, le=1
    )
    gamma: float = param(
        0.99, "Weight of the next step's reward: 0 is greedy, 1 looks to the end.", ge=0, le=1
    )
    n_steps: int = param(1, "Rewards taken from experience before the estimate takes over.", ge=1, le=32)
    target_update_interval: int = param(
        500, "Gradient steps between two copies into the target network.", ge=1, le=1_000_000
    )
    exploration_steps: int = param(
        20_000,
        "Steps over which random play falls to its end value.",
        group="Exploration",
        ge=1,
        le=100_000_000,
    )
    exploration_final_eps: float = param(
        0.01, "Share of random actions at the end.", group="Exploration", ge=0, le=1
    )
    max_grad_norm: float = param(10.0, "Longest gradient allowed; 0 = any.", advanced=True, ge=0, le=1000)
    adam_beta2: float = param(0.999, "Memory of Adam's second moment.", advanced=True, gt=0, lt=1)
    hidden: int = param(128, "Units in each of the two hidden layers.", group="Network", ge=4, le=1024)
    activation: Literal["tanh", "relu"] = param("relu", "Activation of the hidden layers.", group="Network")
    reward_scale: float = param(
        1.0, "Factor on every reward the learner sees.", group="Scaling", scale="log", gt=0, le=1000
    )
    processes: int = param(
        0,
        "Processes that step environments; 0 = one per core. The result is the same.",
        group="Machine",
        ge=0,
        le=64,
    )
