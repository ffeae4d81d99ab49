"""The order of episodes in which code is tried a second time."""

from __future__ import annotations

import numpy as np
import pytest

from rl_lab.worker.user_code.checking import reversed_episodes


@pytest.mark.parametrize(
    ("begins", "order"),
    [
        ([1, 0, 0, 1, 0, 1], [5, 3, 4, 0, 1, 2]),
        ([1, 0, 0], [0, 1, 2]),
        ([0, 0, 1, 0], [2, 3, 0, 1]),
        ([1], [0]),
    ],
)
def test_the_last_episode_comes_first_and_its_steps_stay_in_order(
    begins: list[int], order: list[int]
) -> None:
    assert reversed_episodes(np.array(begins, np.bool_)).tolist() == order
