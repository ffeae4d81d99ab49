"""Recordings as telemetry.db holds them: rows and chunks give back what was put in."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rl_lab.core.bounds import CHECKSUM_STEPS, GENERATOR_BYTES
from rl_lab.store.telemetry.stored_recordings import (
    COLUMNS,
    StoredRecording,
    decode_chunk_of_recordings,
    encode_chunk_of_recordings,
    from_row,
    reduce_values,
    restore_values,
    to_row,
)

I64 = st.integers(-(2**63), 2**63 - 1)
F32 = st.floats(width=32, allow_nan=False, allow_infinity=False)


@st.composite
def stored_recordings(draw: st.DrawFn) -> StoredRecording:
    count = draw(st.sampled_from([1, 2, 7, 20, CHECKSUM_STEPS - 1, CHECKSUM_STEPS, 2 * CHECKSUM_STEPS + 1]))
    stride = draw(st.sampled_from([1, 2, 4, 16]))
    columns = {}
    for column in COLUMNS:
        per_step = stride if column.per_step is None else column.per_step
        size = count // column.every * per_step + column.per_episode
        is_there = not column.flag or draw(st.booleans())
        columns[column.name] = draw(st.binary(min_size=size, max_size=size)) if is_there else b""
    return StoredRecording(
        episode=draw(I64),
        context=draw(st.integers(0, 2**31 - 1)),
        seed=None if columns["generator"] else draw(I64),
        count=count,
        stride=stride,
        low=draw(F32),
        high=draw(F32),
        **columns,
    )


@settings(deadline=None)
@given(st.lists(stored_recordings(), max_size=8))
def test_a_chunk_gives_back_each_recording(many: list[StoredRecording]) -> None:
    assert decode_chunk_of_recordings(encode_chunk_of_recordings(many)) == many


@given(stored_recordings())
def test_a_row_gives_back_its_recording(recording: StoredRecording) -> None:
    assert from_row(to_row(recording)) == recording


def test_every_column_has_a_bit_of_its_own_and_a_field() -> None:
    flags = [column.flag for column in COLUMNS if column.flag]
    assert len(set(flags)) == len(flags)
    assert all(flag & (flag - 1) == 0 for flag in flags)
    assert {column.name for column in COLUMNS} <= set(StoredRecording.__struct_fields__)
    assert GENERATOR_BYTES in [column.per_episode for column in COLUMNS]


@given(hnp.arrays(np.float16, st.integers(1, 50), elements=st.floats(width=16)))
def test_values_keep_their_range_and_their_gaps(values: np.ndarray) -> None:
    known = np.isfinite(values)
    levels, low, high = reduce_values(values.astype("<f2").tobytes())
    back = np.frombuffer(restore_values(levels, low, high), "<f2")
    assert np.array_equal(np.isnan(back), ~known)
    tolerance = (high - low) / 254 + 1e-3 * max(abs(low), abs(high))
    assert np.all(np.abs(back[known].astype(float) - values[known].astype(float)) <= tolerance)
