"""Spaces as the catalogue's cards show them."""

from __future__ import annotations

import gymnasium.spaces as spaces
import numpy as np
import pytest

from rl_lab.worker.environments.spaces import action_kind, space_dims, space_text


@pytest.mark.parametrize(
    ("space", "text", "dims", "kind"),
    [
        (spaces.Discrete(4), "DISCRETE(4)", [4], "discrete"),
        (spaces.Box(-1, 1, (8,), np.float32), "BOX(8)", [8], "continuous"),
        (spaces.Box(0, 255, (96, 96, 3), np.uint8), "BOX(96, 96, 3)", [96, 96, 3], "continuous"),
        (spaces.MultiDiscrete([2, 3]), "MULTI DISCRETE(2, 3)", [2, 3], "other"),
        (spaces.Tuple([spaces.Discrete(32), spaces.Discrete(2)]), "TUPLE(32, 2)", [32, 2], "other"),
        (spaces.Dict({"a": spaces.Discrete(3)}), "DICT(3)", [3], "other"),
    ],
)
def test_a_space_in_words(space: spaces.Space, text: str, dims: list[int], kind: str) -> None:
    assert (space_text(space), space_dims(space), action_kind(space)) == (text, dims, kind)
