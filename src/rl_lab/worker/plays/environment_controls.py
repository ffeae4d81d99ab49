"""Which keys play an environment: its own, those of the lab's table, or a guess."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from rl_lab.core.plays.controls import KeyAction, PlayControls, WholeNumbers
from rl_lab.core.plays.known_controls import (
    AGENT,
    DOWN,
    LEFT,
    RIGHT,
    UP,
    find_known,
    guess_continuous,
    guess_discrete,
    guess_multi,
    unplayable,
)
from rl_lab.core.words.space_names import names_of
from rl_lab.worker.environments.make import make_environment

PYGAME_KEYS = {
    8: "Backspace",
    9: "Tab",
    13: "Enter",
    32: "Space",
    1073741903: RIGHT,
    1073741904: LEFT,
    1073741905: DOWN,
    1073741906: UP,
    1073742048: "ControlLeft",
    1073742049: "ShiftLeft",
}
"""pygame's numbers of keys that have no character."""
ARROWS = {"KeyD": RIGHT, "KeyA": LEFT, "KeyS": DOWN, "KeyW": UP}
"""Environments that are steered with letters are steered with the arrow keys too."""
UNBOUNDED = 1.0
"""End of an axis that the environment does not limit."""
FAR = 1e9
"""An end beyond this is no limit."""
WHOLE = {"MultiDiscrete": "entry", "MultiBinary": "bit"}
"""Spaces whose actions are several whole numbers, and what one of them is called."""


def call_controls(given: dict[str, Any]) -> dict[str, Any]:
    """Worker call `play_controls`."""
    env_id = str(given["env_id"])
    with contextlib.closing(make_environment(env_id, dict(given.get("env_kwargs") or {}))) as env:
        return find_controls(env, env_id).model_dump(mode="json")


def find_controls(env: Any, env_id: str) -> PlayControls:
    space, name = env.action_space, re.sub(r"-v\d+$", "", env_id.rpartition("/")[2].rpartition(":")[2])
    kind = type(space).__name__
    if kind == "Discrete":
        own = _own_keys(env, space, env_id) or _fitting(find_known(name, is_discrete=True), space)
        guess = guess_discrete(int(space.n), int(space.start))
        return guess if own is None else own.model_copy(update={"entries": guess.entries})
    if kind in WHOLE:
        return guess_multi(_entries(space), WHOLE[kind])
    if kind == "Box" and np.issubdtype(space.dtype, np.number):
        known = _fitting(find_known(name, is_discrete=False), space)
        guess = guess_continuous(*_bounds(space), names_of(env_id).actions)
        return guess if known is None else known.model_copy(update={"numbers": guess.numbers})
    return unplayable(f"An action is a {kind} of parts, for which there are no keys.", AGENT)


def fits(controls: PlayControls, space: Any) -> bool:
    """Whether all actions of the keys are actions of the environment; its options may have changed them."""
    kind = type(space).__name__
    if controls.kind == "discrete":
        actions = [key.action for key in controls.keys] + ([] if controls.rest is None else [controls.rest])
        return kind == "Discrete" and all(space.contains(np.int64(action)) for action in actions)
    if controls.kind == "multi":
        return kind in WHOLE and _fits_entries(controls, _entries(space))
    if controls.kind == "continuous":
        return kind == "Box" and all(axis.index < int(np.prod(space.shape)) for axis in controls.axes)
    return True


def _fits_entries(controls: PlayControls, entries: list[WholeNumbers]) -> bool:
    values = [*enumerate(controls.rests), *((key.entry, key.action) for key in controls.keys)]
    return len(controls.rests) == len(entries) and all(
        n is not None and n < len(entries) and entries[n].low <= value <= entries[n].high
        for n, value in values
    )


def _entries(space: Any) -> list[WholeNumbers]:
    """The values of each entry of a space of several whole numbers."""
    if type(space).__name__ == "MultiBinary":
        return [WholeNumbers(low=0, high=1)] * int(np.prod(space.shape))
    starts, sizes = space.start.flatten(), space.nvec.flatten()
    return [
        WholeNumbers(low=int(start), high=int(start + size) - 1)
        for start, size in zip(starts, sizes, strict=True)
    ]


def _fitting(known: PlayControls | None, space: Any) -> PlayControls | None:
    if known is None or not fits(known, space):
        return None
    is_whole = known.kind == "discrete" or len(known.axes) == int(np.prod(space.shape))
    return known if is_whole else None


def _own_keys(env: Any, space: Any, env_id: str) -> PlayControls | None:
    """What the environment itself names; None when it names none that can be used."""
    try:
        named = env.unwrapped.get_keys_to_action()
    except Exception:  # an environment without keys, or one whose method fails
        return None
    labels = _labels(env, space, env_id)
    rest, found = None, []
    for keys, action in named.items():
        codes = [_code(key) for key in (keys if isinstance(keys, (tuple, list)) else [keys])]
        if np.ndim(action) or not space.contains(np.int64(action)) or None in codes:
            continue
        label = labels.get(int(action), "")
        if not codes or label == "noop":
            rest = int(action)
        if codes:
            found += [KeyAction(keys=some, action=int(action), label=label) for some in _variants(codes)]
    if not found:
        return None
    buttons = list(dict.fromkeys(key.action for key in found if len(key.keys) == 1))
    return PlayControls(kind="discrete", source="environment", keys=found[:200], rest=rest, buttons=buttons)


def _variants(codes: list[Any]) -> Iterable[list[str]]:
    yield codes
    if any(code in ARROWS for code in codes):
        yield [ARROWS.get(code, code) for code in codes]


def _labels(env: Any, space: Any, env_id: str) -> dict[int, str]:
    """What each action does, where the environment or the lab knows it."""
    try:
        meanings = [str(meaning).lower() for meaning in env.unwrapped.get_action_meanings()]
    except Exception:
        meanings = list(names_of(env_id).actions)
    start = int(space.start)
    return {start + n: meaning[:60] for n, meaning in enumerate(meanings)}


def _code(key: Any) -> str | None:
    """A key of pygame as browsers name it; None for one that the lab does not know."""
    if isinstance(key, str) and len(key) == 1:
        key = ord(key.lower())
    if not isinstance(key, (int, np.integer)):
        return None
    if key in PYGAME_KEYS:
        return PYGAME_KEYS[int(key)]
    if ord("a") <= key <= ord("z"):
        return f"Key{chr(key).upper()}"
    return f"Digit{chr(key)}" if ord("0") <= key <= ord("9") else None


def _bounds(space: Any) -> tuple[list[float], list[float]]:
    low, high = space.low.astype(float).flatten(), space.high.astype(float).flatten()
    return (
        np.where(np.abs(low) < FAR, low, -UNBOUNDED).tolist(),
        np.where(np.abs(high) < FAR, high, UNBOUNDED).tolist(),
    )
