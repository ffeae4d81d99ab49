"""Acts as was recorded: a policy that repeats the actions of an episode."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.core.recordings import Recording
from rl_lab.portable.actions import unpack
from rl_lab.worker.runner import Decision

TOLERANCE = 1e-4
"""Of a return: processors round differently."""


class PlayedAgain:
    def __init__(self, recordings: Mapping[int, Recording]) -> None:
        """By what `begin` names them: their seed, or their place."""
        self._recordings = recordings
        self._actions: list[Any] = []
        self._returned: float | None = None

    def begin(self, which: int) -> None:
        recording = self._recordings[which]
        self._actions = unpack(recording.action, recording.actions)
        self._returned = recording.returned

    def act(self, observation: Any, deterministic: bool) -> Decision:
        if not self._actions:
            raise not_repeated()
        return Decision(action=self._actions.pop(0))

    def require_same(self, returned: float) -> None:
        """Call it when the episode is over: all recorded actions were played, and gave the recorded return."""
        wanted = returned if self._returned is None else self._returned
        if self._actions or not math.isclose(returned, wanted, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            raise not_repeated()


def not_repeated() -> InvalidInput:
    return InvalidInput(
        "An episode of the play did not come out as it was recorded: its environment is not deterministic, or its "
        "package has changed since.",
        next_step="Play again, or install the package as it was; the play's recording names its version.",
    )
