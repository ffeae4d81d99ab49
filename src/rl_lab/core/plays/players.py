"""Who played an episode: a person, a policy, or both in turn."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Literal

Player = Literal["person", "hybrid", "policy"]
PLAYERS: tuple[Player, ...] = ("person", "hybrid", "policy")
WHO = "who"
"""Name of the recorded column: 1 for a step that a person chose, 0 for one of the agent."""


def player_of(by_person: Sequence[bool]) -> Player:
    """Who has played these steps."""
    if not any(by_person):
        return "policy"
    return "person" if all(by_person) else "hybrid"


def halves(column: bytes) -> list[float]:
    """The numbers of a recorded column: float16, as the protocol writes them."""
    return list(struct.unpack(f"<{len(column) // 2}e", column))
