"""Where a training is broken: chosen by a seed among the steps at which the unbroken training could be. Pure."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Literal, NamedTuple

import msgspec

from rl_lab.core.errors import NotReady

BreakKind = Literal["stop", "kill", "checkpoint"]
IN_TURN: tuple[BreakKind, ...] = ("stop", "kill", "checkpoint")
"""A stop that saves, SIGKILL between two checkpoints, a checkpoint of any age."""


class BreakPoint(NamedTuple):
    kind: BreakKind
    step: int
    """The training ends at this step; for a checkpoint, the step at which it was saved."""
    checkpoint_every: int | None = None
    """So that the newest checkpoint is older than the kill; None: as configured."""


class TrainingSteps(msgspec.Struct):
    """The steps of an unbroken training at which something can happen to it."""

    asked: list[int] = []
    """Its learner asked whether to stop."""
    between_updates: list[int] = []
    """A checkpoint can be saved."""
    saved: list[int] = []
    """A checkpoint was saved before its end."""


def choose_breaks(steps: TrainingSteps, *, count: int, seed: int) -> list[BreakPoint]:
    last = max(steps.asked, default=0)
    inner = sorted({step for step in steps.asked if 0 < step < last})
    kills = _kills(inner, sorted({step for step in steps.between_updates if step > 0}))
    if not (inner and kills and steps.saved):
        raise NotReady(
            f"A training of {last:,} steps is too short to be broken: it updates too seldom.",
            next_step="Choose more steps with --timesteps, or fewer steps per update.",
        )
    places = {
        "stop": [BreakPoint("stop", step) for step in inner],
        "kill": kills,
        "checkpoint": [BreakPoint("checkpoint", step) for step in sorted(set(steps.saved))],
    }
    dice = random.Random(seed)
    return [dice.choice(places[kind]) for kind in islice(cycle(IN_TURN), count)]


def _kills(inner: Sequence[int], updates: Sequence[int]) -> list[BreakPoint]:
    """Each with one checkpoint, saved at the update before it."""
    found, saving = [], set(updates)
    for step in inner:
        at = bisect_left(updates, step)
        # The next checkpoint is due after as many steps again, and would be saved just before the kill.
        if at and not (step >= 2 * updates[at - 1] and step in saving):
            found.append(BreakPoint("kill", step, checkpoint_every=updates[at - 1]))
    return found
