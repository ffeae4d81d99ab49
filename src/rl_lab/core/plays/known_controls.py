"""The lab's own table of keys, by the name of an environment, and a guess for any other."""

from __future__ import annotations

from collections.abc import Sequence

from rl_lab.core.plays.controls import (
    MAX_AXES,
    MAX_ENTRIES,
    ActionAxis,
    KeyAction,
    PlayControls,
    WholeNumbers,
)
from rl_lab.core.words.amounts import plural

LEFT, RIGHT, UP, DOWN = "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"
ALONE: dict[str, str] = {LEFT: "KeyA", RIGHT: "KeyD", UP: "KeyW", DOWN: "KeyS"}
"""The same by the left hand, where those keys are free."""
COUNTED_KEYS = (
    *(f"Digit{n}" for n in range(1, 10)),
    "Digit0",
    *(f"Key{c}" for c in "QWERTYUIOPASDFGHJKLZXCVBNM"),
)
AXIS_KEYS = (
    (LEFT, RIGHT),
    (DOWN, UP),
    ("KeyA", "KeyD"),
    ("KeyS", "KeyW"),
    ("KeyJ", "KeyL"),
    ("KeyK", "KeyI"),
)
HYBRID = "Play in mode hybrid or agent: a policy acts, and you take over single numbers by giving keys to their axes."
AGENT = "Play in mode agent: a policy acts, or chance where no model fits."


def find_known(name: str, *, is_discrete: bool) -> PlayControls | None:
    """`name` without namespace and version: CartPole."""
    return (DISCRETE if is_discrete else CONTINUOUS).get(name)


def guess_discrete(actions: int, start: int = 0) -> PlayControls:
    """One key for each action; the environment waits for a key, because no action is known to do nothing.

    No keys where they are fewer than the actions: a person gives keys to some, and types the number of others.
    """
    keys = {2: (LEFT, RIGHT), 3: (LEFT, DOWN, RIGHT), 4: (LEFT, DOWN, RIGHT, UP)}.get(actions, COUNTED_KEYS)
    given = keys[:actions] if actions <= len(keys) else ()
    return PlayControls(
        kind="discrete",
        keys=[
            KeyAction(keys=[key], action=start + n, label=f"action {start + n}")
            for n, key in enumerate(given)
        ],
        buttons=[start + n for n in range(len(given))],
        entries=[WholeNumbers(low=start, high=start + actions - 1)],
    )


def guess_multi(entries: Sequence[WholeNumbers], noun: str) -> PlayControls:
    """A key for each value of each entry but its lowest, which counts when nothing is held, until no key is left.

    `noun`: what an entry is called: "bit", "entry".
    """
    if len(entries) > MAX_ENTRIES:
        return unplayable(f"An action is {plural(len(entries), noun)} at once.", AGENT)
    # Made one by one: an entry may have more values than fit into memory.
    values = ((n, value) for n, entry in enumerate(entries) for value in range(entry.low + 1, entry.high + 1))
    return PlayControls(
        kind="multi",
        keys=[
            KeyAction(keys=[key], entry=n, action=value, label=_value_label(noun, n, value, entries[n]))
            for key, (n, value) in zip(COUNTED_KEYS, values, strict=False)
        ],
        entries=list(entries),
        rests=[entry.low for entry in entries],
    )


def _value_label(noun: str, n: int, value: int, entry: WholeNumbers) -> str:
    """ "bit 3", "entry 1 = 2" """
    return f"{noun} {n}" if entry.high - entry.low == 1 else f"{noun} {n} = {value}"


def guess_continuous(low: Sequence[float], high: Sequence[float], names: Sequence[str] = ()) -> PlayControls:
    """A pair of keys for each number of the action."""
    if len(low) > MAX_AXES:
        axes = f"{len(low)} numbers at once"
        why = f"An action is {axes}; a person can steer {MAX_AXES} at most."
        return unplayable(why, HYBRID).model_copy(update={"numbers": len(low)})
    named = names if len(names) == len(low) else [f"number {n + 1}" for n in range(len(low))]
    return PlayControls(
        kind="continuous",
        numbers=len(low),
        axes=[
            ActionAxis(
                index=n,
                label=named[n][:60],
                minus=[AXIS_KEYS[n][0]],
                plus=[AXIS_KEYS[n][1]],
                low=low[n],
                high=high[n],
                rest=min(max(0.0, low[n]), high[n]),
                gamepad=n if n < 4 else None,
            )
            for n in range(len(low))
        ],
    )


