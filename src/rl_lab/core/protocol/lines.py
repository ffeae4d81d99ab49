"""Decodes lines of the worker protocol to events and encodes events.

No output of a worker may make the reader fail: a line that is not an event becomes `Broken`, one of an unknown type
becomes `Unknown`, both with their text.
"""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec

from rl_lab.core.protocol.events import ANY_EVENT, EVENT_TYPES, Event, Number

decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(ANY_EVENT)
_encoder = msgspec.json.Encoder()


class Broken(msgspec.Struct, frozen=True):
    """A line that is not an event; `reason` says what is wrong with it."""

    text: str
    reason: str


class Unknown(msgspec.Struct, frozen=True):
    """A JSON object whose `type` this version does not know; kept as it is."""

    type: str
    data: dict[str, Any]


Parsed = Event | Broken | Unknown


def parse_line(line: bytes) -> Parsed:
    """One line, without its newline, as an event."""
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _explain(line, str(error))


def encode_line(event: Event) -> bytes:
    return _encoder.encode(event) + b"\n"


def as_float(number: Number | None) -> float:
    """A protocol number as a float; None and text that is not a number become NaN."""
    if number is None:
        return math.nan
    try:
        return float(number)
    except ValueError:
        return math.nan


def as_number(value: float) -> Number:
    """A float as the protocol writes it."""
    return value if math.isfinite(value) else str(value)


def _explain(line: bytes, reason: str) -> Parsed:
    text = line[:500].decode("utf-8", "replace")
    try:
        # Python's own json writes bare NaN and Infinity; read them as the protocol's strings.
        data = json.loads(line, parse_constant=lambda name: name.lower().replace("infinity", "inf"))
        # A lone surrogate (Python's way to keep the bytes of an odd file name) is not valid Unicode.
        data = json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return Broken(text, "not JSON")
    if is_named_by_event(data):
        data = {"type": data.pop("event"), **data}
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        return Broken(text, "not an object with a `type`")
    if data["type"] not in EVENT_TYPES:
        return Unknown(data["type"], data)
    try:
        event: Event = msgspec.convert(data, ANY_EVENT)
    except (msgspec.ValidationError, RecursionError) as error:
        return Broken(text, str(error) if "`type`" in reason else reason)
    return event


def is_named_by_event(data: Any) -> bool:
    """Whether an object names its type in `event` instead of `type`, as some programs do for `artifacts`."""
    return isinstance(data, dict) and "type" not in data and str(data.get("event")) in EVENT_TYPES
