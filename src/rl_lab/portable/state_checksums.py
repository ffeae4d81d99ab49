"""Checksums of the states of an episode, every 50 steps: they show where a replay leaves the recording.

A checksum is the lower half of a CRC-32 over the reward (float64) and the observation (all its numbers as float32, so
that learners which keep them as float32 compute the same). Standard library only; numpy is imported where it is needed.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

from rl_lab.core.bounds import CHECKSUM_BYTES, CHECKSUM_STEPS


class StateChecksums:
    """Those of the current episode of one environment."""

    __slots__ = ("_data", "_is_known")

    def __init__(self) -> None:
        self._data = bytearray()
        self._is_known = True
        """False for observations that are no numbers, such as text."""

    def clear(self) -> None:
        self._data.clear()

    def add(self, observation: Any, reward: Any) -> None:
        """After each step whose number is a multiple of `CHECKSUM_STEPS`."""
        if not self._is_known:
            return
        try:
            self._data += state_checksum(observation, reward)
        except (TypeError, ValueError):
            self._is_known = False
            self._data.clear()

    def between(self, start: int, stop: int) -> bytes:
        """Those of the steps after `start`, up to `stop`; empty when one of them is missing."""
        first, last = (step // CHECKSUM_STEPS * CHECKSUM_BYTES for step in (start, stop))
        return bytes(self._data[first:last]) if len(self._data) >= last else b""


def checksum_bytes(start: int, count: int) -> int:
    """How many bytes `count` steps after step `start` have."""
    return ((start + count) // CHECKSUM_STEPS - start // CHECKSUM_STEPS) * CHECKSUM_BYTES


def state_checksum(observation: Any, reward: Any) -> bytes:
    crc = _add(observation, zlib.crc32(struct.pack("<d", float(reward))))
    return (crc & 0xFFFF).to_bytes(CHECKSUM_BYTES, "little")


def _add(observation: Any, crc: int) -> int:
    if isinstance(observation, dict):
        for name in sorted(observation):
            crc = _add(observation[name], crc)
        return crc
    if isinstance(observation, (tuple, list)):
        for part in observation:
            crc = _add(part, crc)
        return crc
    import numpy as np

    return zlib.crc32(np.asarray(observation, "<f4").tobytes(), crc)
