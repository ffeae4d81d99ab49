"""The hyper-parameters of DQN, SAC and TD3, which learn again and again from a memory of past steps."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from rl_lab.core.runners import param
from rl_lab.runners.sb3.params import EXPLORATION, LEARNING_RATE, NET_ARCH, NETWORK, Sb3Params, Width, refuse


class OffPolicyParams(Sb3Params):
    """What DQN, SAC and TD3 share."""

    buffer_size: int = param(
        1_000_000,
        "Steps the replay memory keeps. Too small forgets rare events, too large takes memory.",
        ge=1,
        le=10_000_000,
    )
    learning_starts: int = param(
        100, "Random steps that fill the memory before learning begins.", ge=0, le=10_000_000
    )
    batch_size: int = param(256, "Remembered steps each gradient step learns from.", ge=2, le=65_536)
    train_freq: int = param(1, "Steps of each copy between two rounds of learning.", ge=1, le=100_000)
    gradient_steps: int = param(
        1, "Gradient steps in a round of learning; -1 does as many as steps were played.", ge=-1, le=100_000
    )
    n_steps: int = param(
        1,
        "Rewards summed up before the critic's guess takes over: 1 is classic, 3 spreads reward faster.",
        ge=1,
        le=100,
        advanced=True,
    )
    tau: float = param(
        0.005,
        "How fast the target network follows: 1 copies it, 0.005 drifts slowly.",
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
                "buffer_size {size} holds less than one step of {envs} copies (n_envs). Raise it.",
                size=buffer_size,
                envs=n_envs,
            )
        return buffer_size

    @field_validator("learning_starts")
    @classmethod
    def _starts_before_the_memory_is_full(cls, learning_starts: int, info: ValidationInfo) -> int:
        buffer_size = info.data.get("buffer_size")
        if buffer_size is not None and learning_starts >= buffer_size:
            raise refuse(
                "learning_starts {starts} must be below buffer_size {size}: the first steps would be "
                "forgotten before learning begins. Lower learning_starts or raise buffer_size.",
                starts=learning_starts,
                size=buffer_size,
            )
        return learning_starts


class DqnParams(OffPolicyParams):
    learning_rate: float = param(1e-4, LEARNING_RATE, scale="log", gt=0, le=1)
    batch_size: int = param(32, "Remembered steps each gradient step learns from.", ge=2, le=65_536)
    train_freq: int = param(4, "Steps of each copy between two rounds of learning.", ge=1, le=100_000)
    tau: float = param(
        1.0,
        "How much of the network is copied to the target network at each target update.",
        gt=0,
        le=1,
        advanced=True,
    )
    target_update_interval: int = param(
        10_000,
        "Steps between copies to the target network. Rare copies are steady, frequent ones fast.",
        ge=1,
        le=10_000_000,
    )
    exploration_fraction: float = param(
        0.1,
        "Share of the run over which random actions fade to their final rate.",
        group=EXPLORATION,
        gt=0,
        le=1,
    )
    exploration_initial_eps: float = param(
        1.0, "Share of random actions at the start.", group=EXPLORATION, ge=0, le=1
    )
    exploration_final_eps: float = param(
        0.05, "Share of random actions from then on.", group=EXPLORATION, ge=0, le=1
    )
    max_grad_norm: float = param(10, "Longer gradients are cut to this length.", gt=0, le=1000, advanced=True)

    @field_validator("exploration_final_eps")
    @classmethod
    def _exploration_falls(cls, final: float, info: ValidationInfo) -> float:
        initial = info.data.get("exploration_initial_eps")
        if initial is not None and final > initial:
            raise refuse(
                "exploration_final_eps {final} is above exploration_initial_eps {initial}: exploration can "
                "only fall. Swap them.",
                final=final,
                initial=initial,
            )
        return final


class ContinuousParams(OffPolicyParams):
    """What SAC and TD3 share."""

    net_arch: list[Width] = param([256, 256], NET_ARCH, group=NETWORK, max_length=8)
    n_critics: int = param(
        2,
        "Critics that must agree; the lowest guess counts, against optimism.",
        group=NETWORK,
        ge=1,
        le=10,
        advanced=True,
    )
    action_noise: Literal["none", "normal", "ornstein-uhlenbeck"] = param(
        "none",
        "Noise added to each action while learning: independent at each step, or drifting.",
        group=EXPLORATION,
    )
    action_noise_sigma: float = param(
        0.1, "Size of that noise, for actions scaled to -1 … 1.", group=EXPLORATION, ge=0, le=2
    )


class SacParams(ContinuousParams):
    ent_coef: Annotated[float, Field(ge=0, le=10)] | Literal["auto"] = param(
        "auto",
        "Weight of randomness against reward; auto tunes it while learning.",
        group=EXPLORATION,
    )
    target_entropy: Annotated[float, Field(ge=-1000, le=1000)] | Literal["auto"] = param(
        "auto",
        "Randomness that an automatic ent_coef aims at; auto is minus the number of action values.",
        group=EXPLORATION,
        advanced=True,
    )
    target_update_interval: int = param(
        1, "Gradient steps between target updates.", ge=1, le=1_000_000, advanced=True
    )
    use_sde: bool = param(
        False,
        "Noise that depends on the state instead of shaking at every step; good for robots.",
        group=EXPLORATION,
        advanced=True,
    )
    sde_sample_freq: int = param(
        -1,
        "Steps between new noise when state-dependent exploration is on; -1 draws once a rollout.",
        group=EXPLORATION,
        ge=-1,
        le=100_000,
        advanced=True,
    )
    use_sde_at_warmup: bool = param(
        False,
        "Use state-dependent noise before learning starts too.",
        group=EXPLORATION,
        advanced=True,
    )
    log_std_init: float = param(
        -3,
        "Logarithm of the spread of the first state-dependent noise.",
        group=EXPLORATION,
        ge=-10,
        le=2,
        advanced=True,
    )


class Td3Params(ContinuousParams):
    learning_rate: float = param(1e-3, LEARNING_RATE, scale="log", gt=0, le=1)
    net_arch: list[Width] = param([400, 300], NET_ARCH, group=NETWORK, max_length=8)
    policy_delay: int = param(
        2, "The actor learns once for so many updates of the critics.", ge=1, le=1000, advanced=True
    )
    target_policy_noise: float = param(
        0.2, "Noise that smooths the critics' targets.", ge=0, le=2, advanced=True
    )
    target_noise_clip: float = param(0.5, "That noise is cut at this size.", ge=0, le=2, advanced=True)
