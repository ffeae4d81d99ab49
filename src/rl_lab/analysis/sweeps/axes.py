"""A ParameterAxis is one parameter of a sweep as a line of numbers: what samplers search and charts draw."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rl_lab.core.studies.sweeps import Choices, Range, Sweep
from rl_lab.core.words.param_help import describe_param

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

OF_ENVIRONMENT = "env."
"""Begins the name of an argument of the environment."""
DIGITS = 4
"""Significant digits of a suggested number: a label with 17 of them cannot be read."""
ROUNDING = 1e-9
"""Steps of a range are counted with this tolerance: 0.1 × 3 is more than 0.3."""


@dataclass(frozen=True)
class ParameterAxis:
    """A range of numbers, or the places 0, 1, … of a list of values."""

    name: str
    low: float
    high: float
    is_log: bool = False
    is_integer: bool = False
    step: float | None = None
    choices: tuple[Any, ...] | None = None
    """The values at the places 0, 1, …; numbers are sorted."""
    is_ordered: bool = True
    """Neighbouring places are alike; false for names."""

    @property
    def title(self) -> str:
        """The parameter in plain words: "Learning rate", "Gravity of the environment"."""
        words: str = describe_param(self.name.removeprefix(OF_ENVIRONMENT))["title"]
        return f"{words} of the environment" if self.name.startswith(OF_ENVIRONMENT) else words

    def place_of(self, value: Any) -> float | None:
        """Where a value is on this axis; None if it is not on it."""
        if self.choices is not None:
            return next((float(i) for i, choice in enumerate(self.choices) if same(choice, value)), None)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return None
        slack = ROUNDING * max(abs(self.low), abs(self.high))
        if not self.low - slack <= value <= self.high + slack:
            return None
        return min(max(float(value), self.low), self.high)

    def value_at(self, place: float) -> Any:
        """The value of the parameter at a place, rounded to the steps of the range."""
        if self.choices is not None:
            return self.choices[min(max(round(place), 0), len(self.choices) - 1)]
        if self.step is not None:
            place = self.low + round((place - self.low) / self.step) * self.step
        place = min(max(self._rounded(place), self.low), self.high)
        return round(place) if self.is_integer else place

    def _rounded(self, place: float) -> float:
        """Steps are exact, so they keep all the digits that they have; 0.1 × 3 becomes 0.3."""
        digits = DIGITS if self.step is None else 12
        return float(f"{place:.{digits}g}")

    def values(self) -> list[Any] | None:
        """All different values, in order; None if any number between two ends is one."""
        size = self.size()
        return None if size is None else [self.value_at(self.low + i * (self.step or 1)) for i in range(size)]

    def share_of(self, place: float) -> float:
        """Where the place is between the two ends, from 0 to 1; on a logarithmic axis by its logarithm."""
        if self.high <= self.low:
            return 0.5
        if self.is_log:
            return math.log(place / self.low) / math.log(self.high / self.low)
        return (place - self.low) / (self.high - self.low)

    def place_at(self, share: float) -> float:
        """The reverse of `share_of`."""
        if self.is_log and self.high > self.low:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + share * (self.high - self.low)

    def draw(self, share: float) -> Any:
        """The value at a random number from 0 to 1; each value of a list is equally likely."""
        values = self.values() if self.choices is not None else None
        return self.value_at(self.place_at(share)) if values is None else values[int(share * len(values))]

    def size(self) -> int | None:
        """How many different values there are; None if any number between two ends is one."""
        if self.choices is not None:
            return len(self.choices)
        if self.high <= self.low:
            return 1
        return None if self.step is None else 1 + math.floor((self.high - self.low) / self.step + ROUNDING)

    def distribution(self) -> BaseDistribution:
        """The same axis for Optuna."""
        from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

        if self.choices is not None and not self.is_ordered:
            return CategoricalDistribution(range(len(self.choices)))
        if self.choices is not None or (self.is_integer and self.step == 1):
            return IntDistribution(int(self.low), int(self.high), log=self.is_log)
        # A step is applied by `value_at`: Optuna combines no step with a logarithmic scale.
        return FloatDistribution(self.low, self.high, log=self.is_log)


def axes_of(sweep: Sweep) -> list[ParameterAxis]:
    """The axes of a sweep in its order."""
    return [_axis(name, values) for name, values in sweep.parameters.items()]


def _axis(name: str, values: Choices | Range) -> ParameterAxis:
    """Whole steps from a whole number give whole numbers; ranges of integer parameters are stored with step 1."""
    if isinstance(values, Choices):
        return _axis_of_choices(name, values.values)
    low, high, step = values.low, values.high, values.step
    if step is not None:
        high = low + math.floor((high - low) / step + ROUNDING) * step
    is_integer = step is not None and step.is_integer() and low.is_integer()
    return ParameterAxis(name, low, high, is_log=values.scale == "log", is_integer=is_integer, step=step)


def _axis_of_choices(name: str, values: Sequence[Any]) -> ParameterAxis:
    """Numbers are put in order, so that a sampler can tell neighbours from strangers."""
    different: list[Any] = []
    for value in values:
        if not any(same(value, other) for other in different):
            different.append(value)
    is_ordered = all(_is_number(value) for value in different)
    ordered = sorted(different) if is_ordered else different
    return ParameterAxis(name, 0, len(ordered) - 1, choices=tuple(ordered), is_ordered=is_ordered)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def same(one: Any, other: Any) -> bool:
    """Whether two values of a parameter are equal; a list equals the list that was read back from a file."""
    if _is_number(one) and _is_number(other):
        return bool(one == other)
    return bool(
        json.dumps(one, sort_keys=True, default=str) == json.dumps(other, sort_keys=True, default=str)
    )


def place_all(axes: Sequence[ParameterAxis], settings: Mapping[str, Any]) -> dict[str, float] | None:
    """The place of a variant on each axis; None if one of its settings is missing or not on its axis."""
    places: dict[str, float] = {}
    for axis in axes:
        place = axis.place_of(settings[axis.name]) if axis.name in settings else None
        if place is None:
            return None
        places[axis.name] = place
    return places
