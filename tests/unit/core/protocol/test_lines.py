"""Lines in, events out: what a worker prints can never hurt the reader."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_lab.core.protocol import events
from rl_lab.core.protocol.lines import (
    Broken,
    Unknown,
    as_float,
    as_number,
    encode_line,
    parse_line,
)

FOUR_LINES = [
    '{"type":"config","run_id":"r","algo":"ppo","env_id":"LunarLander-v3","seed":123,"args":{"lr":0.1}}',
    '{"type":"step","episode_id":"e","step":42,"action":1,"reward":1.0,"terminated":false,"truncated":false,'
    '"obs":{"x":1},"t":1700.512}',
    '{"type":"episode","episode_id":"e","steps":512,"return":241.7,"t_end":1712.004}',
    '{"type":"metric","name":"policy_loss","value":0.0042,"t":1712.100}',
]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("line", FOUR_LINES)
def test_the_four_simple_lines_are_valid_events(line: str) -> None:
    event = parse_line(line.encode())
    assert isinstance(event, events.Event)
    assert event.__struct_config__.tag == json.loads(line)["type"]


def test_half_a_character_is_replaced() -> None:
    """Python writes the bytes of an odd file name like this; no database and no browser takes them."""
    event = parse_line(
        b'{"type":"finished","outcome":"failed","message":"no file \\udcff","summary":{"\\ud800":1}}'
    )
    assert isinstance(event, events.FinishedEvent)
    assert event.message == "no file ?"
    assert event.summary == {"?": 1}


def test_a_bare_nan_written_by_pythons_json_is_read() -> None:
    event = parse_line(json.dumps({"type": "metric", "name": "loss", "value": math.nan}).encode())
    assert isinstance(event, events.MetricEvent)
    assert math.isnan(as_float(event.value))


def test_an_unknown_type_is_kept_whole() -> None:
    event = parse_line(b'{"type":"belief","name":"door_open","confidence":0.9}')
    assert event == Unknown("belief", {"type": "belief", "name": "door_open", "confidence": 0.9})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"Epoch 3/10 loss 0.2", "not JSON"),
        (b"[1,2]", "not an object with a `type`"),
        (b'{"type":{}}', "not an object with a `type`"),
        (b'{"type":"episode","steps":"many"}', "Expected `int`, got `str` - at `$.steps`"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_a_broken_line_says_what_is_wrong_with_it(line: bytes, reason: str) -> None:
    assert parse_line(line) == Broken(line[:500].decode("utf-8", "replace"), reason)


@given(st.binary(max_size=200))
def test_no_bytes_can_break_the_parser(line: bytes) -> None:
    assert parse_line(line) is not None


@given(
    st.sampled_from(sorted(events.EVENT_TYPES)),
    st.dictionaries(st.text(max_size=10), json_values, max_size=5),
)
def test_no_object_of_a_known_type_can_break_the_parser(kind: str, fields: dict[str, object]) -> None:
    parsed = parse_line(json.dumps({**fields, "type": kind}).encode())
    assert isinstance(parsed, (events.Event, Broken))


@given(st.floats())
def test_every_float_survives_the_wire(value: float) -> None:
    line = encode_line(events.MetricEvent(name="x", value=as_number(value)))
    event = parse_line(line.rstrip(b"\n"))
    assert isinstance(event, events.MetricEvent)
    back = as_float(event.value)
    assert back == value or (math.isnan(back) and math.isnan(value))


def test_every_event_class_round_trips_with_its_defaults() -> None:
    for cls in events.EVENT_CLASSES:
        event = cls(path="model.zip") if cls in (events.CheckpointEvent, events.ArtifactEvent) else cls()  # type: ignore[call-arg]
        assert parse_line(encode_line(event).rstrip(b"\n")) == event
