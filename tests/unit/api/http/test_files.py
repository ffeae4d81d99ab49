"""Byte ranges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_lab.api.http.files import find_span


@pytest.mark.parametrize(
    ("wanted", "span"),
    [
        (None, (0, 10)),
        ("bytes=0-3", (0, 4)),
        ("bytes=4-", (4, 10)),
        ("bytes=-3", (7, 10)),
        ("bytes=-30", (0, 10)),
        ("bytes=8-99", (8, 10)),
        ("bytes=0-0", (0, 1)),
        ("bytes=10-", None),
        ("bytes=5-4", None),
        ("bytes=-0", None),
        ("bytes=0-1,3-4", (0, 10)),
        ("bytes=-", (0, 10)),
        ("items=0-1", (0, 10)),
        ("bytes=a-b", (0, 10)),
    ],
)
def test_one_range_is_served_and_what_is_not_one_is_ignored(wanted: str | None, span: object) -> None:
    assert find_span(wanted, 10) == span


def test_an_empty_file_has_no_range() -> None:
    assert find_span("bytes=0-", 0) is None
    assert find_span("bytes=-5", 0) is None
    assert find_span(None, 0) == (0, 0)


@given(st.text(max_size=30) | st.from_regex(r"bytes=\d{0,20}-\d{0,20}", fullmatch=True), st.integers(0, 1000))
def test_a_span_never_leaves_the_file(wanted: str, size: int) -> None:
    span = find_span(wanted, size)
    assert span is None or 0 <= span[0] <= span[1] <= size
