"""Inspection of a checkpoint: its weights, and what its networks do with freshly played experience."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from rl_lab.core.evaluations import Bound

InspectionPart = Literal["weights", "activations", "gradients", "loss_surface"]


class ValueHistogram(BaseModel, frozen=True):
    """Counts in bins of equal width."""

    low: float
    high: float
    counts: list[int]


class TensorStatistics(BaseModel, frozen=True):
    """The finite values of a tensor in figures."""

    name: str = Field(description="As the network calls it: policy_net.0.weight")
    count: int
    mean: Bound
    std: Bound
    minimum: Bound
    maximum: Bound
    not_finite: int = 0
    histogram: ValueHistogram | None = Field(description="Null when no value is finite.")


class LayerWeights(TensorStatistics, frozen=True):
    shape: list[int]
    norm: Bound = Field(description="Euclidean norm.")
    zeros: float = Field(description="Share of values that are exactly 0, from 0 to 1.")


class LayerActivations(TensorStatistics, frozen=True):
    """The outputs of one layer over all states of the batch."""

    units: int
    dead: float = Field(
        description="Share of units whose output is the same for every state: they pass on nothing."
    )
    saturated: float | None = Field(
        default=None, description="For tanh: share of outputs beyond ±0.99, where almost no gradient passes."
    )
    activation: str | None = Field(default=None, description="relu, tanh, …; null for a linear output.")


class LayerGradient(BaseModel, frozen=True):
    name: str
    shape: list[int]
    norm: Bound
    weight_norm: Bound
    ratio: Bound = Field(description="Norm of the gradient divided by the norm of the weights.")
    maximum: Bound = Field(description="Largest absolute value.")


class ExperienceBatch(BaseModel, frozen=True):
    """The steps that an inspection is computed on."""

    env_id: str
    steps: int
    episodes: int = Field(description="Episodes that ended in it.")
    seed: int
    policy: str = Field(description="How its actions were chosen.")


class LossInfo(BaseModel, frozen=True):
    """The loss whose gradient or surface is shown."""

    name: str = Field(description="PPO: policy, value and entropy")
    value: Bound
    terms: dict[str, Bound] = {}


class LossSurface(BaseModel, frozen=True):
    """The loss around the weights, along two random directions with the norms of the filters."""

    steps: list[float] = Field(description="Distances along both directions; 0 is the checkpoint.")
    values: list[list[Bound]] = Field(
        description="values[row][column]: row along the second, column along the first direction."
    )
    centre: Bound = Field(description="The loss of the checkpoint itself.")
    minimum: Bound
    maximum: Bound
    seed: int = Field(description="Seed of the directions.")


class Inspection(BaseModel, frozen=True):
    """One part of the inspection of a checkpoint; the fields of other parts are empty."""

    checkpoint_id: str
    run_id: str
    sha256: str
    part: InspectionPart
    parameters: int = Field(description="Number of weights of all networks.")
    weights: list[LayerWeights] = []
    activations: list[LayerActivations] = []
    gradients: list[LayerGradient] = []
    loss_surface: LossSurface | None = None
    batch: ExperienceBatch | None = None
    loss: LossInfo | None = None
    notes: list[str] = Field(default=[], description="What a reader should know about these figures.")
