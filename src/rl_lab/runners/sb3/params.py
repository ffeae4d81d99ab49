"""The hyper-parameters that all algorithms of Stable-Baselines3 share.

Names and defaults are those of the library (a contract test compares them). `schedule`, `n_envs`, the network and
the normalisation are our own, because the library does not take them as constructor arguments.
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
    "Sizes of the hidden layers, from first to last. Wider or deeper networks can represent more but learn more "
    "slowly. With the default value, policies for image observations use the library's own default for images."
)
LEARNING_RATE = "How much each update changes the network."


class Sb3Params(Params):
    # Validators that compare fields must also run on defaults.
    model_config = ConfigDict(validate_default=True)

    learning_rate: float = param(3e-4, LEARNING_RATE, scale="log", gt=0, le=1)
    schedule: Literal["constant", "linear"] = param(
        "constant",
        "Constant learning rate, or a linear decay to zero over the run, which stabilises the end of training.",
    )
    gamma: float = param(
        0.99,
        "Discount factor: the weight of a reward one step later. "
        "0.99 looks about 100 steps ahead, 0.999 about 1000.",
        ge=0,
        le=1,
    )
    n_envs: int = param(
        1,
        "Number of environments stepped in parallel. More environments give more varied experience per update.",
        group=ENVIRONMENT,
        ge=1,
        le=256,
    )
    normalize_observations: bool = param(
        False,
        "Scale observations to mean 0 and standard deviation 1 with running statistics. "
        "Helps when inputs have different ranges.",
        group=ENVIRONMENT,
    )
    normalize_reward: bool = param(
        False,
        "Divide rewards by the running standard deviation of the returns while learning. "
        "Charts still show the original reward.",
        group=ENVIRONMENT,
    )
    net_arch: list[Width] = param([64, 64], NET_ARCH, group=NETWORK, max_length=8)
    activation: Activation = param(
        "relu", "Activation function between the layers.", group=NETWORK, advanced=True
    )


def refuse(message: str, **numbers: Any) -> PydanticCustomError:
    """A validation error about a field that conflicts with other fields."""
    return PydanticCustomError("does_not_fit", message, numbers)
