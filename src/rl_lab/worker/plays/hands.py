"""Hands: what a person holds becomes one action per step.

What is held is a state. A key that was pressed and let go between two steps counts for one step, so no press is lost
and none counts twice. Ramps depend on steps and not on the clock, so the same presses give the same actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rl_lab.core.plays.controls import ActionAxis, KeyAction, PlayControls

STILL = 0.05
"""A mouse or stick that is nearer to its middle is not held."""


MOST_TAPS = 16
"""Taps that wait for their steps; a person is not that fast."""


class Hands:
    def __init__(self, controls: PlayControls, space: Any, seconds_per_step: float) -> None:
        self._space = space
        self._seconds = seconds_per_step
        self._held: list[str] = []
        self._fresh: list[str] = []
        """Held keys that were pressed since the last step."""
        self._taps: list[list[str]] = []
        """Keys that were let go before a step took them, together with those held then; one step for each."""
        self._axes: dict[int, float] = {}
        self.use(controls)

    def use(self, controls: PlayControls) -> None:
        """Other keys from now on."""
        self.controls = controls
        self._values = {axis.index: axis.rest for axis in controls.axes}
        self._known = {key for one in controls.keys for key in one.keys}
        self._known |= {key for axis in controls.axes for key in (*axis.minus, *axis.plus)}
        self.release()

    def hold(self, keys: Sequence[str], axes: Mapping[int, float]) -> None:
        """What is held from now on; keys without a meaning are ignored."""
        now = [key for key in dict.fromkeys(keys) if key in self._known]
        if any(key not in now for key in self._fresh):
            self._taps, self._fresh = [*self._taps, self._fresh][:MOST_TAPS], []
        self._fresh += [key for key in now if key not in self._held]
        self._held = now
        known = {axis.index for axis in self.controls.axes}
        self._axes = {
            index: min(1.0, max(-1.0, value))
            for index, value in axes.items()
            if index in known and abs(value) > STILL
        }

    def release(self) -> None:
        """Nothing is held: the connection is lost, or the window has lost the keyboard."""
        self._held, self._fresh, self._taps, self._axes = [], [], [], {}

    @property
    def is_holding(self) -> bool:
        """Whether a person acts in the next step."""
        return bool(self._held or self._taps or self._axes)

    @property
    def was_tapped(self) -> bool:
        """Whether a key was pressed since the last step."""
        return bool(self._taps or self._fresh)

    def take(self, agents: Any = None) -> Any:
        """The action of the next step; None when the environment waits for a key and none was pressed.

        `agents`: the action of a policy, whose numbers count where nothing is held.
        """
        pressed = [key for key in self._held if key not in self._fresh]
        if self._taps:
            pressed += [key for key in self._taps.pop(0) if key not in pressed]
        else:
            pressed, self._fresh = pressed + self._fresh, []
        if self.controls.kind == "discrete":
            return self._choose(pressed)
        if self.controls.kind == "multi":
            return self._set_entries(pressed, agents)
        return self._steer(set(pressed), agents)

    def _choose(self, pressed: list[str]) -> Any:
        """The action with the most keys, all of them held; of several the one whose key was pressed last."""
        fitting = [one for one in self.controls.keys if set(one.keys) <= set(pressed)]
        if fitting:
            return np.int64(max(fitting, key=lambda one: _rank(one, pressed)).action)
        return None if self.controls.rest is None else np.int64(self.controls.rest)

    def _set_entries(self, pressed: list[str], agents: Any) -> Any:
        """Of keys that set the same entry, as for a whole action."""
        values = np.array(self.controls.rests if agents is None else agents).flatten()
        fitting = [one for one in self.controls.keys if set(one.keys) <= set(pressed)]
        for one in sorted(fitting, key=lambda one: _rank(one, pressed)):
            values[one.entry] = one.action
        return values.reshape(self._space.shape).astype(self._space.dtype)

    def _steer(self, pressed: set[str], agents: Any) -> Any:
        shape, size = self._space.shape, int(np.prod(self._space.shape))
        action = np.zeros(size) if agents is None else np.array(agents, float).reshape(size)
        for axis in self.controls.axes:
            if axis.index >= size:
                continue
            is_held = axis.index in self._axes or bool(pressed & {*axis.minus, *axis.plus})
            if is_held or agents is None:
                self._values[axis.index] = self._moved(axis, pressed)
                action[axis.index] = self._values[axis.index]
            else:
                self._values[axis.index] = float(action[axis.index])
        low, high = self._space.low.reshape(size), self._space.high.reshape(size)
        action = np.clip(action, low, high).reshape(shape)
        is_whole = np.issubdtype(self._space.dtype, np.integer)
        return (action.round() if is_whole else action).astype(self._space.dtype)

    def _moved(self, axis: ActionAxis, pressed: set[str]) -> float:
        """One step along the ramp; mouse and stick count at once."""
        given = self._axes.get(axis.index)
        if given is not None:
            return axis.rest + given * (axis.high - axis.rest if given > 0 else axis.rest - axis.low)
        direction = bool(pressed & {*axis.plus}) - bool(pressed & {*axis.minus})
        target = {1: axis.high, 0: axis.rest, -1: axis.low}[direction]
        now = self._values[axis.index]
        away = axis.high - axis.rest if max(now - axis.rest, target - axis.rest) > 0 else axis.rest - axis.low
        returns = direction == 0 or (now - axis.rest) * direction < 0
        seconds = axis.fall_s if returns else axis.rise_s
        most = abs(away) * self._seconds / seconds if seconds > 0 else float("inf")
        return now + min(most, max(-most, target - now))


def _rank(one: KeyAction, pressed: list[str]) -> tuple[int, int]:
    return len(set(one.keys)), max(pressed.index(key) for key in one.keys)


def fit_action(space: Any, given: Any) -> Any:
    """An action that was sent as such; ValueError, with the reason, for one outside the space."""
    kind = type(space).__name__
    action: Any
    if kind == "Discrete":
        if isinstance(given, (list, tuple)) or int(given) != given:
            raise ValueError(f"An action here is one whole number, not {given}.")
        action = np.int64(given)
        allowed = f"{int(space.start)} to {int(space.start) + int(space.n) - 1}"
    else:
        numbers, allowed = np.asarray(given, float), str(space)
        if kind not in ("Box", "MultiDiscrete", "MultiBinary") or numbers.size != int(np.prod(space.shape)):
            raise ValueError(f"The action {given} does not fit what the environment takes: {allowed}.")
        action = numbers.reshape(space.shape).astype(space.dtype)
        if np.issubdtype(space.dtype, np.integer) and (action != numbers.reshape(space.shape)).any():
            raise ValueError(f"An action here is whole numbers, not {given}.")
    if not space.contains(action):
        raise ValueError(f"The action {given} is outside of what the environment takes: {allowed}.")
    return action
