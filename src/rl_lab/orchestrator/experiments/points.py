"""The points of a sweep: every combination of a grid, or random draws. TPE suggests its own (`sampling.py`)."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping
from typing import Any

from rl_lab.core.errors import FieldError, InvalidInput
from rl_lab.core.studies.sweeps import MAX_VARIANTS, Choices, Range, Sweep, Values

MOST_STEPS = 1e15
"""A range of more steps is refused like one of so many; beyond it a float counts no longer."""
Point = dict[str, Any]
DIGITS = 4
"""Significant digits of a drawn number: a label shows it completely, and nobody needs more."""


def check_sweep(sweep: Sweep) -> list[FieldError]:
    """Everything that is wrong with the sweep itself, before any point is built."""
    errors = [] if sweep.parameters else [FieldError(field="sweep.parameters", message=EMPTY)]
    for name, values in sweep.parameters.items():
        message = _refuse(sweep, values)
        if message is not None:
            errors.append(FieldError(field=f"sweep.parameters.{name}", message=message))
    if sweep.method != "grid" and sweep.points is None:
        message = f"Say how many points a {sweep.method} sweep has, from 1 to {MAX_VARIANTS:,}."
        errors.append(FieldError(field="sweep.points", message=message))
    if sweep.method == "grid" and not errors and count_points(sweep) > MAX_VARIANTS:
        message = (
            f"The grid has {count_points(sweep):,} points; a study has {MAX_VARIANTS:,} variants at most. "
            "Give fewer values, or draw some of the points with the method random."
        )
        errors.append(
            FieldError(field="sweep.parameters", message=message, allowed={"maximum": MAX_VARIANTS})
        )
    return errors


EMPTY = "The sweep varies nothing; name at least one parameter with its values."


def _refuse(sweep: Sweep, values: Values) -> str | None:
    if isinstance(values, Choices):
        twice = next((v for i, v in enumerate(values.values) if v in values.values[:i]), None)
        return f"The value {twice} is given twice." if twice is not None else None
    if not (math.isfinite(values.low) and math.isfinite(values.high)):
        return "Both ends must be finite numbers."
    if values.low >= values.high:
        return f"The low end {values.low:g} is not below the high end {values.high:g}."
    if values.scale == "log" and values.low <= 0:
        return f"A logarithmic range must begin above 0, not at {values.low:g}."
    if values.scale == "log" and values.step not in (None, 1.0):
        return "A logarithmic range has no step; leave it out, or list the values."
    if sweep.method == "grid" and values.step is None:
        return "A grid needs a list of values, or a range with a step."
    return None


def count_points(sweep: Sweep) -> int:
    """Of a grid: counted without building it."""
    if sweep.method != "grid":
        return sweep.points or 0
    return math.prod(_count(values) for values in sweep.parameters.values())


def make_points(sweep: Sweep) -> list[Point]:
    """The points of a checked grid or random sweep, which are all different; none for TPE."""
    if sweep.method == "grid":
        lists = [_grid_values(values) for values in sweep.parameters.values()]
        return [dict(zip(sweep.parameters, point, strict=True)) for point in itertools.product(*lists)]
    if sweep.method == "random":
        return _draw_points(sweep)
    return []


def _draw_points(sweep: Sweep) -> list[Point]:
    """Fewer than asked for when there are no more different ones."""
    generator = random.Random(sweep.seed)
    found: dict[str, Point] = {}
    wanted = sweep.points or 0
    for _ in range(wanted * 20):
        point = {name: draw(values, generator) for name, values in sweep.parameters.items()}
        found.setdefault(repr(point), point)
        if len(found) == wanted:
            break
    return list(found.values())


def draw(values: Values, generator: random.Random) -> Any:
    if isinstance(values, Choices):
        return generator.choice(values.values)
    if values.scale == "log":
        return _draw_log(values, generator)
    if values.step is not None:
        return _nth(values, generator.randrange(_count(values)))
    return _rounded(generator.uniform(values.low, values.high), values)


def _draw_log(values: Range, generator: random.Random) -> float:
    if values.step is None:
        return _rounded(math.exp(generator.uniform(math.log(values.low), math.log(values.high))), values)
    # Integers: each covers the half unit on both sides of it.
    drawn = math.exp(generator.uniform(math.log(values.low - 0.5), math.log(values.high + 0.5)))
    return int(min(max(round(drawn), values.low), values.high))


def _rounded(number: float, values: Range) -> float:
    return min(max(float(f"{number:.{DIGITS}g}"), values.low), values.high)


def _count(values: Values) -> int:
    if isinstance(values, Choices):
        return len(values.values)
    steps = (values.high - values.low) / (values.step or 1.0)
    return math.floor(min(steps, MOST_STEPS) + 1e-9) + 1


def _grid_values(values: Values) -> list[Any]:
    if isinstance(values, Choices):
        return list(values.values)
    return [_nth(values, n) for n in range(_count(values))]


def _nth(values: Range, n: int) -> float:
    """An integer where low end and step are: 0.1 steps are rounded, so that 0.30000000000000004 is 0.3."""
    step = values.step or 1.0
    number = values.low + n * step
    if values.low.is_integer() and step.is_integer():
        return int(number)
    return float(f"{number:.12g}")


def with_integers(sweep: Sweep, integers: Mapping[str, bool]) -> Sweep:
    """The sweep with step 1 for ranges of parameters that are whole numbers."""
    changed: dict[str, Values] = {}
    for name, values in sweep.parameters.items():
        if isinstance(values, Range) and values.step is None and integers.get(name):
            _require_whole(name, values)
            values = values.model_copy(update={"step": 1.0})
        changed[name] = values
    return sweep.model_copy(update={"parameters": changed})


def _require_whole(name: str, values: Range) -> None:
    for end in (values.low, values.high):
        if not end.is_integer():
            message = f"It takes whole numbers, and {end:g} is none."
            raise InvalidInput.of_field(f"sweep.parameters.{name}", message)
