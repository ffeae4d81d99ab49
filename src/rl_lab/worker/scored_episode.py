"""Episodes under a user's reward, one after the other, scored while they are played: memory for steps is limited."""

from __future__ import annotations

from rl_lab.core.errors import NotReady
from rl_lab.worker.own_reward import OwnReward, joined
from rl_lab.worker.user_code.noted_steps import NotedSteps
from rl_lab.worker.user_code.scorer import Scored


class ScoredEpisode:
    """A reward that fails is a problem to show: the environment's return is not concerned."""

    def __init__(self, own: OwnReward) -> None:
        self.problem = ""
        """Why there are no scores; after it, none follow."""
        self.noted = NotedSteps(on_full=self._score)
        """For the NotingEnv of the environment that is played."""
        self._own = own
        self._parts: list[Scored] = []
        try:
            self.noted.with_info = "info" in own.takes
        except NotReady as error:
            self._fail(error)

    def finish(self) -> Scored | None:
        """The scores of the episode that has ended; None when there are none."""
        if len(self.noted):
            self._score()
        parts, self._parts = self._parts, []
        return joined(parts) if parts and not self.problem else None

    def _score(self) -> None:
        rows = self.noted.take()
        try:
            self._parts.append(self._own.scored(rows))
        except NotReady as error:
            self._fail(error)

    def _fail(self, error: NotReady) -> None:
        self.problem, self.noted.is_paused = error.detail, True
