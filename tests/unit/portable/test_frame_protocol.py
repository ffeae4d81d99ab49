"""Frame messages: what one side writes, the other reads, whole or not at all."""

from __future__ import annotations

import asyncio
import io
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_lab.portable.frame_protocol import (
    LENGTH,
    MAX_MESSAGE_BYTES,
    frame_message,
    read_message,
    receive_message,
    split_frame_message,
    with_length,
    write_message,
)

FINITE = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
HEADERS = st.dictionaries(st.text(), JSON, max_size=5)


@given(HEADERS, st.binary(max_size=200))
def test_a_frame_message_is_split_into_what_it_was_made_of(header: dict[str, Any], jpeg: bytes) -> None:
    assert split_frame_message(frame_message(header, jpeg)) == (header, jpeg)


@given(st.lists(st.binary(max_size=50), max_size=5))
def test_messages_are_read_in_order_and_then_the_end(payloads: list[bytes]) -> None:
    stream = io.BytesIO()
    for payload in payloads:
        write_message(stream, payload)
    stream.seek(0)
    assert [read_message(stream) for _ in payloads] == payloads
    assert read_message(stream) is None


@given(st.binary(min_size=1, max_size=50), st.data())
def test_a_message_that_is_cut_is_not_read(payload: bytes, data: st.DataObject) -> None:
    whole = with_length(payload)
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    assert read_message(io.BytesIO(cut)) is None
    with pytest.raises(EOFError):
        asyncio.run(receive(cut))


async def receive(data: bytes, count: int = 1) -> list[bytes]:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return [await receive_message(reader) for _ in range(count)]


@given(st.lists(st.binary(max_size=50), min_size=1, max_size=4))
def test_the_server_reads_the_same_messages(payloads: list[bytes]) -> None:
    data = b"".join(map(with_length, payloads))
    assert asyncio.run(receive(data, len(payloads))) == payloads


def test_the_server_refuses_a_message_that_is_too_large() -> None:
    with pytest.raises(ValueError, match="larger"):
        asyncio.run(receive(LENGTH.pack(MAX_MESSAGE_BYTES + 1)))


def test_numbers_that_json_does_not_have_become_null() -> None:
    message = frame_message({"reward": math.nan, "info": {"all": [math.inf, 1.5, (-math.inf,)]}})
    header = message[LENGTH.size :].decode()
    assert json.loads(header, parse_constant=pytest.fail) == {
        "reward": None,
        "info": {"all": [None, 1.5, [None]]},
    }


def test_an_object_that_json_does_not_have_becomes_text() -> None:
    assert split_frame_message(frame_message({"info": {1: complex(1, 2)}}))[0] == {"info": {"1": "(1+2j)"}}
