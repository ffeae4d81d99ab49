"""Search texts of runs: short names resolve, and a wrong one is refused with a suggestion."""

from __future__ import annotations

import pytest

from rl_lab.core.errors import InvalidInput
from rl_lab.core.run_query import (
    AllOf,
    AnyOf,
    Condition,
    NoneOf,
    Operator,
    Part,
    QueryWord,
    parse_number,
    parse_query,
)

PARAMETERS = ("learning_rate", "gamma", "n_envs", "batch_size")


def lr(operator: Operator, value: str) -> Condition:
    return Condition("learning_rate", operator, (value,), ("learning_rate", "lr"))


def parts(text: str) -> tuple[Part, ...]:
    return parse_query(text, PARAMETERS).parts


def test_words_and_conditions_are_told_apart() -> None:
    assert parts('Cart lr<0.01 seed:1,2 tag:"my tag" "two words"') == (
        QueryWord("cart"),
        lr("<", "0.01"),
        Condition("seed", ":", ("1", "2")),
        Condition("tag", ":", ("my tag",)),
        QueryWord("two words"),
    )


@pytest.mark.parametrize("text", ["params.learning_rate < 0.001 and best > 200", "lr<0.001 best>200"])
def test_conditions_may_be_written_with_spaces_and_the_word_and(text: str) -> None:
    assert parts(text) == (lr("<", "0.001"), Condition("best_mean_reward", ">", ("200",)))


def test_ids_of_environments_with_a_colon_are_words() -> None:
    assert parts("own:grid-v2 own:gr seed:3") == (
        QueryWord("own:grid-v2"),
        QueryWord("own:gr"),
        Condition("seed", ":", ("3",)),
    )
    assert parts("my_games.envs:Snake-v0") == (QueryWord("my_games.envs:snake-v0"),)
    assert parts("env:own:grid-v2") == (Condition("env_id", ":", ("own:grid-v2",)),)
    assert parts("params.device:a-v1") == (Condition("device", ":", ("a-v1",), ("device",)),)


def test_or_binds_weaker_than_and_unless_there_are_parentheses() -> None:
    a, b, c = QueryWord("a"), QueryWord("b"), QueryWord("c")
    assert parts("a b or c") == (AnyOf((AllOf((a, b)), AllOf((c,)))),)
    assert parts("a (b or c)") == (a, AnyOf((AllOf((b,)), AllOf((c,)))))
    assert parts("not a and not (b or c)") == (NoneOf(a), NoneOf(AnyOf((AllOf((b,)), AllOf((c,))))))


@pytest.mark.parametrize("text", ["", "or", "and", "not", "(", "()", "(or", "not (", "a:", "lr <"])
def test_what_is_still_being_typed_is_left_out(text: str) -> None:
    assert parts(text) == ()
    assert parts(f"cart {text}") == (QueryWord("cart"),)


def test_a_condition_that_is_still_being_typed_is_left_out() -> None:
    assert parts("seed: lr<") == ()


def test_a_quoted_operator_is_a_word() -> None:
    assert parts('"or" "(x"') == (QueryWord("or"), QueryWord("(x"))


def test_metrics_are_named_with_a_prefix_or_by_their_own_name() -> None:
    entropy = Condition("entropy", "<", ("0.1",), is_metric=True)
    assert parts("metrics.entropy<0.1") == parts("entropy < 0.1") == (entropy,)
    assert parts("learning_rate<0.1") == (lr("<", "0.1"),)
    by_version = Condition("soft@nightly@v2", ">", ("0.5",), is_metric=True)
    assert parts("metrics.soft@nightly@v2 > 0.5") == (by_version,)
    assert parts("me@home:3") == (QueryWord("me@home:3"),)
    assert parts("metrics.charts/td_loss>3")[0] == Condition("charts/td_loss", ">", ("3",), is_metric=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("learning_rat<0.1", "Did you mean learning_rate"),
        ("seed:abc", "is not a number"),
        ("lr<fast", "is not a number"),
        ("env<3", "cannot be compared with <"),
        ("x" * 201, "longer"),
        ("a)", "not opened"),
        ("(" * 30 + "a", "inside each other"),
        ("metrics.loss:low", "is not a number"),
    ],
)
def test_a_wrong_condition_is_refused_with_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        parse_query(text, PARAMETERS)


def test_an_argument_of_a_script_needs_no_declaration() -> None:
    assert parts("hidden_width:64") == (Condition("hidden_width", ":", ("64",), ("hidden_width",)),)


def test_numbers_may_have_a_unit_or_a_real_minus_sign() -> None:
    numbers = [parse_number(text) for text in ("10k", "1.5M", "1e-3", "−2", "nan", "x")]
    assert numbers == [10_000, 1_500_000, 0.001, -2, None, None]
