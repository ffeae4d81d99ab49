"""A Sweep makes the variants of a study: every combination of values, random points, or points that TPE suggests."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.bounds import MAX_SEED

MAX_VARIANTS = 10_000
"""More points are refused with their number: nobody waits for so many trainings."""

Method = Literal["grid", "random", "tpe"]
Scale = Literal["linear", "log"]


class _SweepPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Choices(_SweepPart):
    """A parameter that takes one of several values."""

    values: list[Any] = Field(min_length=1, max_length=1000)


class Range(_SweepPart):
    """A parameter that takes numbers between two ends, both included."""

    low: float
    high: float
    scale: Scale = "linear"
    step: float | None = Field(default=None, gt=0, description="Distance of the values; absent: any number.")


Values = Choices | Range


class Sweep(_SweepPart):
    """Which parameters vary, in which ranges, and how their values are chosen."""

    method: Method = "grid"
    parameters: dict[str, Values] = Field(
        description="By name: a hyper-parameter, `env.NAME` for an argument of the environment, or one of "
        "algorithm, preset, total_timesteps, env_id."
    )
    points: int | None = Field(
        default=None, ge=1, le=MAX_VARIANTS, description="Variants of a random sweep, or most of a TPE sweep."
    )
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] | None = Field(
        default=None, description="Seed of the sampling; drawn when absent, and saved."
    )
    prune: bool = Field(
        default=False, description="Stop a variant whose curve stays below the median of the others."
    )
