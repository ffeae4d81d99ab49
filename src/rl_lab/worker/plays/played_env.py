"""The environment of a play: records each step with who chose it, and repeats the beginning of a recorded episode."""

from __future__ import annotations

from typing import Any, NamedTuple

import gymnasium
import numpy as np

from rl_lab.core.plays.players import WHO, Player, player_of
from rl_lab.portable.recorder import Recorder
from rl_lab.worker.environments.drawing import advance_render_clock
from rl_lab.worker.recorded_env import RecordedEnv
from rl_lab.worker.runner import Decision


class Moment(NamedTuple):
    """Where an episode begins for the player: a reset, or a step of an episode that was recorded."""

    seed: int | None
    generator: bytes = b""
    actions: tuple[Any, ...] = ()
    by_person: tuple[bool, ...] = ()


class PlayedEnv(gymnasium.Wrapper):  # type: ignore[misc]
    """Lies below the wrappers of a policy: what it skips or stacks fills up as if it had played the beginning."""

    def __init__(self, env: RecordedEnv, recorder: Recorder) -> None:
        super().__init__(env)
        self.env: RecordedEnv = env
        self._recorder = recorder
        self.moment = Moment(None)
        self.is_person = False
        """Who chooses the next step."""
        self._actions: list[Any] = []
        self._by_person: list[bool] = []
        self.returned = 0.0
        self.taken_over_at = 0
        """Step up to which the episode repeats a recorded one."""
        env.about = self._about

    @property
    def steps(self) -> int:
        return len(self._actions)

    @property
    def is_repeating(self) -> bool:
        """Whether the beginning is not over yet."""
        return self.steps < len(self.moment.actions)

    @property
    def player(self) -> Player:
        """Who has played the episode so far."""
        return player_of(self._by_person)

    def now(self) -> Moment:
        """The episode so far, to be brought back."""
        return Moment(self.moment.seed, self.moment.generator, tuple(self._actions), tuple(self._by_person))

    def reset(self, **_: Any) -> Any:
        """Begins the episode of `moment` again."""
        self._actions, self._by_person, self.returned = [], [], 0.0
        self.env.generator = self.moment.generator
        return self.env.reset(seed=self.moment.seed)

    def step(self, action: Any) -> Any:
        is_person, at = self.is_person, self.steps
        if at < len(self.moment.actions):
            action, is_person = self.moment.actions[at], self.moment.by_person[at]
        # A policy may use the array again for its next action.
        self._actions.append(action.copy() if isinstance(action, np.ndarray) else action)
        self._by_person.append(is_person)
        self._recorder.thought(0, None, None, {WHO: [float(is_person)]})
        result = self.env.step(action)
        self.returned += float(result[1])
        advance_render_clock(self.env)
        return result

    def think(self, decision: Decision) -> None:
        """Records what the agent thought of the step that follows."""
        chosen = None
        if decision.probabilities is not None and np.ndim(decision.action) == 0:
            chosen = decision.probabilities[int(decision.action)]
        named = (("probabilities", decision.probabilities), ("q_values", decision.q_values))
        extra = {name: column for name, column in named if column is not None}
        self._recorder.thought(0, decision.value, chosen, extra)

    def _about(self) -> dict[str, Any]:
        return {"player": self.player, "taken_over_at": self.taken_over_at}
