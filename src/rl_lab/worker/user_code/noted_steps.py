"""Notes the steps of environments until they are scored together: one message for many steps costs little."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np

from rl_lab.worker.user_code.scorer import StepRows, stack_observations

MAX_ROWS, MAX_BYTES = 4096, 16 << 20


class NotedSteps:
    """Steps of one or more environments, in the order in which they were made."""

    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def is_full(self) -> bool:
        """Time to score them: memory is limited."""
        return len(self._rows) >= MAX_ROWS or self._bytes >= MAX_BYTES

    def add(self, lane: int, begins: bool, seen: Any, action: Any, result: Any) -> None:
        """`result`: of `env.step`; what is in it must not change afterwards."""
        observation, reward, terminated, truncated, info = result
        self._rows.append((seen, action, observation, reward, terminated, truncated, begins, lane, info))
        self._bytes += getattr(observation, "nbytes", 0)

    def take(self) -> StepRows:
        """All of them; the next ones are noted from here on."""
        rows, self._rows, self._bytes = self._rows, [], 0
        seen, action, observation, reward, terminated, truncated, begins, lane, info = zip(*rows, strict=True)
        return StepRows(
            obs=stack_observations(seen),
            action=stack_observations(action),
            next_obs=stack_observations(observation),
            reward=np.array(reward, np.float64),
            terminated=np.array(terminated, np.bool_),
            truncated=np.array(truncated, np.bool_),
            begins=np.array(begins, np.bool_),
            lanes=np.array(lane, np.int32),
            info=info,
        )


class NotingEnv(gymnasium.Wrapper):  # type: ignore[misc]
    """Notes every step of one environment; `lane` is its place among those that share the notes."""

    def __init__(self, env: Any, noted: NotedSteps, lane: int = 0) -> None:
        super().__init__(env)
        self._noted, self._lane = noted, lane
        self._seen: Any = None
        self._begins = True

    def reset(self, **how: Any) -> Any:
        result = self.env.reset(**how)
        self._seen, self._begins = _copied(result[0]), True
        return result

    def step(self, action: Any) -> Any:
        result = self.env.step(action)
        observation, *rest = result
        following = _copied(observation)
        self._noted.add(self._lane, self._begins, self._seen, _copied(action), (following, *rest))
        self._seen, self._begins = following, False
        return result


def _copied(value: Any) -> Any:
    """An environment may write into the same array at its next step, and a policy too."""
    if isinstance(value, np.ndarray):
        return value.copy()
    return value if isinstance(value, int | float | np.generic) else copy.deepcopy(value)
