"""A recording in its three shapes: wire → stored → memory loses no field, in a row, in a chunk, and live."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rl_lab.core.bounds import GENERATOR_BYTES
from rl_lab.core.protocol.events import BYTES_PER_STEP, EpisodeEvent, StepsEvent, Trace
from rl_lab.core.protocol.lines import encode_line, parse_line
from rl_lab.core.recordings import Recording
from rl_lab.store.telemetry import Batch, NewEpisode, Position, TelemetryDb, TelemetryReader
from rl_lab.store.telemetry.recording_writer import SEAL_EPISODES

CONTEXT = {
    "env_id": "CartPole-v1",
    "env_kwargs": {"gravity": 9.8},
    "env_version": "gymnasium 1.4.0",
    "wrappers": ["TimeLimit"],
    "action": {"kind": "discrete", "dtype": "u1", "start": 0, "n": 2},
}


def of_wire(cls: type[EpisodeEvent] | type[StepsEvent]) -> set[str]:
    """Fields of a Recording that come from events of this class."""
    return set(Recording.__struct_fields__) & {*cls.__struct_fields__, *Trace.__struct_fields__}


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    count, stride = draw(st.integers(1, 12)), draw(st.sampled_from([1, 4]))
    data = lambda size: draw(st.binary(min_size=size * count, max_size=size * count))  # noqa: E731
    columns = {name: data(width) if draw(st.booleans()) else b"" for name, width in BYTES_PER_STEP.items()}
    if columns["values"]:
        numbers = [draw(st.floats(-100, 100, width=16)) for _ in range(count)]
        columns["values"] = np.array(numbers, "<f2").tobytes()
    extra = {"probabilities": data(4)} if draw(st.booleans()) else {}
    return Trace(count=count, actions=data(stride), extra=extra, **columns)


beginnings = st.one_of(
    st.fixed_dictionaries({"seed": st.integers(0, 2**31 - 1)}),
    st.fixed_dictionaries({"generator": st.binary(min_size=GENERATOR_BYTES, max_size=GENERATOR_BYTES)}),
)


def over_the_wire(event: Any) -> Any:
    return parse_line(encode_line(event).rstrip())


def assert_same(found: Recording, event: EpisodeEvent | StepsEvent, fields: set[str]) -> None:
    assert event.trace is not None
    for name in fields:
        sent = getattr(event.trace if name in Trace.__struct_fields__ else event, name)
        kept = getattr(found, name)
        if name == "values" and sent != kept:  # one byte per step
            before, after = np.frombuffer(sent, "<f2"), np.frombuffer(kept, "<f2")
            assert np.abs(before.astype(float) - after).max() <= np.ptp(before.astype(float)) / 254 + 0.1
        else:
            assert kept == sent, name
    assert {name: getattr(found, name) for name in CONTEXT} == CONTEXT


@settings(deadline=None, max_examples=30)
@given(trace=traces(), beginning=beginnings, is_sealed=st.booleans())
def test_a_finished_episode_keeps_every_field(
    tmp_path_factory: pytest.TempPathFactory, trace: Trace, beginning: dict[str, Any], is_sealed: bool
) -> None:
    path = tmp_path_factory.mktemp("t") / "telemetry.db"
    count = SEAL_EPISODES if is_sealed else 1
    sent = [
        EpisodeEvent(
            episode=i, trace=trace, return_=3.5, terminated=True, truncated=False, timestep=i, **beginning
        )
        for i in range(count)
    ]
    rows = [
        NewEpisode(i, 0.0, seed=e.seed, reward=e.return_, terminated=True, truncated=False, timestep=i)
        for i, e in enumerate(sent)
    ]
    events = [over_the_wire(event) for event in sent]
    apply(path, Batch(Position(1, 1, 1), episodes=rows, recordings=events, context=CONTEXT))
    with TelemetryReader(path, "run") as reader:
        found = reader.recording(count - 1)
    assert found is not None
    assert_same(found, sent[-1], of_wire(EpisodeEvent))
    assert (found.run_id, found.returned, found.complete) == ("run", 3.5, True)


@settings(deadline=None, max_examples=30)
@given(trace=traces(), beginning=beginnings)
def test_an_episode_that_is_being_played_keeps_every_field(
    tmp_path_factory: pytest.TempPathFactory, trace: Trace, beginning: dict[str, Any]
) -> None:
    path = tmp_path_factory.mktemp("t") / "telemetry.db"
    sent = StepsEvent(episode=4, env=1, returned=2.5, timestep=90, trace=trace, **beginning)
    apply(path, Batch(Position(1, 1, 1), recordings=[over_the_wire(sent)], context=CONTEXT))
    with TelemetryReader(path, "run") as reader:
        found = reader.live(env=1)
    assert found is not None
    assert_same(found, sent, of_wire(StepsEvent) - {"extra"})  # more columns are stored when the episode ends
    assert found.complete is False


@settings(deadline=None, max_examples=30)
@given(trace=traces(), beginning=beginnings, data=st.data())
def test_an_episode_sent_in_parts_is_the_same_as_one_sent_whole(
    tmp_path_factory: pytest.TempPathFactory, trace: Trace, beginning: dict[str, Any], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("t") / "telemetry.db"
    cut = data.draw(st.integers(1, trace.count)) if trace.count > 1 else 1
    stride = len(trace.actions) // trace.count
    widths = {"actions": stride, **BYTES_PER_STEP}
    first = Trace(count=cut, **{name: getattr(trace, name)[: cut * w] for name, w in widths.items()})
    start = cut - 1  # the last step is sent twice, as after a restart of the worker's clock
    rest = {name: getattr(trace, name)[start * w :] for name, w in widths.items()}
    last = Trace(start=start, count=trace.count - start, **rest)
    events = [StepsEvent(trace=first, **beginning), EpisodeEvent(episode=0, trace=last, **beginning)]
    batch = Batch(Position(1, 1, 1), episodes=[NewEpisode(0, 0.0)], recordings=events, context=CONTEXT)
    apply(path, batch)
    with TelemetryReader(path) as reader:
        found = reader.recording(0)
    assert found is not None
    whole = EpisodeEvent(episode=0, trace=msgspec.structs.replace(trace, extra={}), **beginning)
    assert_same(found, whole, {"count", "actions", "seed", "generator"})
    if start:
        assert_same(found, whole, {"rewards", "values", "chosen"})


def apply(path: Path, batch: Batch) -> None:
    db = TelemetryDb(path)
    db.apply(batch)
    db.close()
