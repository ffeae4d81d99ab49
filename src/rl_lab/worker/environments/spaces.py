"""Describes Gymnasium spaces for the catalogue; recognised by class name, so nothing is imported."""

from __future__ import annotations

import re
from typing import Any, Literal

TYPES = {
    "Discrete": "discrete",
    "Box": "box",
    "MultiDiscrete": "multi_discrete",
    "MultiBinary": "multi_binary",
    "Tuple": "tuple",
    "Dict": "dict",
    "Text": "text",
}


def space_type(space: Any) -> str:
    return TYPES.get(type(space).__name__, "other")


def action_kind(space: Any) -> Literal["discrete", "continuous", "other"]:
    kind = space_type(space)
    return "discrete" if kind == "discrete" else "continuous" if kind == "box" else "other"


def space_dims(space: Any) -> list[int]:
    """Shape of a box, number of values of a discrete space, and the concatenation for composed ones."""
    kind = space_type(space)
    if kind == "discrete":
        return [int(space.n)]
    if kind == "multi_discrete":
        return [int(n) for n in space.nvec.flatten()]
    if kind == "tuple":
        return [d for part in space.spaces for d in space_dims(part)]
    if kind == "dict":
        return [d for part in space.spaces.values() for d in space_dims(part)]
    return [int(d) for d in space.shape or ()]


def space_text(space: Any) -> str:
    """As shown in the catalogue: "DISCRETE(4)", "BOX(8)"."""
    return f"{space_type(space).upper().replace('_', ' ')}({', '.join(map(str, space_dims(space)))})"


def words(name: str) -> str:
    """The name of an environment as separate words: "LunarLanderContinuous" becomes "Lunar Lander Continuous"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[a-z]{2})(?=[0-9])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
