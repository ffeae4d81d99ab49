"""What any writer may have left in an event file comes out as columns; what is broken comes out as words."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

from rl_lab.analysis.event_files import Column, read_scalars, write_columns, write_head

from .protos import file_of, of_values, record, simple, tensor_value

SIZES = TensorShapeProto
F, D, I32, I64, HALF, BFLOAT, U8, BOOL = 1, 2, 3, 9, 19, 14, 4, 10


def _values(file: io.BytesIO, tag: str) -> list[float]:
    read = read_scalars(file)
    assert read.problems == []
    return read.columns[tag].values.tolist()


def test_simple_values_keep_steps_times_and_order_per_tag() -> None:
    events = [simple(f"t{n % 3}", n / 2, step=n * 1000, wall_time=10.0 + n) for n in range(30)]
    read = read_scalars(file_of(*events))
    assert list(read.columns) == ["t0", "t1", "t2"]
    assert read.columns["t1"].steps.tolist() == list(range(1000, 30_000, 3000))
    assert read.columns["t1"].wall_times.tolist() == [11.0 + 3 * n for n in range(10)]
    assert read.columns["t1"].values.tolist() == [n / 2 for n in range(1, 30, 3)]
    assert read.first_wall_time == 1.5


@pytest.mark.parametrize("step", [0, 1, 127, 128, 2**31, 2**62, -1])
def test_a_step_of_any_size_is_read(step: int) -> None:
    read = read_scalars(file_of(*[simple("a", 1.0, step) for _ in range(20)]))
    assert read.columns["a"].steps.tolist() == [step] * 20


def test_several_values_in_one_summary_are_separated() -> None:
    events = [
        of_values(*(Summary.Value(tag=t, simple_value=n) for t in ("a", "bb", "a")), step=n)
        for n in range(20)
    ]
    read = read_scalars(file_of(*events))
    assert read.columns["a"].steps.tolist() == [n for n in range(20) for _ in range(2)]
    assert read.columns["bb"].values.tolist() == list(range(20))


@pytest.mark.parametrize("count", [1, 30])
@pytest.mark.parametrize(
    "tensor",
    [
        TensorProto(dtype=F, float_val=[2.5]),
        TensorProto(dtype=F, tensor_shape=SIZES(), tensor_content=struct.pack("<f", 2.5)),
        TensorProto(dtype=D, double_val=[2.5]),
        TensorProto(dtype=D, tensor_content=struct.pack("<d", 2.5)),
        TensorProto(dtype=HALF, half_val=[int(np.float16(2.5).view(np.uint16))]),
        TensorProto(dtype=HALF, tensor_content=np.float16(2.5).tobytes()),
        TensorProto(dtype=BFLOAT, half_val=[int(np.float32(2.5).view(np.uint32)) >> 16]),
    ],
)
def test_a_tensor_of_one_number_is_a_scalar(tensor: TensorProto, count: int) -> None:
    file = file_of(*[of_values(tensor_value("x", tensor), step=n) for n in range(count)])
    assert _values(file, "x") == [2.5] * count


@pytest.mark.parametrize(
    ("tensor", "value"),
    [
        (TensorProto(dtype=I32, int_val=[-7]), -7),
        (TensorProto(dtype=I64, int64_val=[-7]), -7),
        (TensorProto(dtype=I64, tensor_content=struct.pack("<q", -7)), -7),
        (TensorProto(dtype=U8, int_val=[7]), 7),
        (TensorProto(dtype=BOOL, bool_val=[True]), 1),
    ],
)
def test_integers_are_read(tensor: TensorProto, value: float) -> None:
    assert _values(file_of(of_values(tensor_value("x", tensor))), "x") == [value]


def test_tensors_of_different_layouts_and_tags_mix() -> None:
    single, double = TensorProto(dtype=F, float_val=[1]), TensorProto(dtype=D, double_val=[2])
    bare = Summary.Value(tag="s", tensor=TensorProto(dtype=F, float_val=[3]))
    events = [
        of_values(value, step=n)
        for n in range(40)
        for value in (tensor_value("s", single), tensor_value("d", double), bare)
    ]
    read = read_scalars(file_of(*events))
    assert read.columns["s"].values.tolist() == [1, 3] * 40
    assert read.columns["d"].steps.tolist() == list(range(40))


def test_images_vectors_and_other_plugins_are_not_scalars() -> None:
    vector = TensorProto(dtype=F, tensor_shape=SIZES(dim=[SIZES.Dim(size=2)]), float_val=[1, 2])
    image = Summary.Value(tag="i", image=Summary.Image(encoded_image_string=b"x" * 5000))
    curve = tensor_value("c", TensorProto(dtype=F, float_val=[1]), plugin="pr_curves")
    read = read_scalars(file_of(*[of_values(tensor_value("v", vector), image, curve) for _ in range(20)]))
    assert read.columns == {} and read.problems == []


def test_hyperparameters_of_the_plugin_keep_their_types() -> None:
    content = HParamsPluginData()
    hparams = content.session_start_info.hparams
    hparams["lr"].number_value, hparams["n"].number_value = 0.5, 3
    hparams["name"].string_value, hparams["on"].bool_value = "x", True
    value = tensor_value("_hparams_/session_start_info", TensorProto(), plugin="hparams")
    value.metadata.plugin_data.content = content.SerializeToString()
    assert read_scalars(file_of(of_values(value))).config == {"lr": 0.5, "n": 3, "name": "x", "on": True}


def test_a_table_of_hyperparameters_is_a_config() -> None:
    text = "|param|value|\n|-|-|\n|lr|0.0003|\n|env_id|CartPole-v1|\n|cuda|True|\n|wandb_entity|None|\n|n|4|"
    tensor = TensorProto(dtype=7, string_val=[text.encode()])
    read = read_scalars(
        file_of(of_values(tensor_value("hyperparameters/text_summary", tensor, plugin="text")))
    )
    assert read.config == {"lr": 0.0003, "env_id": "CartPole-v1", "cuda": True, "wandb_entity": None, "n": 4}


def test_an_incomplete_record_is_left_for_the_next_read() -> None:
    whole = file_of(*[simple("a", n, n) for n in range(20)]).getvalue()
    more = record(simple("a", 20, 20).SerializeToString())
    for cut in range(len(more)):
        read = read_scalars(io.BytesIO(whole + more[:cut]))
        assert (read.offset, len(read.columns["a"]), read.problems) == (len(whole), 20, [])
    again = read_scalars(io.BytesIO(whole + more), start=len(whole))
    assert again.columns["a"].values.tolist() == [20] and again.offset == len(whole + more)


def test_a_limit_ends_the_read_at_a_record_and_it_can_continue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rl_lab.analysis.event_files.records.BLOCK", 256)
    file = file_of(*[simple("a", n, n) for n in range(100)])
    values, start = [], 0
    while True:
        read = read_scalars(file, start=start, limit=500)
        values += read.columns["a"].values.tolist() if read.columns else []
        start = read.offset
        if read.is_complete:
            break
    assert values == list(range(100)) and start == len(file.getvalue())


def test_a_record_larger_than_a_block_is_read_and_a_huge_one_is_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rl_lab.analysis.event_files.records.BLOCK", 256)
    monkeypatch.setattr("rl_lab.analysis.event_files.records.LARGEST", 4096)
    large = [simple("a" * 1000, 1, 1), simple("b" * 5000, 1, 1), simple("c", 1, 1)]
    read = read_scalars(file_of(*large))
    assert list(read.columns) == ["a" * 1000, "c"]
    assert read.problems == ["Skipped 1 record too large to contain scalars."]


def test_a_wrong_checksum_is_reported_and_costs_one_record() -> None:
    data = bytearray(file_of(*[simple("a", n, n) for n in range(20)]).getvalue())
    data[-6] ^= 1
    read = read_scalars(io.BytesIO(bytes(data)))
    assert len(read.columns["a"]) == 19 and read.offset == len(data)
    assert read.problems == ["Skipped 1 record with a wrong checksum."]


def test_a_damaged_length_ends_the_read_with_a_message() -> None:
    first = file_of(*[simple("a", n, n) for n in range(9)]).getvalue()
    broken = bytearray(record(simple("a", 9, 9).SerializeToString()))
    broken[3] = 0x7F  # a length of two gigabytes
    read = read_scalars(io.BytesIO(first + bytes(broken) * 3))
    assert len(read.columns["a"]) == 9 and read.offset == len(first)
    assert read.problems[0].startswith(
        f"The file is damaged at byte {len(first):,}: a length has a wrong checksum"
    )


def test_another_file_is_reported_as_not_an_event_file() -> None:
    read = read_scalars(io.BytesIO(b"time,reward\n1,2\n" * 10))
    assert read.columns == {} and "not a TensorBoard event file" in read.problems[0]


def test_an_empty_file_is_a_valid_start() -> None:
    read = read_scalars(io.BytesIO(b""))
    assert (read.columns, read.offset, read.problems, read.first_wall_time) == ({}, 0, [], None)


def test_bytes_that_are_not_an_event_are_reported() -> None:
    file = io.BytesIO(
        file_of(simple("a", 1, 1)).getvalue() + record(b"\x2a\xff\xff\xff\xff\x7f") + record(b"\x07")
    )
    read = read_scalars(file)
    assert read.columns["a"].values.tolist() == [1]
    assert read.problems == ["Skipped 2 records that cannot be decoded as a TensorBoard event."]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_corruption_crashes_or_invents_a_point(data: st.DataObject) -> None:
    sound = file_of(*[simple("tag", n, n) for n in range(12)]).getvalue()
    broken = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(broken) - 1))
        broken[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
        if not broken:
            break
    read = read_scalars(io.BytesIO(bytes(broken)))
    points = {(s, v) for c in read.columns.values() for s, v in zip(c.steps, c.values, strict=True)}
    assert points <= {(n, float(n)) for n in range(12)}
    assert 0 <= read.offset <= len(broken)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.binary(max_size=60), min_size=1, max_size=40))
def test_any_bytes_with_correct_checksums_are_read_or_reported(payloads: list[bytes]) -> None:
    shaped = [b"\x09" + bytes(8) + b"\x2a" + bytes([len(p)]) + p for p in payloads]
    file = io.BytesIO(b"".join(map(record, [*payloads, *shaped])))
    read = read_scalars(file)
    assert read.offset == len(file.getvalue())


@settings(max_examples=50, deadline=None)
@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8"), min_size=1, max_size=40),
        st.lists(
            st.tuples(st.integers(-(2**62), 2**62), st.floats(0, 2e9), st.floats(width=32)),
            min_size=1,
            max_size=30,
        ),
        max_size=5,
    )
)
def test_written_points_are_read_back(points: dict[str, list[tuple[int, float, float]]]) -> None:
    columns = {
        tag: Column(
            *(np.array(part, kind) for part, kind in zip(zip(*rows, strict=True), "qdd", strict=True))
        )
        for tag, rows in points.items()
    }
    file = io.BytesIO()
    write_head(file, {"lr": 0.1}, wall_time=5.0)
    write_columns(file, columns)
    read = read_scalars(file)
    assert (read.problems, read.config, read.first_wall_time) == ([], {"lr": 0.1}, 5.0)
    assert read.columns.keys() == columns.keys()
    for tag, column in columns.items():
        for part in ("steps", "wall_times", "values"):
            np.testing.assert_array_equal(getattr(read.columns[tag], part), getattr(column, part))


def test_an_event_without_a_summary_is_skipped_silently() -> None:
    read = read_scalars(file_of(Event(wall_time=1, step=3), Event(wall_time=1, graph_def=b"x" * 3000)))
    assert read.columns == {} and read.problems == []
