"""Expressions over metrics: what they mean, and that every other text is refused at its column."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rl_lab.core.errors import WrongExpression
from rl_lab.core.workbench.expression_terms import (
    FUNCTIONS,
    BinaryTerm,
    CallTerm,
    MetricTerm,
    NegatedTerm,
    NumberTerm,
    names_in,
)
from rl_lab.core.workbench.expressions import parse_expression, quoted_name, require_known

A, B, C = MetricTerm("a", 0), MetricTerm("b", 4), MetricTerm("c", 8)
PIECES = ["loss", "reward", "`x/y`", '"ep len"', "1", "2.5e3", "(", ")", ",", "+", "-", "**", "*", "/", "%"]
PIECES += [*FUNCTIONS, "^", "'", " ", "é", "0.5)", "10)", "return"]


def refused(text: str) -> WrongExpression:
    with pytest.raises(WrongExpression) as caught:
        parse_expression(text)
    return caught.value


def test_products_bind_stronger_than_sums_and_are_read_from_the_left() -> None:
    assert parse_expression("a + b * c") == BinaryTerm("+", A, BinaryTerm("*", B, C))
    assert parse_expression("a - b - c") == BinaryTerm("-", BinaryTerm("-", A, B), C)


def test_a_power_is_read_from_the_right_and_before_its_sign() -> None:
    assert parse_expression("-a**2") == NegatedTerm(BinaryTerm("**", MetricTerm("a", 1), NumberTerm(2.0)))
    power = BinaryTerm("**", NumberTerm(3.0), NumberTerm(2.0))
    assert parse_expression("a**3**2") == BinaryTerm("**", A, power)


def test_return_is_the_reward_unless_it_is_quoted() -> None:
    assert names_in(parse_expression("return / length")) == ["reward", "length"]
    assert names_in(parse_expression("`return` / length")) == ["return", "length"]


def test_names_with_slashes_and_spaces_are_quoted() -> None:
    assert names_in(parse_expression('`own_return/speed` - "rollout/ep len"')) == [
        "own_return/speed",
        "rollout/ep len",
    ]


def test_constants_of_functions_are_kept_apart_from_their_series() -> None:
    assert parse_expression("ema(a, 0.9)") == CallTerm("ema", (MetricTerm("a", 4),), (0.9,))


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 0, "The expression is empty."),
        ("1 + 2", 0, "It names no metric, so it has no points."),
        ("loss loss", 5, "Something is missing before “loss”, such as * or +."),
        ("(loss", 0, "This parenthesis is not closed."),
        ("loss)", 4, "A parenthesis is closed that was not opened."),
        ("loss +", 6, "The expression ends here, but a number or the name of a metric is expected."),
        ("loss ^ 2", 5, "“^” is not understood here. Write ** for a power."),
        ("loss > 2", 5, "“>” is not understood here. Only numbers are computed here; alerts compare them."),
        ("1 + `loss", 4, "“`” is not understood here. A quoted name is not closed."),
        ("2 * emma(loss, 0.9)", 4, "There is no function “emma”. Did you mean ema?"),
        ("ema(loss)", 0, "ema(x, weight) takes 2 arguments, not 1."),
        ("abs(loss, 2)", 0, "abs(x) takes 1 argument, not 2."),
        ("min(loss)", 0, "min(x, y, …) takes 2 or more arguments, not 1."),
        ("ema(loss, 1)", 10, "weight must be a plain number from 0 to 0.999999."),
        ("mean(loss, 2.5)", 11, "n must be a whole number from 1 to 1,000."),
        ("mean(loss, loss)", 11, "n must be a whole number from 1 to 1,000."),
        ("loss * 1e999", 7, "This number is too large."),
    ],
)
def test_an_error_points_at_its_column(text: str, column: int, message: str) -> None:
    found = refused(text)
    assert (found.message, found.column) == (message, column)
    assert found.detail.splitlines()[-1] == f"  {' ' * column}^"


def test_length_and_depth_are_bounded() -> None:
    assert refused("a+" * 300 + "a").message == "It has 601 characters; at most 500 are accepted."
    assert "inside each other" in refused("(" * 100 + "a" + ")" * 100).message
    assert "inside each other" in refused("-" * 100 + "a").message
    assert names_in(parse_expression("+".join(["a"] * 250))) == ["a"]


def test_an_unknown_metric_is_refused_with_a_similar_one() -> None:
    text = "ema(lss, 0.9)"
    with pytest.raises(WrongExpression) as caught:
        require_known(text, parse_expression(text), ["loss", "reward"])
    assert caught.value.message == "There is no metric “lss”. Did you mean loss?"
    assert caught.value.column == 4


def test_a_name_with_a_slash_that_is_not_quoted_is_explained() -> None:
    text = "own_return/speed"
    with pytest.raises(WrongExpression) as caught:
        require_known(text, parse_expression(text), ["own_return", "own_return/speed"])
    message = "There is no metric “speed”. Quote a name with a slash: `own_return/speed`."
    assert caught.value.message == message


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
    | st.text("(-a)", max_size=500)
)
@example("ema(" * 60)
@example("\ud800")
@example("a" * 501)
def test_any_other_text_raises_only_the_declared_error(text: str) -> None:
    try:
        found = parse_expression(text)
    except WrongExpression as error:
        assert 0 <= error.column <= len(text)
    else:
        assert names_in(found)


@given(st.text(st.characters(exclude_characters='`"', exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_a_quoted_name_is_read_back_as_itself(name: str) -> None:
    if name.strip():
        assert names_in(parse_expression(quoted_name(name))) == [name]
