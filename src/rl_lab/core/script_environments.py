"""The environments of a captured script, and what each is used for. Pure."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from rl_lab.core.protocol.metrics import MetricOrigin

EnvironmentRole = Literal["training", "evaluation"]

FIRST_EVALUATION = 1 << 40
"""Episodes of evaluation environments are numbered from here on, those of the training from 0."""

EPISODE_SERIES: dict[EnvironmentRole, tuple[str, str]] = {
    "training": ("reward", "length"),
    "evaluation": ("eval/reward", "eval/length"),
}
"""The series that an episode adds its return and its length to."""

EPISODE_ORIGINS: dict[EnvironmentRole, dict[str, MetricOrigin]] = {
    role: dict.fromkeys(names, MetricOrigin(source=f"the lab, from the episodes of the {role} environments"))
    for role, names in EPISODE_SERIES.items()
}


class ScriptEnvironment(BaseModel, frozen=True):
    """One environment of a script, or the members of one vector environment."""

    number: int
    """In the order in which the script first stepped them, from 1."""
    env_id: str = ""
    env_kwargs: dict[str, Any] = {}
    count: int = 1
    """Environments that are stepped at once."""
    made: int = 1
    """How many of this kind the script made one after the other."""
    role: EnvironmentRole = "training"
    why: str = ""
    """What the role was decided by."""
    is_chosen: bool = False
    """A user chose the role."""
    steps: int = 0
    episodes: int = 0


def describe_environment(environment: ScriptEnvironment) -> str:
    """ "Environment 1, CartPole-v1 × 8" """
    name = f", {environment.env_id}" if environment.env_id else ""
    count = f" × {environment.count}" if environment.count > 1 else ""
    return f"Environment {environment.number}{name}{count}"
