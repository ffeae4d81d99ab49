"""`name=value` on the command line."""

from __future__ import annotations

import pytest

from rl_lab.cli.values import parse_bytes, parse_pairs, parse_value
from rl_lab.core.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("1e-3", 0.001),
        ("true", True),
        ("False", False),
        ("None", None),
        ("[64,[32,16]]", [64, [32, 16]]),
        ('"7"', "7"),
        ("tanh", "tanh"),
        ("", ""),
        ("NaN", "NaN"),
        ("a=b", "a=b"),
    ],
)
def test_a_value_is_json_where_it_is_json_and_text_otherwise(text: str, value: object) -> None:
    assert parse_value(text) == value
    assert type(parse_value(text)) is type(value)


def test_pairs_become_a_dict() -> None:
    assert parse_pairs(["gamma=0.9", " lr = 1e-3"], "--set") == {"gamma": 0.9, "lr": 0.001}


@pytest.mark.parametrize("wrong", [["gamma"], ["=3"], ["a=1", "a=2"]])
def test_what_is_not_a_pair_names_the_option(wrong: list[str]) -> None:
    with pytest.raises(InvalidInput) as raised:
        parse_pairs(wrong, "--set")
    assert raised.value.errors[0].field == "--set"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("0", 0),
        ("1000", 1000),
        ("20G", 20 * 10**9),
        ("1.5 TB", 15 * 10**11),
        ("500m", 5 * 10**8),
        ("3kB", 3000),
    ],
)
def test_bytes_are_written_as_people_say_them(text: str, count: int) -> None:
    assert parse_bytes(text, "lab-bytes") == count


@pytest.mark.parametrize("text", ["", "many", "-5G", "5X", "1e9", "0x10"])
def test_what_is_no_number_of_bytes_is_refused_in_words(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not a number of bytes"):
        parse_bytes(text, "lab-bytes")
