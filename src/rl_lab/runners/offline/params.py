"""Hyper-parameters of the offline learners, with bounds and descriptions; imports no learner."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

from rl_lab.core.runners import Params, param
from rl_lab.runners.offline.precision import Precision, choose_precision

Width = Annotated[int, Field(ge=1, le=4096)]

GAMMA = "Discount factor: the weight of a reward one step later. 0.99 looks about 100 steps ahead, 0.999 about 1000."
TAU = "Share by which the target networks follow the critics at each update."
N_CRITICS = "Number of critics; the smallest of their estimates counts."
NORMALIZE_REWARD = (
    "Scale rewards while learning, so that discounted returns of the dataset have a standard deviation of 10."
)
NETWORK, SCALING, POLICY = "Network", "Scaling", "Policy"


class BcParams(Params):
    """Hyper-parameters of behaviour cloning, which all offline learners have."""

    model_config = ConfigDict(validate_default=True)  # the automatic precision is replaced by the chosen one

    batch_size: int = param(256, "Number of steps of the dataset per update.", ge=1, le=65536)
    learning_rate: float = param(1e-3, "How much each update changes the networks.", scale="log", gt=0, le=1)
    net_arch: list[Width] = param(
        [64, 64],
        "Sizes of the hidden layers, from first to last. Wider or deeper networks can represent more but learn more "
        "slowly.",
        group=NETWORK,
        max_length=8,
    )
    precision: Annotated[Precision, AfterValidator(choose_precision)] = param(
        "auto",
        "How exact the products of layers with 128 units or more are. With bfloat16 they are about twice as fast on "
        "processors that have it; all other numbers stay float32. auto = bfloat16 on such a processor, else float32; "
        "the run records which.",
        group=NETWORK,
        advanced=True,
    )
    normalize_observations: bool = param(
        True,
        "Scale observations to mean 0 and standard deviation 1 over the dataset. It becomes part of the first layer.",
        group=SCALING,
    )
    best_share: float = param(
        1.0,
        "Share of the dataset's episodes to learn from, those with the highest returns; 1 = all of them.",
        group="Experience",
        help_key="best_share",
        gt=0,
        le=1,
    )


class _ValueParams(BcParams):
    """What learners with a critic have in addition."""

    gamma: float = param(0.99, GAMMA, ge=0, le=1)
    tau: float = param(0.005, TAU, gt=0, le=1)
    n_critics: int = param(2, N_CRITICS, group=NETWORK, advanced=True, ge=1, le=10)
    normalize_reward: bool = param(True, NORMALIZE_REWARD, group=SCALING)


class Td3BcParams(_ValueParams):
    """Hyper-parameters of TD3+BC."""

    alpha: float = param(
        2.5,
        "Weight of the critic against imitation of the dataset's actions.",
        group=POLICY,
        help_key="td3_bc_alpha",
        ge=0,
        le=1000,
    )
    policy_delay: int = param(2, "Critic updates per update of the policy.", group=POLICY, ge=1, le=100)
    target_policy_noise: float = param(
        0.2, "Standard deviation of the noise on the target policy's actions.", advanced=True, ge=0, le=2
    )
    target_noise_clip: float = param(0.5, "Limit of that noise.", advanced=True, ge=0, le=2)


class IqlParams(_ValueParams):
    """Hyper-parameters of IQL."""

    expectile: float = param(
        0.8,
        "Which part of the dataset's actions counts as good: 0.5 is their mean, towards 1 the best of them.",
        group=POLICY,
        gt=0,
        lt=1,
    )
    temperature: float = param(
        10.0,
        "How strongly the policy prefers good actions of the dataset; 0 imitates all of them alike.",
        group=POLICY,
        ge=0,
        le=1000,
    )
    online_steps: int = param(
        0,
        "The last of the run's steps, which are made in the environment: the learner plays, adds what it sees to the "
        "dataset's steps, and continues to learn from both. A run that is lengthened makes its further steps there. "
        "0 = none.",
        group="Online",
        ge=0,
        le=100_000_000,
    )


class CqlParams(_ValueParams):
    """Hyper-parameters of CQL."""

    alpha: float = param(
        0.3,
        "Weight of the penalty on values of actions that the dataset does not contain.",
        group=POLICY,
        help_key="cql_alpha",
        ge=0,
        le=1000,
    )
    n_actions: int = param(
        4,
        "Actions per step of the dataset that the penalty is estimated with: random ones, and as many of the policy.",
        group=POLICY,
        actions="continuous",
        ge=1,
        le=100,
    )
    gradient_actions: int = param(
        4,
        "How many of these actions per step the gradient of the penalty passes through, drawn by their share in the "
        "penalty: fewer are faster and give the same gradient on average. 0 = all of them.",
        group=POLICY,
        actions="continuous",
        advanced=True,
        ge=0,
        le=300,
    )
