"""Times as people write and read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_lab.core.words.durations import duration_words, parse_duration, short_duration, spell_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30m", 1800),
        ("2h30m", 9000),
        ("2 h 30 min", 9000),
        ("90s", 90),
        ("1:30:00", 5400),
        ("1.5h", 5400),
        (" 10M ", 600),
        ("3 hours", 10_800),
    ],
)
def test_times_are_read_as_people_write_them(text: str, seconds: int) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "30", "1:30", "m", "ten minutes", "-5m", "1h2h", "0s", "1:75:00"])
def test_a_time_that_means_nothing_or_two_things_is_refused_with_examples(text: str) -> None:
    with pytest.raises(ValueError, match="2h30m"):
        parse_duration(text)


@given(st.integers(1, 10**7))
def test_a_spelled_time_is_read_as_the_same(seconds: int) -> None:
    assert parse_duration(spell_duration(seconds)) == seconds


def test_times_read_well_in_names_and_sentences() -> None:
    assert (short_duration(1800), short_duration(9030)) == ("30 min", "2 h 30 min 30 s")
    assert (duration_words(3600), duration_words(5401)) == ("1 hour", "1 hour 30 minutes 1 second")
