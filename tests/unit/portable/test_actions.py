"""Packing: what the bytes hold is what the environment gets back."""

from __future__ import annotations

import gymnasium.spaces as spaces
import numpy as np
import pytest

from rl_lab.portable.actions import action_packing, bytes_per_step, pack, unpack

SPACES = [
    (spaces.Discrete(2), 1),
    (spaces.Discrete(5, start=-2), 1),
    (spaces.Discrete(300), 2),
    (spaces.Discrete(70_000), 4),
    (spaces.Box(-1, 1, (4,), np.float32), 16),
    (spaces.Box(-1, 1, (2, 3), np.float64), 48),
    (spaces.Box(0, 255, (3,), np.uint8), 3),
    (spaces.MultiBinary(6), 6),
    (spaces.MultiDiscrete([3, 500]), 4),
    (spaces.MultiDiscrete([3, 5], start=[-1, 10]), 2),
]


@pytest.mark.parametrize(("space", "size"), SPACES, ids=str)
def test_actions_come_back_as_they_were(space: spaces.Space, size: int) -> None:
    packing = action_packing(space)
    assert packing is not None
    assert bytes_per_step(packing) == size
    space.seed(3)
    actions = [space.sample() for _ in range(50)]
    data = b"".join(pack(packing, action) for action in actions)
    assert len(data) == 50 * size
    back = unpack(packing, data)
    assert all(np.array_equal(a, b) for a, b in zip(actions, back, strict=True))
    assert all(space.contains(action) for action in back)


def test_composed_actions_are_not_packed() -> None:
    assert action_packing(spaces.Tuple([spaces.Discrete(2), spaces.Discrete(3)])) is None
    assert bytes_per_step(None) == 0
