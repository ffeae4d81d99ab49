"""Search texts of runs: short names resolve, and a wrong one is refused with a suggestion."""

from __future__ import annotations

import pytest

from rl_lab.core.errors import InvalidInput
from rl_lab.core.run_query import Condition, parse_number, parse_query

PARAMETERS = ("learning_rate", "gamma", "n_envs", "batch_size")


def test_words_and_conditions_are_told_apart() -> None:
    query = parse_query('Cart lr<0.01 seed:1,2 tag:"my tag" "two words"', PARAMETERS)
    assert query.words == ("cart", "two words")
    assert query.conditions == (
        Condition("learning_rate", "<", ("0.01",), ("learning_rate", "lr")),
        Condition("seed", ":", ("1", "2")),
        Condition("tag", ":", ("my tag",)),
    )


def test_a_condition_that_is_still_being_typed_is_left_out() -> None:
    assert parse_query("seed: lr<", PARAMETERS).conditions == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("learning_rat<0.1", "Did you mean learning_rate"),
        ("seed:abc", "is not a number"),
        ("lr<fast", "is not a number"),
        ("env<3", "cannot be compared with <"),
        ("x" * 201, "longer"),
    ],
)
def test_a_wrong_condition_is_refused_with_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        parse_query(text, PARAMETERS)


def test_an_argument_of_a_script_needs_no_declaration() -> None:
    assert parse_query("hidden_width:64", PARAMETERS).conditions[0].field == "hidden_width"


def test_numbers_may_have_a_unit_or_a_real_minus_sign() -> None:
    numbers = [parse_number(text) for text in ("10k", "1.5M", "1e-3", "−2", "nan", "x")]
    assert numbers == [10_000, 1_500_000, 0.001, -2, None, None]
