"""The state of a generator as 37 bytes brings back every number it would have given."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from rl_lab.portable.generators import generator_state, restore_generator


def env_with(generator: object) -> SimpleNamespace:
    return SimpleNamespace(unwrapped=SimpleNamespace(np_random=generator))


@pytest.mark.parametrize("drawn", [0, 1, 7])
def test_a_restored_generator_goes_on_as_the_first_would_have(drawn: int) -> None:
    first, second = np.random.default_rng(3), np.random.default_rng(99)
    first.integers(0, 10, drawn, dtype=np.uint32)  # an odd number leaves half a word behind
    state = generator_state(env_with(first))
    assert state is not None
    assert len(state) == 37
    restore_generator(env_with(second), state)
    assert (
        first.integers(0, 1 << 30, 9, dtype=np.uint32).tolist()
        == second.integers(0, 1 << 30, 9, dtype=np.uint32).tolist()
    )
    assert first.normal(size=5).tolist() == second.normal(size=5).tolist()


@pytest.mark.parametrize(
    "generator", [None, object(), np.random.RandomState(1), np.random.Generator(np.random.MT19937(1))]
)
def test_other_kinds_of_generators_are_not_claimed(generator: object) -> None:
    assert generator_state(env_with(generator)) is None
    assert generator_state(object()) is None


def test_a_state_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="37 bytes"):
        restore_generator(env_with(np.random.default_rng(1)), b"short")
