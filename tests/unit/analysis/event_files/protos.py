"""Event records made with TensorBoard's own messages, framed as a file in memory."""

from __future__ import annotations

import io
import struct

from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import masked_crc32c


def record(data: bytes) -> bytes:
    head = struct.pack("<Q", len(data))
    return head + struct.pack("<I", masked_crc32c(head)) + data + struct.pack("<I", masked_crc32c(data))


def file_of(*events: Event) -> io.BytesIO:
    first = Event(wall_time=1.5, file_version="brain.Event:2")
    return io.BytesIO(b"".join(record(e.SerializeToString()) for e in (first, *events)))


def simple(tag: str, value: float, step: int, wall_time: float = 2.0) -> Event:
    return of_values(Summary.Value(tag=tag, simple_value=value), step=step, wall_time=wall_time)


def of_values(*values: Summary.Value, step: int = 0, wall_time: float = 2.0) -> Event:
    return Event(wall_time=wall_time, step=step, summary=Summary(value=values))


def tensor_value(tag: str, tensor: TensorProto, plugin: str = "scalars") -> Summary.Value:
    metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name=plugin))
    return Summary.Value(tag=tag, tensor=tensor, metadata=metadata)
