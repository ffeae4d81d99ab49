"""Computes expressions over the points of metrics.

- The result has the points of the metric that is named first. Another metric contributes, at each of these points, the
  value of its last point at or before that step; before its first point there is a gap. Metrics with the same steps,
  such as return and length, are joined point by point.
- A gap is NaN. What is undefined is a gap: a division by zero, the root of a negative number, an overflow.
- A gap stays a gap in functions that look back, and does not count in them.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rl_lab.core.workbench.derived_metrics import Definitions, computing_order
from rl_lab.core.workbench.expression_terms import (
    BinaryTerm,
    CallTerm,
    MetricTerm,
    NegatedTerm,
    NumberTerm,
    Term,
    names_in,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BLOCK = 256
"""Points that are smoothed at once."""


@dataclass(frozen=True, eq=False)
class MetricPoints:
    """Points of one metric; columns of the same length, and steps never decrease."""

    index: Ints
    step: Ints
    time: Floats
    value: Floats

    def __len__(self) -> int:
        return len(self.value)

    def ascending(self) -> MetricPoints:
        """In the order of steps, which go back where a run was resumed from an older checkpoint."""
        if len(self) < 2 or bool((np.diff(self.step) >= 0).all()):
            return self
        order = np.argsort(self.step, kind="stable")
        return MetricPoints(self.index[order], self.step[order], self.time[order], self.value[order])


_Value = float | MetricPoints


def evaluate_derived(
    wanted: Collection[str], definitions: Definitions, sources: Mapping[str, MetricPoints]
) -> dict[str, MetricPoints]:
    """The derived metrics among `wanted` that can be computed; a metric of the run hides a derived one of its name."""
    known = {name: points.ascending() for name, points in sources.items() if len(points)}
    for name in computing_order([one for one in wanted if one not in known], definitions):
        found = None if name in known else evaluate(definitions[name], known)
        if found is not None:
            known[name] = found
    return {name: known[name] for name in wanted if name in known and name not in sources}


def evaluate(term: Term, sources: Mapping[str, MetricPoints]) -> MetricPoints | None:
    """None where a metric has no points."""
    if any(not len(sources.get(name, ())) for name in names_in(term)):
        return None
    with np.errstate(all="ignore"):
        found = _compute(term, sources)
    assert isinstance(found, MetricPoints)  # an expression names at least one metric
    return found


def _compute(term: Term, sources: Mapping[str, MetricPoints]) -> _Value:
    match term:
        case NumberTerm(number):
            return number
        case MetricTerm(name):
            return _cleaned(sources[name])
        case NegatedTerm(inner):
            return _joined(lambda x: -x, [_compute(inner, sources)])
        case BinaryTerm(sign, left, right):
            return _joined(_BINARY[sign], [_compute(left, sources), _compute(right, sources)])
        case CallTerm(function, terms, constants):
            values = [_compute(one, sources) for one in terms]
            is_joining = function in _JOINING
            return (
                _joined(_JOINING[function], values)
                if is_joining
                else _looked_back(function, values[0], constants)
            )


def _joined(function: Callable[..., Floats], values: list[_Value]) -> _Value:
    """The values of a point, computed for all points of the series that comes first."""
    first = next((one for one in values if isinstance(one, MetricPoints)), None)
    columns = [np.float64(one) if isinstance(one, float) else _at(first, one) for one in values]
    found = function(*columns)
    if first is None:
        return float(found) if np.isfinite(found) else float("nan")
    return _cleaned(replace(first, value=np.broadcast_to(found, first.value.shape)))


def _at(points: MetricPoints | None, other: MetricPoints) -> Floats:
    """The other metric at these points: its last value at or before each step."""
    if points is None or points is other or np.array_equal(points.step, other.step):
        return other.value
    place = np.searchsorted(other.step, points.step, side="right") - 1
    return np.where(place >= 0, other.value[np.maximum(place, 0)], np.nan)


def _cleaned(points: MetricPoints) -> MetricPoints:
    return replace(points, value=np.where(np.isfinite(points.value), points.value, np.nan))


def _divided(x: Floats, y: Floats) -> Floats:
    return np.where(y == 0, np.nan, np.divide(x, y))


def _remainder(x: Floats, y: Floats) -> Floats:
    return np.where(y == 0, np.nan, np.mod(x, y))


def _least(*columns: Floats) -> Floats:
    found: Floats = np.minimum.reduce(np.broadcast_arrays(*columns))
    return found


def _greatest(*columns: Floats) -> Floats:
    found: Floats = np.maximum.reduce(np.broadcast_arrays(*columns))
    return found


_BINARY: dict[str, Callable[..., Floats]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": _divided,
    "%": _remainder,
    "**": np.power,
}
_JOINING: dict[str, Callable[..., Floats]] = {
    "abs": np.abs,
    "sqrt": np.sqrt,
    "log": lambda x: np.where(x > 0, np.log(x), np.nan),
    "exp": np.exp,
    "min": _least,
    "max": _greatest,
    "clip": lambda x, low, high: np.minimum(np.maximum(x, low), high),
}


def _looked_back(function: str, value: _Value, constants: tuple[float, ...]) -> _Value:
    """A number is the same at every point, so nothing was different before."""
    if isinstance(value, float):
        return 0.0 if function in ("std", "diff", "rate") else value
    window = int(constants[0]) if constants else 0
    functions: dict[str, Callable[[Floats], Floats]] = {
        "ema": lambda x: _of_known(lambda known: _smoothed(known, constants[0]), x),
        "mean": lambda x: _mean(x, window),
        "median": lambda x: _median(x, window),
        "std": lambda x: _spread(x, window),
        "diff": lambda x: _of_known(_difference, x),
        "cumsum": lambda x: np.where(np.isnan(x), np.nan, np.nancumsum(x)),
        "rate": lambda x: _of_known(_rate, x, value.step.astype(np.float64)),
    }
    return _cleaned(replace(value, value=functions[function](value.value)))


def _of_known(function: Callable[..., Floats], x: Floats, *others: Floats) -> Floats:
    """Computed as if there were no gaps in `x`, which stay."""
    is_known = ~np.isnan(x)
    found = np.full(len(x), np.nan)
    if is_known.any():
        found[is_known] = function(*(one[is_known] for one in (x, *others)))
    return found


def _difference(x: Floats) -> Floats:
    return np.concatenate([[np.nan], np.diff(x)])


def _rate(x: Floats, step: Floats) -> Floats:
    return _divided(_difference(x), _difference(step))


def _smoothed(x: Floats, weight: float) -> Floats:
    """Begins with the first value. A block of points is one product with a matrix of weights."""
    distance = np.arange(BLOCK)[:, None] - np.arange(BLOCK)
    weights = np.where(distance >= 0, (1 - weight) * weight ** np.maximum(distance, 0), 0.0)
    fading = weight ** np.arange(1, BLOCK + 1)
    found, last = np.empty(len(x)), float(x[0])
    for begin in range(0, len(x), BLOCK):
        part = x[begin : begin + BLOCK]
        many = len(part)
        found[begin : begin + many] = weights[:many, :many] @ part + fading[:many] * last
        last = float(found[begin + many - 1])
    return found


class _Moments(NamedTuple):
    """How many values there are, their mean, and the sum of their squared distances from it."""

    many: Floats
    mean: Floats
    squares: Floats

    def merged(self, other: _Moments) -> _Moments:
        many = self.many + other.many
        share = np.divide(other.many, many, out=np.zeros_like(many), where=many > 0)
        apart = other.mean - self.mean
        squares = self.squares + other.squares + apart**2 * self.many * share
        return _Moments(many, self.mean + apart * share, squares)


def _windowed(x: Floats, window: int) -> _Moments:
    """Of each window of points: the end of one block of that length, and the begin of the next."""
    blocks = np.full(-(-len(x) // window) * window, np.nan)
    blocks[: len(x)] = x
    columns = blocks.reshape(-1, window).T
    begins, ends = _growing(columns), _growing(columns[::-1])
    before = _Moments(*(np.zeros_like(part) for part in begins))
    for own, theirs in zip(before, ends, strict=True):
        # The window that ends at place p of a block has the last window - 1 - p points of the block before.
        own[:-1, 1:] = theirs[::-1][1:, :-1]
    found = before.merged(begins)
    return _Moments(*(part.T.reshape(-1)[: len(x)] for part in found))


def _growing(columns: Floats) -> _Moments:
    """Of the first row, the first two rows, …, for each column; updated value by value, so that nothing cancels out."""
    found = _Moments(*(np.zeros(columns.shape) for _ in range(3)))
    state = _Moments(*(np.zeros(columns.shape[1]) for _ in range(3)))
    for place, values in enumerate(columns):
        is_known = ~np.isnan(values)
        one = _Moments(is_known.astype(np.float64), np.where(is_known, values, 0.0), np.zeros(len(values)))
        state = state.merged(one)
        for own, part in zip(found, state, strict=True):
            own[place] = part
    return found


def _mean(x: Floats, window: int) -> Floats:
    return np.where(np.isnan(x), np.nan, _windowed(x, window).mean)


def _spread(x: Floats, window: int) -> Floats:
    """Of all points of a window, as numpy's own."""
    moments = _windowed(x, window)
    return np.where(np.isnan(x), np.nan, np.sqrt(_divided(moments.squares, moments.many)))


def _median(x: Floats, window: int) -> Floats:
    """Keeps the window sorted: a value enters and one leaves at each point."""
    found, ordered = np.full(len(x), np.nan), list[float]()
    values = x.tolist()
    for place, value in enumerate(values):
        leaving = values[place - window] if place >= window else np.nan
        if leaving == leaving:
            ordered.pop(bisect_left(ordered, leaving))
        if value == value:
            insort(ordered, value)
            middle = len(ordered) // 2
            found[place] = (
                ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
            )
    return found
