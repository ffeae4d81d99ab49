"""The keys of environments: every entry of the lab's table fits its environment, and others get a guess or a reason."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Text, Tuple

from rl_lab.core.plays.known_controls import CONTINUOUS, DISCRETE
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.plays.environment_controls import find_controls, fits

MADE: dict[str, tuple[bool, dict[str, Any]]] = {
    **{
        f"{name}-v{version}": (True, {})
        for name, version in (("CartPole", 1), ("MountainCar", 0), ("Acrobot", 1))
    },
    **{f"{name}-v1": (True, {}) for name in ("FrozenLake", "CliffWalking", "Blackjack")},
    "LunarLander-v3": (True, {}),
    "CarRacing-v3": (False, {}),
    "Taxi-v4": (True, {}),
    "MountainCarContinuous-v0": (False, {}),
    "Pendulum-v1": (False, {}),
    "LunarLanderContinuous-v3": (False, {}),
    "BipedalWalker-v3": (False, {}),
    "BipedalWalkerHardcore-v3": (False, {}),
}


@pytest.mark.parametrize("env_id", sorted(MADE))
def test_the_labs_keys_fit_the_environment(env_id: str) -> None:
    is_discrete, kwargs = MADE[env_id]
    env = make_environment(env_id, kwargs)
    found = find_controls(env, env_id)
    assert (found.source, found.kind) == ("lab", "discrete" if is_discrete else "continuous")
    for key in found.keys:
        assert env.action_space.contains(np.int64(key.action))
        assert key.label
    for axis in found.axes:
        assert axis.low <= axis.rest <= axis.high
        bounds = env.action_space.low[axis.index], env.action_space.high[axis.index]
        assert bounds[0] <= axis.low < axis.high <= bounds[1]


def test_every_entry_of_the_table_is_tested() -> None:
    names = {env_id.rpartition("-v")[0] for env_id in MADE}
    assert names == DISCRETE.keys() | CONTINUOUS.keys()


def test_options_that_change_the_actions_change_the_keys() -> None:
    assert (
        find_controls(make_environment("LunarLander-v3", {"continuous": True}), "LunarLander-v3").kind
        == "continuous"
    )
    assert (
        find_controls(make_environment("CarRacing-v3", {"continuous": False}), "CarRacing-v3").kind
        == "discrete"
    )


class Own(gymnasium.Env):  # type: ignore[misc]
    """An environment that names its own keys, as pygame numbers them."""

    def __init__(self, space: Any, keys: dict[Any, int] | None = None) -> None:
        self.action_space = space
        if keys is not None:
            self.get_keys_to_action = lambda: keys


def test_an_environments_own_keys_count() -> None:
    named = {(): 0, ("d",): 1, (1073741904, 32): 2, ("é",): 1, (ord("9"),): 9}
    found = find_controls(Own(Discrete(3), named), "Own-v0")
    assert (found.source, found.rest) == ("environment", 0)
    assert [(key.keys, key.action) for key in found.keys] == [
        (["KeyD"], 1),
        (["ArrowRight"], 1),
        (["ArrowLeft", "Space"], 2),
    ]


def test_unknown_environments_get_a_guess() -> None:
    found = find_controls(Own(Discrete(5, start=2)), "Other-v0")
    assert (found.source, found.rest) == ("guessed", None)
    assert [key.action for key in found.keys] == [2, 3, 4, 5, 6]
    axes = find_controls(Own(Box(-np.inf, 3.0, (2,))), "Other-v0").axes
    assert [(axis.low, axis.high) for axis in axes] == [(-1.0, 3.0), (-1.0, 3.0)]


def test_more_actions_than_keys_are_typed() -> None:
    found = find_controls(Own(Discrete(500, start=3)), "Taxing-v0")
    assert (found.kind, found.keys, found.rest, found.problem) == ("discrete", [], None, "")
    assert [(one.low, one.high) for one in found.entries] == [(3, 502)]


def test_every_bit_has_a_key() -> None:
    found = find_controls(Own(MultiBinary((2, 2))), "Other-v0")
    assert (found.kind, found.rests) == ("multi", [0, 0, 0, 0])
    assert [(key.keys, key.entry, key.action, key.label) for key in found.keys] == [
        ([f"Digit{n + 1}"], n, 1, f"bit {n}") for n in range(4)
    ]


def test_a_key_sets_one_entry_as_far_as_keys_go() -> None:
    found = find_controls(Own(MultiDiscrete([3, 2], start=[1, 0])), "Other-v0")
    assert (found.kind, found.rests) == ("multi", [1, 0])
    assert [(key.entry, key.action, key.label) for key in found.keys] == [
        (0, 2, "entry 0 = 2"),
        (0, 3, "entry 0 = 3"),
        (1, 1, "entry 1"),
    ]
    wide = find_controls(Own(MultiDiscrete([50, 50])), "Other-v0")
    assert (len(wide.keys), len({key.keys[0] for key in wide.keys})) == (36, 36)
    assert fits(wide, MultiDiscrete([50, 50]))
    assert not fits(wide, MultiDiscrete([50, 20, 2]))
    assert not fits(found, MultiDiscrete([2, 2], start=[1, 0])), "an option has changed the values"
    endless = find_controls(Own(MultiDiscrete([2**60])), "Other-v0")
    assert len(endless.keys) == 36, "its values are not listed"


def test_an_entry_may_have_more_values_than_fit_into_memory() -> None:
    found = find_controls(Own(MultiDiscrete([2**62, 2])), "Other-v0")
    assert (len(found.keys), found.entries[0].high) == (36, 2**62 - 1)


def test_whole_numbers_of_a_box_are_steered_too() -> None:
    axes = find_controls(Own(Box(0, 255, (2,), np.uint8)), "Other-v0").axes
    assert [(axis.low, axis.high, axis.rest) for axis in axes] == [(0.0, 255.0, 0.0)] * 2


def test_many_numbers_at_once_offer_hybrid() -> None:
    found = find_controls(Own(Box(-1, 1, (17,))), "Humanoid-v5")
    assert (found.kind, found.numbers, found.axes) == ("none", 17, [])
    assert "hybrid" in found.problem


@pytest.mark.parametrize(
    "space",
    [Dict({"a": Discrete(2)}), Tuple([Discrete(2), Box(-1, 1, (2,))]), Text(5), MultiBinary(100)],
    ids=lambda s: type(s).__name__,
)
def test_what_no_key_can_do_offers_a_policy_and_no_taking_over(space: Any) -> None:
    found = find_controls(Own(space), "Other-v0")
    assert (found.kind, found.numbers, found.keys, found.axes) == ("none", 0, [], [])
    assert "mode agent" in found.problem
    assert "hybrid" not in found.problem


def test_more_entries_than_keys_could_set_are_counted() -> None:
    found = find_controls(Own(MultiDiscrete([3] * 100)), "Other-v0")
    assert (found.kind, found.problem.partition(".")[0]) == ("none", "An action is 100 entries at once")
