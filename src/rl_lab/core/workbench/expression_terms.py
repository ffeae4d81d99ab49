"""The parts of an expression over metrics, and the functions it may use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

MAX_WINDOW = 1000
"""Points that mean, median and std may look back."""

BinarySign = Literal["+", "-", "*", "/", "%", "**"]


@dataclass(frozen=True)
class NumberTerm:
    value: float


@dataclass(frozen=True)
class MetricTerm:
    name: str
    column: int = 0
    """Where it is written, from 0."""
    is_quoted: bool = False


@dataclass(frozen=True)
class NegatedTerm:
    term: Term


@dataclass(frozen=True)
class BinaryTerm:
    sign: BinarySign
    left: Term
    right: Term


@dataclass(frozen=True)
class CallTerm:
    function: str
    """A name of `FUNCTIONS`."""
    terms: tuple[Term, ...]
    """The series, without the constants behind them."""
    constants: tuple[float, ...] = ()


Term = NumberTerm | MetricTerm | NegatedTerm | BinaryTerm | CallTerm


class Constant(NamedTuple):
    """An argument that must be a plain number."""

    name: str
    least: float
    most: float
    is_whole: bool = False


class ExpressionFunction(NamedTuple):
    arguments: tuple[str, ...]
    """Names of the series it takes; `…` for any number of further ones."""
    meaning: str
    constants: tuple[Constant, ...] = ()

    def signature(self, name: str) -> str:
        return f"{name}({', '.join((*self.arguments, *(one.name for one in self.constants)))})"


_WINDOW = (Constant("n", 1, MAX_WINDOW, is_whole=True),)
FUNCTIONS: dict[str, ExpressionFunction] = {
    "abs": ExpressionFunction(("x",), "without its sign"),
    "sqrt": ExpressionFunction(("x",), "square root; a gap below 0"),
    "log": ExpressionFunction(("x",), "natural logarithm; a gap at 0 and below"),
    "exp": ExpressionFunction(("x",), "e to the power of x"),
    "min": ExpressionFunction(("x", "y", "…"), "the smallest of the values of a point"),
    "max": ExpressionFunction(("x", "y", "…"), "the largest of the values of a point"),
    "clip": ExpressionFunction(("x", "low", "high"), "x, but not below low and not above high"),
    "ema": ExpressionFunction(
        ("x",),
        "smoothed: weight × the smoothed value before + (1 − weight) × x",
        (Constant("weight", 0, 0.999999),),
    ),
    "mean": ExpressionFunction(("x",), "mean of the last n points", _WINDOW),
    "median": ExpressionFunction(("x",), "median of the last n points", _WINDOW),
    "std": ExpressionFunction(("x",), "standard deviation of the last n points", _WINDOW),
    "diff": ExpressionFunction(("x",), "difference to the point before"),
    "cumsum": ExpressionFunction(("x",), "sum of all points so far"),
    "rate": ExpressionFunction(("x",), "difference to the point before, per training step"),
}


def metrics_of(term: Term) -> Iterator[MetricTerm]:
    """Every mention of a metric, from left to right."""
    match term:
        case MetricTerm():
            yield term
        case NegatedTerm(inner):
            yield from metrics_of(inner)
        case BinaryTerm(_, left, right):
            yield from metrics_of(left)
            yield from metrics_of(right)
        case CallTerm(_, terms):
            for one in terms:
                yield from metrics_of(one)
        case NumberTerm():
            return


def names_in(term: Term) -> list[str]:
    """The metrics that an expression needs, each once; the first one decides where its points are."""
    return list(dict.fromkeys(one.name for one in metrics_of(term)))
