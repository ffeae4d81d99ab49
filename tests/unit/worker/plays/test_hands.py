"""What is held becomes one action per step: taps, combinations, ramps, and actions that are sent as such."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.spaces import Box, Discrete, MultiDiscrete

from rl_lab.core.plays.controls import ActionAxis, KeyAction, PlayControls
from rl_lab.worker.plays.hands import Hands, fit_action

KEYS = PlayControls(
    kind="discrete",
    rest=0,
    keys=[
        KeyAction(keys=["ArrowLeft"], action=1),
        KeyAction(keys=["ArrowRight"], action=2),
        KeyAction(keys=["ArrowRight", "Space"], action=3),
    ],
)
WHEEL = PlayControls(
    kind="continuous",
    axes=[
        ActionAxis(index=0, minus=["KeyA"], plus=["KeyD"], low=-1, high=1, rise_s=0.4, fall_s=0.2),
        ActionAxis(index=1, plus=["KeyW"], low=0, high=1, rise_s=0),
    ],
)
PEDALS = Box(np.array([-1, 0], "f4"), np.array([1, 1], "f4"))


def discrete(controls: PlayControls = KEYS) -> Hands:
    return Hands(controls, Discrete(4), 0.02)


def test_a_held_key_acts_in_every_step_and_none_rests() -> None:
    hands = discrete()
    hands.hold(["ArrowLeft"], {})
    assert [int(hands.take()) for _ in range(3)] == [1, 1, 1]
    hands.hold([], {})
    assert not hands.is_holding
    assert int(hands.take()) == 0


def test_a_key_pressed_and_let_go_between_two_steps_counts_for_one() -> None:
    hands = discrete()
    hands.hold(["ArrowLeft"], {})
    hands.hold([], {})
    assert hands.is_holding
    assert [int(hands.take()), int(hands.take())] == [1, 0]


def test_a_tap_wins_over_a_key_that_is_held_longer() -> None:
    hands = discrete()
    hands.hold(["ArrowLeft"], {})
    hands.take()
    hands.hold(["ArrowLeft", "ArrowRight"], {})
    hands.hold(["ArrowLeft"], {})
    assert [int(hands.take()), int(hands.take())] == [2, 1]


def test_taps_that_come_faster_than_steps_each_get_a_step() -> None:
    hands = discrete()
    for keys in (["ArrowLeft"], [], ["ArrowRight"], [], ["ArrowRight"], []):
        hands.hold(keys, {})
    assert [int(hands.take()) for _ in range(4)] == [1, 2, 2, 0]
    for keys in (["ArrowRight"], ["ArrowRight", "Space"], ["Space"], []):
        hands.hold(keys, {})
    assert [int(hands.take()) for _ in range(2)] == [3, 0]


def test_the_action_with_the_most_keys_counts() -> None:
    hands = discrete()
    hands.hold(["Space", "ArrowRight", "F5"], {})
    assert int(hands.take()) == 3


def test_without_an_action_for_no_key_it_waits() -> None:
    hands = discrete(KEYS.model_copy(update={"rest": None}))
    assert hands.take() is None


def test_an_axis_rises_and_falls_by_the_time_of_steps() -> None:
    hands = Hands(WHEEL, PEDALS, 0.1)
    hands.hold(["KeyD", "KeyW"], {})
    assert np.allclose([hands.take() for _ in range(5)], [[0.25, 1], [0.5, 1], [0.75, 1], [1, 1], [1, 1]])
    hands.hold([], {})
    assert np.allclose([hands.take()[0] for _ in range(3)], [0.5, 0, 0])
    hands.hold(["KeyA", "KeyD"], {})
    assert hands.take()[0] == 0


def test_a_stick_counts_at_once_and_its_drift_does_not() -> None:
    hands = Hands(WHEEL, PEDALS, 0.1)
    hands.hold([], {0: -0.5, 1: 0.02})
    assert np.allclose(hands.take(), [-0.5, 0])
    hands.hold([], {0: 0.01})
    assert not hands.is_holding


def test_a_person_takes_single_numbers_of_a_policys_action() -> None:
    hands = Hands(WHEEL, PEDALS, 0.1)
    hands.hold(["KeyW"], {})
    assert np.allclose(hands.take(np.array([0.3, 0.1], "f4")), [0.3, 1])


def test_keys_set_entries_and_the_others_rest_or_stay_with_the_policy() -> None:
    space = MultiDiscrete([3, 2])
    keys = [KeyAction(keys=[key], entry=n, action=value) for key, n, value in
            [("KeyA", 0, 1), ("KeyB", 0, 2), ("KeyC", 1, 1)]]  # fmt: skip
    hands = Hands(PlayControls(kind="multi", keys=keys, rests=[0, 0]), space, 0.1)
    hands.hold(["KeyA", "KeyC"], {})
    assert hands.take().tolist() == [1, 1]
    hands.hold(["KeyA", "KeyB"], {})
    assert hands.take().tolist() == [2, 0], "the key that was pressed last"
    hands.hold(["KeyC"], {})
    action = hands.take(np.array([2, 0]))
    assert (action.tolist(), space.contains(action)) == ([2, 1], True)


def test_an_axis_of_whole_numbers_is_rounded() -> None:
    axes = [ActionAxis(index=0, plus=["KeyD"], low=0, high=5, rise_s=0.4)]
    hands = Hands(PlayControls(kind="continuous", axes=axes), Box(0, 5, (1,), np.uint8), 0.1)
    hands.hold(["KeyD"], {})
    assert [hands.take().tolist() for _ in range(3)] == [[1], [2], [4]]


def test_actions_outside_of_the_space_are_refused() -> None:
    assert fit_action(Discrete(3, start=5), 7) == 7
    for space, action in [(Discrete(2), 2), (Discrete(2), 0.5), (Discrete(2), [1]), (PEDALS, [0, 2])]:
        with pytest.raises(ValueError, match="action"):
            fit_action(space, action)
    with pytest.raises(ValueError, match="whole numbers"):
        fit_action(MultiDiscrete([2, 2]), [0.5, 1])
    assert fit_action(PEDALS, [0.5, 1]).dtype == np.float32
