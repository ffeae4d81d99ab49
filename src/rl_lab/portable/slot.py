"""A Slot holds the steps of one sub-environment while its episode runs. Standard library only."""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from typing import Any

from rl_lab.portable.state_checksums import StateChecksums


class Slot:
    """The steps of one sub-environment's current episode so far."""

    __slots__ = (
        "actions",
        "beginning",
        "chosen",
        "ended_steps",
        "env",
        "extra",
        "last_look",
        "next_look",
        "pace",
        "returned",
        "rewards",
        "sent",
        "states",
        "steps",
        "stride",
        "values",
    )

    def __init__(self, env: int, stride: int) -> None:
        self.env = env
        self.stride = stride
        """Bytes of one packed action; 0 when nothing is recorded."""
        self.actions = bytearray()
        self.values: list[float] = []
        self.chosen: list[float] = []
        self.rewards = array("f")
        self.extra: dict[str, list[Sequence[float]]] = {}
        """More columns, one row of fixed width per step: all probabilities or Q-values."""
        self.states = StateChecksums()
        self.ended_steps = 0
        self.pace = 1
        """Steps between two looks at the clock."""
        self.last_look = time.monotonic()
        self.begin()

    def begin(self, **beginning: Any) -> None:
        """Start the next episode; `beginning` holds the event fields that say how it was reset (seed, generator).

        The buffers stay the same objects, since wrappers hold their methods.
        """
        self.beginning = beginning
        self.steps = 0
        self.sent = 0
        self.returned = 0.0
        self.next_look = self.pace
        self.actions.clear()
        self.values.clear()
        self.chosen.clear()
        del self.rewards[:]
        self.extra.clear()
        self.states.clear()
