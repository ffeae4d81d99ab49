"""Checksums of the states of an episode, every 50 steps."""

from __future__ import annotations

import numpy as np
import pytest

from rl_lab.portable.state_checksums import StateChecksums, checksum_bytes, state_checksum


def test_a_checksum_does_not_depend_on_the_type_of_the_numbers() -> None:
    single = state_checksum(np.array([0.5, 2.0], np.float32), np.float32(1.0))
    assert single == state_checksum(np.array([0.5, 2.0], np.float64), 1)
    assert state_checksum(3, 0.0) == state_checksum(np.int64(3), 0.0)
    assert len(single) == 2


@pytest.mark.parametrize(
    ("observation", "reward"), [(np.array([0.5, 2.5]), 1.0), (np.array([0.5, 2.0]), 1.5), ({"a": 0.5}, 1.0)]
)
def test_another_state_has_another_checksum(observation: object, reward: float) -> None:
    assert state_checksum(observation, reward) != state_checksum(np.array([0.5, 2.0]), 1.0)


def test_parts_of_an_observation_are_all_counted() -> None:
    first = {"a": np.zeros(2), "b": (1, [2.0])}
    assert state_checksum(first, 0.0) == state_checksum({"b": (1, [2.0]), "a": np.zeros(2)}, 0.0)
    assert state_checksum(first, 0.0) != state_checksum({"a": np.zeros(2), "b": (1, [3.0])}, 0.0)


def test_parts_of_an_episode_have_the_checksums_of_their_own_steps() -> None:
    states = StateChecksums()
    for number in range(3):
        states.add(np.array([number]), 0.0)
    whole = states.between(0, 160)
    assert len(whole) == checksum_bytes(0, 160) == 6
    assert states.between(0, 49) == b""
    assert states.between(0, 70) + states.between(70, 100) + states.between(100, 160) == whole
    assert states.between(0, 200) == b"", "one is missing"


def test_observations_that_are_no_numbers_have_none() -> None:
    states = StateChecksums()
    states.add("a sentence", 0.0)
    states.add(np.zeros(1), 0.0)
    assert states.between(0, 100) == b""