def unplayable(why: str, instead: str) -> PlayControls:
    return PlayControls(kind="none", problem=f"{why} {instead}")


def _discrete(rest: int | None, *keys: tuple[str, int, str]) -> PlayControls:
    """Arrow keys and, where they are free, the letters under the left hand; buttons of a gamepad in the same order."""
    taken = {key for key, _, _ in keys}
    found = [KeyAction(keys=[key], action=action, label=label) for key, action, label in keys]
    found += [
        KeyAction(keys=[ALONE[key]], action=action, label=label)
        for key, action, label in keys
        if key in ALONE and ALONE[key] not in taken
    ]
    buttons = [action for _, action, _ in keys]
    return PlayControls(kind="discrete", source="lab", keys=found, rest=rest, buttons=buttons)


def _continuous(*axes: ActionAxis) -> PlayControls:
    return PlayControls(kind="continuous", source="lab", axes=list(axes))


_PUSHES = ((LEFT, 0, "push left"), (RIGHT, 2, "push right"))
DISCRETE: dict[str, PlayControls] = {
    # There is no action that does nothing: without a key the cart is pushed to the left.
    "CartPole": _discrete(0, (LEFT, 0, "push left"), (RIGHT, 1, "push right")),
    "MountainCar": _discrete(1, *_PUSHES),
    "Acrobot": _discrete(1, (LEFT, 0, "turn left"), (RIGHT, 2, "turn right")),
    "LunarLander": _discrete(
        0, (LEFT, 1, "fire left engine"), (UP, 2, "fire main engine"), (RIGHT, 3, "fire right engine")
    ),
    "CarRacing": _discrete(
        0, (RIGHT, 1, "steer right"), (LEFT, 2, "steer left"), (UP, 3, "gas"), (DOWN, 4, "brake")
    ),
    "Taxi": _discrete(
        None,
        (DOWN, 0, "drive south"),
        (UP, 1, "drive north"),
        (RIGHT, 2, "drive east"),
        (LEFT, 3, "drive west"),
        ("Space", 4, "pick up"),
        ("Enter", 5, "drop off"),
    ),
    "FrozenLake": _discrete(
        None, (LEFT, 0, "move left"), (DOWN, 1, "move down"), (RIGHT, 2, "move right"), (UP, 3, "move up")
    ),
    "CliffWalking": _discrete(
        None, (UP, 0, "move up"), (RIGHT, 1, "move right"), (DOWN, 2, "move down"), (LEFT, 3, "move left")
    ),
    "Blackjack": _discrete(None, ("KeyS", 0, "stick"), ("KeyH", 1, "hit")),
}
_STEER = {"minus": [LEFT], "plus": [RIGHT], "mouse": "x", "gamepad": 0}
_JOINTS = (
    ("hip 1", "KeyA", "KeyQ"),
    ("knee 1", "KeyS", "KeyW"),
    ("hip 2", "KeyK", "KeyI"),
    ("knee 2", "KeyL", "KeyO"),
)
_LANDER = _continuous(
    ActionAxis(index=0, label="main engine", plus=[UP, "KeyW"], low=-1, high=1, rise_s=0.1),
    ActionAxis(
        index=1, label="side engines", minus=[LEFT, "KeyA"], plus=[RIGHT, "KeyD"], low=-1, high=1, gamepad=0
    ),
)
CONTINUOUS: dict[str, PlayControls] = {
    "MountainCarContinuous": _continuous(ActionAxis(index=0, label="force", low=-1, high=1, **_STEER)),
    # A positive torque turns against the clock.
    "Pendulum": _continuous(ActionAxis(index=0, label="torque", minus=[RIGHT], plus=[LEFT], low=-2, high=2)),
    "LunarLander": _LANDER,
    "LunarLanderContinuous": _LANDER,
    "BipedalWalker": _continuous(
        *(
            ActionAxis(index=n, label=label, minus=[minus], plus=[plus], low=-1, high=1, gamepad=n)
            for n, (label, minus, plus) in enumerate(_JOINTS)
        )
    ),
    "CarRacing": _continuous(
        ActionAxis(index=0, label="steering", low=-1, high=1, rise_s=0.25, **_STEER),
        ActionAxis(index=1, label="gas", plus=[UP], low=0, high=1),
        ActionAxis(index=2, label="brake", plus=[DOWN], low=0, high=0.8),
    ),
}
CONTINUOUS["BipedalWalkerHardcore"] = CONTINUOUS["BipedalWalker"]
