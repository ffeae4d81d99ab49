"""The hyper-parameters of PPO and A2C, which learn only from new experience."""

from __future__ import annotations

from pydantic import ValidationInfo, field_validator

from rl_lab.core.runners import param
from rl_lab.runners.sb3.params import (
    ADVANCED,
    EXPLORATION,
    LEARNING_RATE,
    NETWORK,
    Activation,
    Sb3Params,
    refuse,
)


class OnPolicyParams(Sb3Params):
    """Hyper-parameters that PPO and A2C share."""

    n_steps: int = param(
        2048,
        "Steps per environment before each update. Longer rollouts give more stable but less frequent updates.",
        ge=1,
        le=1_000_000,
    )
    gae_lambda: float = param(
        0.95,
        "Trade-off between bias and variance of the advantage: 1 uses the observed returns, 0 trusts the critic.",
        ge=0,
        le=1,
    )
    ent_coef: float = param(
        0.0,
        "Weight of the entropy bonus. Raise it a little (0.01) if the policy becomes deterministic too early.",
        group=EXPLORATION,
        ge=0,
        le=1,
    )
    vf_coef: float = param(0.5, "Weight of the critic's loss in the total loss.", ge=0, le=10, advanced=True)
    max_grad_norm: float = param(
        0.5, "Gradients with a larger norm are clipped to this norm.", gt=0, le=1000, advanced=True
    )
    activation: Activation = param(
        "tanh", "Activation function between the layers.", group=NETWORK, advanced=True
    )
    ortho_init: bool = param(
        True,
        "Initialise the weights orthogonally, which keeps early gradients at a similar scale.",
        group=NETWORK,
        advanced=True,
    )
    log_std_init: float = param(
        0.0,
        "Continuous actions only: log of the initial standard deviation of the actions. -2 is small, 0 is large.",
        group=EXPLORATION,
        ge=-10,
        le=2,
        advanced=True,
        actions="continuous",
    )
    use_sde: bool = param(
        False,
        "Continuous actions only: state-dependent exploration noise (gSDE) instead of independent noise per step.",
        group=EXPLORATION,
        advanced=True,
        actions="continuous",
    )
    squash_output: bool = param(
        False,
        "With gSDE: keep actions within their bounds with tanh instead of cutting them off.",
        group=EXPLORATION,
        advanced=True,
        actions="continuous",
    )
    sde_sample_freq: int = param(
        -1,
        "With gSDE: steps between new noise samples; -1 samples once per rollout.",
        group=EXPLORATION,
        ge=-1,
        le=100_000,
        advanced=True,
        actions="continuous",
    )

    @field_validator("squash_output")
    @classmethod
    def _squashes_state_dependent_noise(cls, squash: bool, info: ValidationInfo) -> bool:
        if squash and not info.data.get("use_sde"):
            raise refuse("needs use_sde: the library squashes the actions of gSDE only.")
        return squash


class Sb3PpoParams(OnPolicyParams):
    batch_size: int = param(
        64,
        "Number of samples per gradient step; a rollout is split into batches of this size. "
        "It should divide n_steps × n_envs.",
        ge=2,
        le=1_000_000,
    )
    n_epochs: int = param(10, "Number of passes over each rollout before it is discarded.", ge=1, le=100)
    clip_range: float = param(
        0.2, "Maximum relative change of an action's probability in one update.", gt=0, le=1
    )
    clip_range_vf: float | None = param(
        None,
        "Clip range for the critic; empty = no clipping. It depends on the scale of the rewards.",
        gt=0,
        le=1000,
        advanced=True,
    )
    normalize_advantage: bool = param(
        True, "Scale advantages to mean 0 and standard deviation 1 in each batch.", advanced=True
    )
    target_kl: float | None = param(
        None,
        "Stop the epochs of an update once its KL divergence exceeds this; empty = no limit. 0.03 is cautious.",
        gt=0,
        le=10,
        advanced=True,
    )

    @field_validator("batch_size")
    @classmethod
    def _fits_one_rollout(cls, batch_size: int, info: ValidationInfo) -> int:
        n_steps, n_envs = info.data.get("n_steps"), info.data.get("n_envs")
        if n_steps is not None and n_envs is not None and batch_size > n_steps * n_envs:
            raise refuse(
                "batch_size {batch} is larger than a rollout of n_steps × n_envs = {steps} × {envs} = "
                "{rollout} samples. Lower batch_size or raise n_steps.",
                batch=batch_size,
                steps=n_steps,
                envs=n_envs,
                rollout=n_steps * n_envs,
            )
        return batch_size


class A2cParams(OnPolicyParams):
    learning_rate: float = param(7e-4, LEARNING_RATE, scale="log", gt=0, le=1)
    n_steps: int = param(
        5,
        "Steps per environment before each update. A2C updates often, on little data.",
        ge=1,
        le=1_000_000,
    )
    gae_lambda: float = param(
        1.0,
        "Trade-off between bias and variance of the advantage: 1 uses the observed returns, 0 trusts the critic.",
        ge=0,
        le=1,
    )
    normalize_advantage: bool = param(
        False, "Scale advantages to mean 0 and standard deviation 1 in each rollout.", advanced=True
    )
    use_rms_prop: bool = param(
        True, "Use the RMSprop optimiser, as in the paper, instead of Adam.", group=ADVANCED, advanced=True
    )
    rms_prop_eps: float = param(
        1e-5,
        "Epsilon of RMSprop; avoids division by zero.",
        group=ADVANCED,
        scale="log",
        gt=0,
        le=1,
        advanced=True,
    )

    @field_validator("normalize_advantage")
    @classmethod
    def _has_two_samples(cls, normalize: bool, info: ValidationInfo) -> bool:
        if normalize and info.data.get("n_steps") == 1 and info.data.get("n_envs") == 1:
            raise refuse("needs at least two samples per rollout: raise n_steps or n_envs.")
        return normalize
