"""What a sweep shows: which parameter mattered, and how the measure depends on one or two of them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


class AxisView(BaseModel):
    """One parameter of a sweep, as an axis of a chart."""

    name: str
    title: str
    """In plain words: learning rate."""
    is_log: bool = False
    low: float = 0.0
    high: float = 0.0
    choices: list[Any] | None = None
    """Values at the places 0, 1, … of the axis; absent: the axis is a range of numbers."""


class ParameterImportance(BaseModel):
    name: str
    title: str
    share: float
    """Of all that separates the best variants from the others, from 0 to 1; the shares add up to 1."""
    is_clear: bool
    """More than shuffled results give in 19 of 20 cases; otherwise it may be chance."""
    text: str
    """The same as a sentence."""


class Importance(BaseModel):
    method: str
    variants: int
    """Finished variants that the answer rests on."""
    top: int
    """How many of them count as the best."""
    measure: str
    parameters: list[ParameterImportance]
    """Most important first; empty if there is no answer."""
    text: str
    """The answer as a sentence, or why there is none."""


class SweepPoint(BaseModel):
    """One variant with a measure."""

    variant: int
    label: str
    x: float
    """Its place on the axis."""
    y: float | None = None
    value: float
    low: float | None = None
    """Lowest and highest of its seeds; absent for one seed."""
    high: float | None = None
    seeds: int = 1
    is_pruned: bool = False
    """It was stopped early; its value is that of the moment."""


class Slice(BaseModel):
    axis: AxisView
    points: list[SweepPoint]
    """In the order of the axis."""


class Slices(BaseModel):
    measure: str
    slices: list[Slice]
    text: str
    """What the points are, or why there are none."""


class Surface(BaseModel):
    """The measure over two parameters, interpolated between the variants."""

    measure: str
    method: str
    x: AxisView
    y: AxisView
    xs: list[float]
    ys: list[float]
    values: list[list[float | None]]
    """`values[row][column]` at `ys[row]`, `xs[column]`; null where no variant is near."""
    points: list[SweepPoint]
    text: str
    """What is drawn, and what is not known."""
