"""Evaluation code during an evaluation: it looks at each episode, and a failure of it never costs the score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rl_lab.analysis.evaluation_numbers import summarise_numbers
from rl_lab.core.errors import CodeFailed, NotReady
from rl_lab.core.evaluations import CodeProblem
from rl_lab.guardian.files import confinement_of
from rl_lab.worker.own_reward import OwnReward
from rl_lab.worker.user_code.scorer import EpisodeEvaluator
from rl_lab.worker.user_code.watched_episode import OWN_REWARDS, WatchedEpisode


class EpisodeNumbers:
    """The numbers of the episodes so far; after the first failure the code is not asked again."""

    def __init__(
        self, given: Mapping[str, Any], env_id: str, reward: Mapping[str, Any] | None = None
    ) -> None:
        """`given`: source, name and confinement of the code; `reward`: the same of the run's own reward."""
        self.name, source = str(given["name"]), str(given["source"])
        self.rows: list[dict[str, float]] = []
        self.problem: CodeProblem | None = None
        self._evaluator: EpisodeEvaluator | None = None
        self._own = OwnReward(reward) if reward and OWN_REWARDS in source else None
        try:
            self._evaluator = EpisodeEvaluator(source, self.name, confinement_of(given["confine"]))
            if self._own is not None:
                self._own.open()
        except NotReady as error:
            self.problem = CodeProblem(message=error.detail, line=getattr(error, "line", None))
        self.watched = WatchedEpisode(source, env_id, self._own.scored if self._own is not None else None)

    def look(self, episode: int, seed: int | None) -> None:
        """At the watched episode, which has ended; `episode` is its number in its run, from 0."""
        if self._evaluator is None or self.problem is not None:
            return
        try:
            self.rows.append(self._evaluator.evaluate(self._fields(seed)))
        except CodeFailed as error:
            where = f"It was looking at episode {episode}{f', seed {seed}' if seed is not None else ''}."
            self.problem = CodeProblem(
                message=f"{error.detail} {where}", line=error.line, episode=episode, seed=seed
            )

    def _fields(self, seed: int | None) -> dict[str, Any]:
        try:
            return self.watched.fields(seed)
        except (ValueError, TypeError) as error:
            raise CodeFailed(f"The episode cannot be handed to the evaluation code: {error}.") from None

    def summary(self) -> dict[str, Any]:
        """Fields of an EvaluationSummary; numbers of some episodes only would mislead, so there are none then."""
        numbers = {} if self.problem else summarise_numbers(self.rows)
        return {"code": self.name, "numbers": numbers, "code_problem": self.problem}

    def close(self) -> None:
        for one in (self._evaluator, self._own):
            if one is not None:
                one.close()
