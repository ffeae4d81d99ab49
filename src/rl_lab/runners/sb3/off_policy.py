"""The hyper-parameters of DQN, SAC and TD3, which learn repeatedly from a replay buffer of past steps."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from rl_lab.core.runners import param
from rl_lab.runners.sb3.params import EXPLORATION, LEARNING_RATE, NET_ARCH, NETWORK, Sb3Params, Width, refuse


class OffPolicyParams(Sb3Params):
    """Hyper-parameters that DQN, SAC and TD3 share."""

    buffer_size: int = param(
        1_000_000,
        "Number of steps in the replay buffer. A small buffer forgets rare events; a large one uses more memory.",
        ge=1,
        le=10_000_000,
    )
    learning_starts: int = param(
        100, "Number of random steps that fill the replay buffer before learning starts.", ge=0, le=10_000_000
    )
    batch_size: int = param(
        256, "Number of samples from the replay buffer per gradient step.", ge=2, le=65_536
    )
    train_freq: int = param(1, "Steps per environment between two training rounds.", ge=1, le=100_000)
    gradient_steps: int = param(
        1,
        "Gradient steps per training round; -1 = as many as environment steps were taken.",
        ge=-1,
        le=100_000,
    )
    n_steps: int = param(
        1,
        "Length of n-step returns: rewards summed before the critic's estimate is used. 1 is the classic choice; "
        "3 propagates rewards faster.",
        ge=1,
        le=100,
        advanced=True,
        help_key="n_step_return",
    )
    tau: float = param(
        0.005,
        "Update rate of the target network: 1 copies the network, 0.005 follows it slowly.",
        gt=0,
        le=1,
        advanced=True,
    )

    @field_validator("buffer_size")
    @classmethod
    def _holds_one_step(cls, buffer_size: int, info: ValidationInfo) -> int:
        n_envs = info.data.get("n_envs", 1)
        if buffer_size < n_envs:
            raise refuse(
                "buffer_size {size} is smaller than one step of {envs} environments (n_envs). Raise it.",
                size=buffer_size,
                envs=n_envs,
            )
        return buffer_size

    @field_validator("learning_starts")
    @classmethod
    def _starts_before_the_buffer_is_full(cls, learning_starts: int, info: ValidationInfo) -> int:
        buffer_size = info.data.get("buffer_size")
        if buffer_size is not None and learning_starts >= buffer_size:
            raise refuse(
                "learning_starts {starts} must be less than buffer_size {size}: otherwise the first steps are "
                "overwritten before learning starts. Lower learning_starts or raise buffer_size.",
                starts=learning_starts,
                size=buffer_size,
            )
        return learning_starts


class Sb3DqnParams(OffPolicyParams):
    learning_rate: float = param(1e-4, LEARNING_RATE, scale="log", gt=0, le=1)
    batch_size: int = param(
        32, "Number of samples from the replay buffer per gradient step.", ge=2, le=65_536
    )
    train_freq: int = param(4, "Steps per environment between two training rounds.", ge=1, le=100_000)
    tau: float = param(
        1.0,
        "Share of the network that is copied to the target network at each target update.",
        gt=0,
        le=1,
        advanced=True,
        help_key="dqn_tau",
    )
    target_update_interval: int = param(
        10_000,
        "Steps between updates of the target network. Rare updates are more stable, frequent updates learn faster.",
        ge=1,
        le=10_000_000,
    )
    exploration_fraction: float = param(
        0.1,
        "Share of the run over which the rate of random actions falls to its final value.",
        group=EXPLORATION,
        gt=0,
        le=1,
    )
    exploration_initial_eps: float = param(
        1.0, "Rate of random actions at the start.", group=EXPLORATION, ge=0, le=1
    )
    exploration_final_eps: float = param(0.05, "Final rate of random actions.", group=EXPLORATION, ge=0, le=1)
    max_grad_norm: float = param(
        10, "Gradients with a larger norm are clipped to this norm.", gt=0, le=1000, advanced=True
    )

    @field_validator("exploration_final_eps")
    @classmethod
    def _exploration_falls(cls, final: float, info: ValidationInfo) -> float:
        initial = info.data.get("exploration_initial_eps")
        if initial is not None and final > initial:
            raise refuse(
                "exploration_final_eps {final} is greater than exploration_initial_eps {initial}, but exploration "
                "can only decrease. Swap the two values.",
                final=final,
                initial=initial,
            )
        return final


class ContinuousParams(OffPolicyParams):
    """Hyper-parameters that SAC and TD3 share."""

    net_arch: list[Width] = param([256, 256], NET_ARCH, group=NETWORK, max_length=8)
    n_critics: int = param(
        2,
        "Number of critics; the lowest estimate is used, which avoids overestimation.",
        group=NETWORK,
        ge=1,
        le=10,
        advanced=True,
    )
    action_noise: Literal["none", "normal", "ornstein-uhlenbeck"] = param(
        "none",
        "Noise added to each action during training: independent per step (normal), or correlated over time "
        "(ornstein-uhlenbeck).",
        group=EXPLORATION,
    )
    action_noise_sigma: float = param(
        0.1,
        "Standard deviation of the action noise, for actions scaled to -1 … 1.",
        group=EXPLORATION,
        ge=0,
        le=2,
    )


class SacParams(ContinuousParams):
    ent_coef: Annotated[float, Field(ge=0, le=10)] | Literal["auto"] = param(
        "auto",
        "Entropy coefficient: weight of randomness relative to reward; auto tunes it during training.",
        group=EXPLORATION,
        help_key="sac_ent_coef",
    )
    target_entropy: Annotated[float, Field(ge=-1000, le=1000)] | Literal["auto"] = param(
        "auto",
        "Target entropy for an automatic ent_coef; auto = minus the number of action dimensions.",
        group=EXPLORATION,
        advanced=True,
    )
    target_update_interval: int = param(
        1, "Gradient steps between updates of the target network.", ge=1, le=1_000_000, advanced=True
    )
    use_sde: bool = param(
        False,
        "State-dependent exploration noise (gSDE) instead of independent noise per step; useful for robots.",
        group=EXPLORATION,
        advanced=True,
    )
    sde_sample_freq: int = param(
        -1,
        "With gSDE: steps between new noise samples; -1 samples once per rollout.",
        group=EXPLORATION,
        ge=-1,
        le=100_000,
        advanced=True,
    )
    use_sde_at_warmup: bool = param(
        False,
        "Use gSDE also before learning starts.",
        group=EXPLORATION,
        advanced=True,
    )
    log_std_init: float = param(
        -3,
        "Log of the initial standard deviation of the gSDE noise.",
        group=EXPLORATION,
        ge=-10,
        le=2,
        advanced=True,
    )


class Td3Params(ContinuousParams):
    learning_rate: float = param(1e-3, LEARNING_RATE, scale="log", gt=0, le=1)
    net_arch: list[Width] = param([400, 300], NET_ARCH, group=NETWORK, max_length=8)
    policy_delay: int = param(2, "Number of critic updates per actor update.", ge=1, le=1000, advanced=True)
    target_policy_noise: float = param(
        0.2, "Standard deviation of the noise that smooths the critics' targets.", ge=0, le=2, advanced=True
    )
    target_noise_clip: float = param(0.5, "Maximum absolute value of that noise.", ge=0, le=2, advanced=True)
