"""A file of recordings, which the lab hands to a worker: the length of each, then its bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from rl_lab.core.recordings import Recording

LENGTH_BYTES = 4


def write_recording(file: BinaryIO, recording: Recording) -> None:
    data = msgspec.msgpack.encode(recording)
    file.write(len(data).to_bytes(LENGTH_BYTES, "little") + data)


def read_recordings(file: BinaryIO) -> Iterator[Recording]:
    """One is in memory at a time."""
    while head := file.read(LENGTH_BYTES):
        yield msgspec.msgpack.decode(file.read(int.from_bytes(head, "little")), type=Recording)
