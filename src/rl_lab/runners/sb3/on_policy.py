"""The hyper-parameters of PPO and A2C, which learn from fresh experience only."""

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
    """What PPO and A2C share."""

    n_steps: int = param(
        2048,
        "Steps each copy plays before an update. Long rollouts give steadier, rarer updates.",
        ge=1,
        le=1_000_000,
    )
    gae_lambda: float = param(
        0.95,
        "Bias against variance of the advantage: 1 trusts what really happened, 0 trusts the critic.",
        ge=0,
        le=1,
    )
    ent_coef: float = param(
        0.0,
        "Bonus for staying undecided. Raise it a little (0.01) when the policy settles too early.",
        group=EXPLORATION,
        ge=0,
        le=1,
    )
    vf_coef: float = param(0.5, "Weight of the critic's loss in the total.", ge=0, le=10, advanced=True)
    max_grad_norm: float = param(
        0.5, "Longer gradients are cut to this length.", gt=0, le=1000, advanced=True
    )
    activation: Activation = param("tanh", "The non-linearity between layers.", group=NETWORK, advanced=True)
    ortho_init: bool = param(
        True, "Start from orthogonal weights, which keeps early gradients even.", group=NETWORK, advanced=True
    )
    log_std_init: float = param(
        0.0,
        "Continuous actions only: logarithm of the spread of the first actions. -2 is calm, 0 is wild.",
        group=EXPLORATION,
        ge=-10,
        le=2,
        advanced=True,
    )
    use_sde: bool = param(
        False,
        "Continuous actions only: noise that depends on the state instead of shaking at every step.",
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


class PpoParams(OnPolicyParams):
    batch_size: int = param(
        64,
        "Samples of one gradient step; a rollout is cut into batches of this size. "
        "Best a divisor of n_steps × n_envs.",
        ge=2,
        le=1_000_000,
    )
    n_epochs: int = param(
        10, "How often each rollout is learned from before it is thrown away.", ge=1, le=100
    )
    clip_range: float = param(
        0.2, "How far one update may move the probability of an action, as a ratio.", gt=0, le=1
    )
    clip_range_vf: float | None = param(
        None,
        "The same limit for the critic; empty for none. It depends on the size of the rewards.",
        gt=0,
        le=1000,
        advanced=True,
    )
    normalize_advantage: bool = param(
        True, "Scale advantages to mean 0 and spread 1 in each batch.", advanced=True
    )
    target_kl: float | None = param(
        None,
        "Leave a rollout once the policy has moved this far; empty for no limit. 0.03 is careful.",
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
        5, "Steps each copy plays before an update. A2C updates often, on little.", ge=1, le=1_000_000
    )
    gae_lambda: float = param(
        1.0,
        "Bias against variance of the advantage: 1 trusts what really happened, 0 trusts the critic.",
        ge=0,
        le=1,
    )
    normalize_advantage: bool = param(
        False, "Scale advantages to mean 0 and spread 1 in each rollout.", advanced=True
    )
    use_rms_prop: bool = param(
        True, "Optimise with RMSprop, as in the paper, instead of Adam.", group=ADVANCED, advanced=True
    )
    rms_prop_eps: float = param(
        1e-5,
        "Keeps RMSprop's division stable.",
        group=ADVANCED,
        scale="log",
        gt=0,
        le=1,
        advanced=True,
    )

    @field_validator("normalize_advantage")
    @classmethod
    def _has_a_spread(cls, normalize: bool, info: ValidationInfo) -> bool:
        if normalize and info.data.get("n_steps") == 1 and info.data.get("n_envs") == 1:
            raise refuse("needs at least two samples a rollout: raise n_steps or n_envs.")
        return normalize
