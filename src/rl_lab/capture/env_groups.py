"""An EnvGroup: environments of a script that share one role, training or evaluation.

It is one environment, or the members of one vector environment, or several of the same kind that are made one after
the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Protocol

from rl_lab.capture.env_origins import Origin

Role = Literal["training", "evaluation"]
TRAINING: Role = "training"
EVALUATION: Role = "evaluation"


class Member(Protocol):
    """One tapped environment, or all hidden ones of a vector environment."""

    is_training: bool

    @property
    def steps_taken(self) -> int:
        """Since it was made."""
        ...

    @property
    def is_over(self) -> bool:
        """Closed, or no longer referenced by the script."""
        ...

    def leave_group(self) -> None:
        """The next step joins a group again."""


class VectorClock:
    """Counts the steps of one vector environment as scripts do: one for each member at each step."""

    def __init__(self) -> None:
        self.steps = 0


class EnvGroup:
    def __init__(self, number: int, origin: Origin | None, count: int) -> None:
        self.number = number
        self.origin = origin
        self.count = count
        """Environments that are stepped at once."""
        self.role: Role = EVALUATION
        self.why = ""
        self.made = 0
        """How many were made one after the other: vectors, or single environments."""
        self.packing: Any = None
        self.is_drawn = False
        self.is_hidden = False
        """Its members run in other processes or in native code."""
        self.is_late = False
        """Made after the training had begun."""
        self.is_settled = False
        """Its role does not change any more."""
        self.seed: int | None = None
        self.episodes = 0
        self.windows = 0
        """Updates of the script's networks that followed steps of this group."""
        self._first_window = self._last_window = 0
        self.trained_before = 0
        """Steps of the training groups when this one began."""
        self._members: dict[Member, int] = {}
        self._left = 0
        self._clock: VectorClock | None = None
        self._clock_start = 0

    @property
    def is_training(self) -> bool:
        return self.role == TRAINING

    @property
    def is_learning(self) -> bool:
        """Between its first and its last step, most updates of the networks followed steps of this group."""
        spread = self._last_window - self._first_window + 1
        return self.windows > 1 and self.windows >= spread / 2

    @property
    def env_id(self) -> str:
        return self.origin.env_id if self.origin is not None else ""

    @property
    def steps(self) -> int:
        if self._clock is not None:
            return self._left + self._clock.steps - self._clock_start
        return self._left + sum(member.steps_taken - start for member, start in self._members.items())

    @property
    def is_over(self) -> bool:
        return all(member.is_over for member in self._members)

    def members(self) -> Iterator[Member]:
        return iter(list(self._members))

    def begin(self, clock: VectorClock | None) -> None:
        """Another environment or vector of this kind; `clock` has counted its current step already."""
        self.leave()
        self.made += 1
        if clock is not None:
            self._clock, self._clock_start = clock, clock.steps - self.count

    def add(self, member: Member) -> None:
        self._members[member] = member.steps_taken
        member.is_training = self.is_training

    def leave(self) -> None:
        """Keep the steps so far and forget the members."""
        self._left = self.steps
        members, self._members, self._clock = self._members, {}, None
        for member in members:
            member.leave_group()

    def count_window(self, number: int) -> None:
        """The networks were updated for the n-th time after some steps, of this group among others."""
        self._first_window = self._first_window or number
        self._last_window = number
        self.windows += 1

    def assign(self, role: Role, why: str) -> None:
        self.role, self.why = role, why
        for member in self._members:
            member.is_training = self.is_training

    def is_like(self, origin: Origin | None, count: int) -> bool:
        """Whether environments with this origin could belong to this group."""
        same = self.origin.key if self.origin is not None else None
        return count == self.count and same == (origin.key if origin is not None else None)
