"""How two checkpoints differ: their configurations, and their weights tensor by tensor."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from rl_lab.core.evaluations import Bound
from rl_lab.core.models.checkpoints import CheckpointItem


class ParameterDifference(BaseModel, frozen=True):
    """A value of the configuration; null where a side does not have it."""

    name: str
    first: Any
    second: Any


class TensorDifference(BaseModel, frozen=True):
    """One tensor that both checkpoints have in the same shape: second minus first."""

    name: str
    shape: list[int]
    norm: Bound
    relative: Bound = Field(description="Norm divided by the norm of the first; null when that is 0.")
    maximum: Bound = Field(description="Largest absolute difference.")
    cosine: Bound = Field(description="1: same direction; null when one of them is 0.")


class ShapeDifference(BaseModel, frozen=True):
    """A tensor that only one checkpoint has, or that has another shape."""

    name: str
    first: list[int] | None
    second: list[int] | None


class CheckpointDifference(BaseModel, frozen=True):
    first: CheckpointItem
    second: CheckpointItem
    configuration: list[ParameterDifference]
    tensors: list[TensorDifference]
    shapes: list[ShapeDifference]
    has_same_weights: bool
    weights_problem: str | None = Field(
        default=None, description="Why the weights could not be compared; the configuration is."
    )
