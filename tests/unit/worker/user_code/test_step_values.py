"""Values of environments as they are handed to user code: plain, copied, and counted."""

from __future__ import annotations

import datetime
import enum
import marshal
from typing import Any

import numpy as np
import pytest

from rl_lab.worker.user_code.step_values import copied, nbytes_of, plain, plain_info, stack_observations


class Colour(enum.IntEnum):
    red = 3


class Word(str, enum.Enum):  # noqa: UP042  its text is not its value
    left = "l"


class Share(float):
    pass


class Odd:
    def __str__(self) -> str:
        return "odd"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Colour.red, 3),
        (Word.left, "l"),
        (Share(0.5), 0.5),
        (True, True),
        (np.float32(0.5), 0.5),
        (np.longdouble(0.5), 0.5),
        (np.str_("x"), "x"),
        (np.arange(4).reshape(2, 2), [[0, 1], [2, 3]]),
        (np.array([0.5], np.longdouble), [0.5]),
        (np.array([Odd(), 1, None], object), ["odd", 1, None]),
        (np.datetime64("2026-01-02"), "2026-01-02"),
        (np.array(["2026-01-02"], "M8[D]"), ["2026-01-02"]),
        (np.array([(1, 0.5)], "i4,f8"), [[1, 0.5]]),
        (bytearray(b"x"), b"x"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        ({1: {Word.left: (Colour.red, [Odd()])}}, {"1": {"l": [3, ["odd"]]}}),
        ({1, 2}, "{1, 2}"),
    ],
)
def test_every_value_becomes_one_that_can_be_sent(value: Any, expected: Any) -> None:
    found = plain(value)
    assert found == expected
    assert marshal.loads(marshal.dumps(found)) == expected


def test_an_info_that_contains_itself_is_left_out() -> None:
    endless: dict[str, Any] = {}
    endless["self"] = endless
    assert plain_info(endless) == {}
    assert plain_info({"x": np.float32(1)}) == {"x": 1.0}


def test_a_copy_keeps_its_values_when_the_original_is_changed() -> None:
    original = {"a": np.zeros(2), "b": (np.zeros(1), [np.zeros(1)])}
    kept = copied(original)
    original["a"] += 1
    original["b"][0][:] = 1
    original["b"][1][0][:] = 1
    assert kept["a"].tolist() == [0.0, 0.0]
    assert (kept["b"][0].tolist(), kept["b"][1][0].tolist()) == ([0.0], [0.0])


def test_the_bytes_of_nested_values_are_counted() -> None:
    picture = np.zeros((10, 10, 3), np.uint8)
    assert nbytes_of(picture) == 300
    assert nbytes_of({"picture": picture, "more": (picture, [picture])}) >= 900
    assert nbytes_of({"text": "x" * 1000, "numbers": [1.0] * 100}) >= 1800
    assert nbytes_of(None) > 0


def test_observations_of_different_shapes_are_handed_over_as_lists() -> None:
    assert stack_observations([np.zeros(1), np.zeros(2)]) == [[0.0], [0.0, 0.0]]
    assert stack_observations([1, 0.5]).tolist() == [1.0, 0.5]
