"""Points that go into a chunk come out of it again."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rl_lab.store.telemetry.chunks import Columns, decode_chunk, decode_open, encode_chunk, encode_open, join
from rl_lab.store.telemetry.series_writer import to_columns

I64 = st.integers(-(2**63), 2**63 - 1)


@st.composite
def columns(draw: st.DrawFn) -> Columns:
    count = draw(st.integers(1, 40))
    ints = hnp.arrays(np.int64, count, elements=I64)
    floats = st.floats() | st.floats(width=32)
    return Columns(draw(ints), draw(ints), draw(hnp.arrays(np.float64, count, elements=floats)))


def same(a: Columns, b: Columns) -> bool:
    return (
        np.array_equal(a.steps, b.steps)
        and np.array_equal(a.times_ms, b.times_ms)
        and np.array_equal(a.values, b.values, equal_nan=True)
    )


@given(columns())
def test_a_sealed_chunk_gives_back_its_points(points: Columns) -> None:
    assert same(decode_chunk(encode_chunk(points), len(points)), points)


@given(columns(), columns())
def test_open_points_give_back_their_points(one: Columns, two: Columns) -> None:
    both = join([decode_open(encode_open(one)), decode_open(encode_open(two))])
    assert same(both, join([one, two]))


def test_noise_takes_at_most_twelve_bytes_a_point_and_tame_values_few() -> None:
    rng = np.random.default_rng(0)
    steps = np.cumsum(rng.integers(1, 300, 1000))
    times = 1_790_000_000_000 + np.cumsum(rng.integers(1, 500, 1000))
    assert len(encode_chunk(Columns(steps, times, rng.normal(size=1000)))) <= 12_000
    tame = rng.integers(8, 500, 1000).astype(float)
    assert len(encode_chunk(Columns(steps, times, tame))) <= 6_000


def test_points_no_column_can_hold_are_brought_within_range() -> None:
    class Wild:
        steps = (2**80, -(2**80), 3)
        times = (float("nan"), float("inf"), 1.2345)
        values = (float("nan"), float("-inf"), 1.0)

    points = to_columns(Wild())
    assert points.steps.tolist() == [2**62, -(2**62), 3]
    assert points.times_ms.tolist() == [0, 0, 1234]
    assert np.isnan(points.values[0])
    assert points.values[1] == -np.inf
