"""CRC-32C against its published check values and against TensorBoard's own implementation."""

from __future__ import annotations

import numpy as np
import pytest
from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import masked_crc32c

from rl_lab.analysis.event_files.crc32c import REACH, masked_crcs

RANDOM = np.random.default_rng(0).integers(0, 256, 5 * REACH, dtype=np.uint8)


def _one(data: bytes) -> int:
    whole = np.frombuffer(data, np.uint8)
    return int(masked_crcs(whole, np.zeros(1, np.int64), np.array([len(data)], np.int64))[0])


@pytest.mark.parametrize(
    ("data", "crc"), [(b"123456789", 0xE3069283), (bytes(32), 0x8A9136AA), (b"\xff" * 32, 0x62A8AB43)]
)
def test_published_values_match_after_masking(data: bytes, crc: int) -> None:
    rotated = (crc >> 15 | crc << 17) & 0xFFFFFFFF
    assert _one(data) == (rotated + 0xA282EAD8) & 0xFFFFFFFF


@pytest.mark.parametrize("length", [0, 1, 7, 8, REACH - 1, REACH, REACH + 1, 2 * REACH, 3 * REACH + 5])
def test_every_length_agrees_with_tensorboard(length: int) -> None:
    data = RANDOM[:length].tobytes()
    assert _one(data) == masked_crc32c(data)


def test_ranges_of_different_lengths_are_summed_in_parallel() -> None:
    length = np.array([3, 900, 0, 17, 2000, 17], np.int64)
    start = np.array([5, 0, 9, 100, 40, 101], np.int64)
    expected = [masked_crc32c(RANDOM[s : s + n].tobytes()) for s, n in zip(start, length, strict=True)]
    assert masked_crcs(RANDOM, start, length).tolist() == expected
