"""Actions a script plays are kept exactly or not at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from rl_lab.capture.played_actions import find_packing, make_keeper
from rl_lab.portable.actions import unpack

CASES: list[tuple[Any, list[Any]]] = [
    (spaces.Discrete(4), [0, 3, np.int64(2), np.int32(1)]),
    (spaces.Discrete(5, start=-2), [-2, 0, np.int64(2)]),
    (spaces.Discrete(70_000), [0, 69_999]),
    (spaces.Box(-1, 1, (2,), np.float32), [np.array([0.1, -0.7]), np.array([1e-9, 1.0])]),
    (spaces.Box(-1, 1, (2,), np.float32), [np.array([0.1, -0.7], np.float32)]),
    (spaces.Box(-1, 1, (1,), np.float32), [[0.25], [1 / 3]]),
    (spaces.MultiDiscrete([3, 4]), [np.array([2, 3]), np.array([0, 1], np.int32)]),
    (spaces.MultiBinary(3), [np.array([0, 1, 1], np.int8)]),
]


@pytest.mark.parametrize(("space", "actions"), CASES)
def test_what_was_played_comes_back(space: Any, actions: list[Any]) -> None:
    packing = find_packing(space, actions[0])
    assert packing is not None
    kept = bytearray()
    keep = make_keeper(kept, packing)
    for action in actions:
        keep(action)
    for back, played in zip(unpack(packing, bytes(kept)), actions, strict=True):
        assert np.array_equal(back, played)


@pytest.mark.parametrize(
    ("space", "first", "then"),
    [
        (spaces.Discrete(4), 0, 1.5),
        (spaces.Discrete(4), 0, 300),
        (spaces.Discrete(4), 0, np.array([1])),
        (spaces.Discrete(5, start=2), 2, 1),
        (spaces.Box(-1, 1, (2,)), np.zeros(2), np.zeros(2, np.float32)),
        (spaces.Box(-1, 1, (2,)), np.zeros(2), np.zeros((1, 2))),
        (spaces.MultiDiscrete([3, 4]), np.zeros(2, int), np.array([0, 300])),
        (spaces.MultiDiscrete([3, 4]), np.zeros(2, int), np.array([0.5, 1.0])),
        (spaces.MultiDiscrete([3, 4]), np.zeros(2, int), "left"),
    ],
)
def test_an_action_that_would_not_come_back_is_refused(space: Any, first: Any, then: Any) -> None:
    packing = find_packing(space, first)
    assert packing is not None
    kept = bytearray()
    keep = make_keeper(kept, packing)
    keep(first)
    before = bytes(kept)
    with pytest.raises(Exception):  # noqa: B017 - a tap takes any of them for the same
        keep(then)
    assert bytes(kept) == before


def test_what_has_no_packing_says_so() -> None:
    class Tensor:
        """Numbers that are not numpy's."""

    assert find_packing(spaces.Box(-1, 1, (2,)), Tensor()) is None
    assert find_packing(spaces.Dict({"a": spaces.Discrete(2)}), {"a": 1}) is None
