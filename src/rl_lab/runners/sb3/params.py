"""The hyper-parameters that all of Stable-Baselines3's algorithms share.

Names and defaults are the library's (a contract test compares them); `schedule`, `n_envs`, the network and
the normaliser are ours, because the library takes them in other places than its constructor.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field
from pydantic_core import PydanticCustomError

from rl_lab.core.runners import Params, param

Width = Annotated[int, Field(ge=1, le=4096)]
Activation = Literal["tanh", "relu", "elu", "leaky_relu"]

EXPLORATION, NETWORK, ENVIRONMENT, ADVANCED = "Exploration", "Network", "Environment", "Advanced"

NET_ARCH = (
    "Sizes of the hidden layers, first to last. Wider or deeper networks can express more, and learn slower. "
    "Left at its default, a policy that sees images keeps the library's choice for images."
)
LEARNING_RATE = (
    "How far each update moves the network. Too high and learning breaks down, too low and nothing happens; "
    "change it by factors of three."
)


class Sb3Params(Params):
    # Rules between fields must also see the defaults.
    model_config = ConfigDict(validate_default=True)

    learning_rate: float = param(3e-4, LEARNING_RATE, scale="log", gt=0, le=1)
    schedule: Literal["constant", "linear"] = param(
        "constant",
        "Keep the learning rate, or let it fall in a straight line to zero over the run, to calm the end.",
    )
    gamma: float = param(
        0.99,
        "Discount: how much a reward counts that comes one step later. "
        "0.99 looks about 100 steps ahead, 0.999 about 1000.",
        ge=0,
        le=1,
    )
    n_envs: int = param(
        1,
        "Copies of the environment played at once. More copies give more varied experience for each update.",
        group=ENVIRONMENT,
        ge=1,
        le=256,
    )
    normalize_observations: bool = param(
        False,
        "Scale each observation to mean 0 and spread 1 with running statistics. Helps when inputs differ.",
        group=ENVIRONMENT,
    )
    normalize_reward: bool = param(
        False,
        "Scale rewards by the spread of the returns while learning. What is plotted stays the true reward.",
        group=ENVIRONMENT,
    )
    net_arch: list[Width] = param([64, 64], NET_ARCH, group=NETWORK, max_length=8)
    activation: Activation = param("relu", "The non-linearity between layers.", group=NETWORK, advanced=True)


def refuse(message: str, **numbers: Any) -> PydanticCustomError:
    """An error of one field that must fit others, in our own words."""
    return PydanticCustomError("does_not_fit", message, numbers)
