"""Messages between the server and a renderer process, over pipes.

To the renderer: 4 bytes of length, then msgpack. From it: 4 bytes of length, then a *picture message*, which
the server passes on to browsers untouched: 4 bytes of header length, a JSON header, then a JPEG or nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, BinaryIO

import msgspec

FRAME_FILE = "frame.bin"
"""In an attempt's folder: the newest picture message of a worker that draws itself."""
_LENGTH = struct.Struct("<I")
_encoder = msgspec.json.Encoder(enc_hook=str)


def picture_message(header: Mapping[str, Any], jpeg: bytes = b"") -> bytes:
    head = _encoder.encode(header)
    return _LENGTH.pack(len(head)) + head + jpeg


def split_picture_message(message: bytes) -> tuple[dict[str, Any], bytes]:
    (size,) = _LENGTH.unpack_from(message)
    header: dict[str, Any] = msgspec.json.decode(message[4 : 4 + size])
    return header, message[4 + size :]


def with_length(payload: bytes) -> bytes:
    return _LENGTH.pack(len(payload)) + payload


def write_message(stream: BinaryIO, payload: bytes) -> None:
    stream.write(with_length(payload))
    stream.flush()


def read_message(stream: BinaryIO) -> bytes | None:
    """The next message; None at the end of the stream."""
    prefix = stream.read(4)
    if len(prefix) < 4:
        return None
    payload = stream.read(_LENGTH.unpack(prefix)[0])
    return payload if len(payload) == _LENGTH.unpack(prefix)[0] else None
