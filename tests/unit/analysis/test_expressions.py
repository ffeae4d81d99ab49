"""Values of expressions: equal to a naive reference, joined by the declared rule, gaps where they are undefined."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rl_lab.analysis.expressions import MetricPoints, evaluate, evaluate_derived
from rl_lab.core.workbench.derived_metrics import read_definitions
from rl_lab.core.workbench.expressions import parse_expression

NAN = float("nan")
Values = Sequence[float]


def points(values: Values, steps: Sequence[int] | None = None) -> MetricPoints:
    step = np.asarray(range(len(values)) if steps is None else steps, np.int64)
    return MetricPoints(np.arange(len(values)), step, step / 10, np.asarray(values, np.float64))


def value_of(expression: str, **sources: MetricPoints) -> list[float]:
    found = evaluate(parse_expression(expression), sources)
    assert found is not None
    return found.value.tolist()


def assert_same(found: Values, expected: Values) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_metrics_of_the_same_points_are_joined_point_by_point() -> None:
    """Two episodes may end at the same step."""
    steps = [5, 5, 9]
    assert value_of("return / length", reward=points([4, 6, 9], steps), length=points([2, 3, 3], steps)) == [
        2,
        2,
        3,
    ]


def test_the_first_metric_decides_the_points_and_others_give_their_last_known_value() -> None:
    fine, coarse = points([1, 2, 3, 4], [0, 10, 20, 30]), points([10, 20], [10, 25])
    assert_same(value_of("fine + coarse", fine=fine, coarse=coarse), [NAN, 12, 13, 24])
    assert_same(value_of("coarse + fine", fine=fine, coarse=coarse), [12, 23])


def test_a_function_that_looks_back_uses_the_points_of_its_own_metric() -> None:
    fine, coarse = points([0, 0, 0], [0, 10, 20]), points([1, 3], [5, 10])
    assert_same(value_of("fine + cumsum(coarse)", fine=fine, coarse=coarse), [NAN, 4, 4])


def test_what_is_undefined_is_a_gap() -> None:
    x = points([1, 0, -4, 1e200])
    assert_same(value_of("1 / x", x=x), [1, NAN, -0.25, 1e-200])
    assert_same(value_of("x % x", x=x), [0, NAN, 0, 0])
    assert_same(value_of("sqrt(x)", x=x), [1, 0, NAN, 1e100])
    assert_same(value_of("log(x)", x=x), [0, NAN, NAN, math.log(1e200)])
    assert_same(value_of("x ** 2", x=x), [1, 0, 16, NAN])
    assert_same(value_of("x ** 0.5", x=x), [1, 0, NAN, 1e100])
    assert_same(value_of("x", x=points([1, math.inf, NAN])), [1, NAN, NAN])


def test_a_gap_stays_a_gap_and_does_not_count() -> None:
    x = points([2, NAN, 4, 6])
    assert_same(value_of("ema(x, 0.5)", x=x), [2, NAN, 3, 4.5])
    assert_same(value_of("mean(x, 2)", x=x), [2, NAN, 4, 5])
    assert_same(value_of("median(x, 3)", x=x), [2, NAN, 3, 5])
    assert_same(value_of("std(x, 3)", x=x), [0, NAN, 1, 1])
    assert_same(value_of("cumsum(x)", x=x), [2, NAN, 6, 12])
    assert_same(value_of("diff(x)", x=x), [NAN, NAN, 2, 2])
    assert_same(value_of("rate(x)", x=points([2, NAN, 4, 6], [0, 5, 10, 20])), [NAN, NAN, 0.2, 0.2])


def test_a_rate_is_per_step() -> None:
    assert_same(value_of("rate(x)", x=points([1, 3, 6, 7], [0, 4, 10, 10])), [NAN, 0.5, 0.5, NAN])


def test_numbers_are_the_same_at_every_point() -> None:
    x = points([1, 2])
    assert_same(value_of("x * mean(3, 5) + diff(7) + max(1, 2) - 1 / 0.5", x=x), [3, 6])
    assert_same(value_of("x + 1 / 0", x=x), [NAN, NAN])
    assert_same(value_of("clip(x, 0, 1.5)", x=x), [1, 1.5])


def test_points_keep_number_step_and_time_of_the_first_metric() -> None:
    x, y = points([1, 2], [3, 8]), points([5], [0])
    found = evaluate(parse_expression("x * y"), {"x": x, "y": y})
    assert found is not None
    assert (found.index.tolist(), found.step.tolist(), found.time.tolist()) == ([0, 1], [3, 8], [0.3, 0.8])


def test_a_metric_without_points_makes_no_series() -> None:
    assert evaluate(parse_expression("x + y"), {"x": points([1])}) is None
    assert evaluate(parse_expression("x + y"), {"x": points([1]), "y": points([])}) is None


def test_steps_that_go_back_are_sorted() -> None:
    known = read_definitions({"d": "x + 0"})
    found = evaluate_derived(["d"], known, {"x": points([1, 2, 3], [0, 10, 5])})
    assert (found["d"].step.tolist(), found["d"].value.tolist()) == ([0, 5, 10], [1, 3, 2])


def test_derived_metrics_use_each_other_and_a_real_metric_hides_a_derived_one() -> None:
    known = read_definitions({"a": "x + 1", "b": "a * 2", "y": "x", "absent": "z"})
    found = evaluate_derived(["b", "y", "absent", "x"], known, {"x": points([1]), "y": points([7])})
    assert {name: one.value.tolist() for name, one in found.items()} == {"b": [4.0]}


def ema(values: Values, weight: float) -> list[float]:
    last, found = None, []
    for value in values:
        last = value if last is None else weight * last + (1 - weight) * value
        found.append(last)
    return found


def windows(values: Values, n: int, function: Callable[[Values], float]) -> list[float]:
    return [function(values[max(0, place - n + 1) : place + 1]) for place in range(len(values))]


numbers = st.lists(st.floats(-1e6, 1e6).map(lambda value: round(value, 6)), min_size=1, max_size=700)


@settings(deadline=None)
@given(numbers, st.floats(0, 0.99), st.integers(1, 1000))
def test_functions_equal_a_naive_reference(values: list[float], weight: float, n: int) -> None:
    x = points(values)
    scale = max(1.0, *map(abs, values))

    def same(expression: str, expected: Values) -> None:
        np.testing.assert_allclose(value_of(expression, x=x), expected, rtol=1e-7, atol=1e-9 * scale)

    same(f"ema(x, {weight:.9f})", ema(values, float(f"{weight:.9f}")))
    same(f"mean(x, {n})", windows(values, n, statistics.fmean))
    same(f"median(x, {n})", windows(values, n, statistics.median))
    same(f"std(x, {n})", windows(values, n, lambda part: float(np.std(part))))
    same("cumsum(x)", list(np.cumsum(values)))


terms = st.recursive(
    st.sampled_from(["x", "y", "2", "0", "0.5"]),
    lambda inner: (
        st.tuples(inner, st.sampled_from("+-*/%"), inner).map("".join).map("({})".format)
        | inner.map("abs({})".format)
        | inner.map("-{}".format)
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(terms, st.floats(-100, 100), st.floats(-100, 100))
def test_arithmetic_equals_that_of_python(text: str, x: float, y: float) -> None:
    """One point at a time; what Python refuses is a gap."""
    try:
        expected = eval(text, {"x": x, "y": y, "abs": abs})
    except (ZeroDivisionError, OverflowError):
        expected = NAN
    try:
        term = parse_expression(f"({text}) + 0 * x")
    except Exception as error:  # too deep
        assert "inside each other" in str(error)
        return
    found = evaluate(term, {"x": points([x]), "y": points([y])})
    assert found is not None
    expected = expected if math.isfinite(expected) else NAN
    np.testing.assert_allclose(found.value, [expected], rtol=1e-9, atol=1e-12)
