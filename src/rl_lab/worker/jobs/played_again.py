"""Acts as was recorded: a policy that repeats the actions of an episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.core.recordings import Recording
from rl_lab.portable.actions import unpack
from rl_lab.worker.runner import Decision


class PlayedAgain:
    def __init__(self, recordings: Mapping[int, Recording]) -> None:
        """By what `begin` names them: their seed, or their place."""
        self._recordings = recordings
        self._actions: list[Any] = []

    def begin(self, which: int) -> None:
        recording = self._recordings[which]
        self._actions = unpack(recording.action, recording.actions)

    def act(self, observation: Any, deterministic: bool) -> Decision:
        if not self._actions:
            raise not_repeated()
        return Decision(action=self._actions.pop(0))

    def require_end(self) -> None:
        """Call it when the episode is over: all recorded actions were played."""
        if self._actions:
            raise not_repeated()


def not_repeated() -> InvalidInput:
    return InvalidInput(
        "An episode of the play did not end where it was recorded to end: its environment is not deterministic."
    )
