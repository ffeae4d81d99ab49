"""Notes the steps of environments until they are scored together: one message for many steps costs little."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

import gymnasium
import numpy as np

from rl_lab.worker.user_code.scorer import StepRows
from rl_lab.worker.user_code.step_values import copied, nbytes_of, plain_info, stack_observations

MAX_ROWS, MAX_BYTES = 4096, 16 << 20


class NotedSteps:
    """Steps of one or more environments, in the order in which they were made."""

    def __init__(
        self,
        *,
        with_info: bool = False,
        stacked: Container[str] = ("obs", "action", "next_obs"),
        on_full: Callable[[], None] | None = None,
    ) -> None:
        """`with_info`: for code that takes it; `stacked`: columns that become arrays, where others would not be used;
        `on_full`: takes them once they are too many, right after a step.
        """
        self.with_info = with_info
        self._stacked = stacked
        self.on_full = on_full
        self.is_paused = False
        """Steps are made and not noted."""
        self._rows: list[tuple[Any, ...]] = []
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def is_full(self) -> bool:
        """Time to score them: memory is limited."""
        return len(self._rows) >= MAX_ROWS or self._bytes >= MAX_BYTES

    def add(self, lane: int, begins: bool, seen: Any, action: Any, result: Any) -> None:
        """`result`: of `env.step`; an observation or action must not change afterwards, an info may."""
        observation, reward, terminated, truncated, info = result
        if self.with_info:
            info = plain_info(info)
            self._bytes += nbytes_of(info)
        else:
            info = None
        self._rows.append((seen, action, observation, reward, terminated, truncated, begins, lane, info))
        self._bytes += nbytes_of(observation)
        if self.on_full is not None and self.is_full:
            self.on_full()

    def take(self) -> StepRows:
        """All of them; the next ones are noted from here on."""
        rows, self._rows, self._bytes = self._rows, [], 0
        seen, action, observation, reward, terminated, truncated, begins, lane, info = zip(*rows, strict=True)
        return StepRows(
            obs=self._column("obs", seen),
            action=self._column("action", action),
            next_obs=self._column("next_obs", observation),
            reward=np.array(reward, np.float64),
            terminated=np.array(terminated, np.bool_),
            truncated=np.array(truncated, np.bool_),
            begins=np.array(begins, np.bool_),
            lanes=np.array(lane, np.int32),
            info=list(info) if self.with_info else None,
        )

    def _column(self, name: str, values: tuple[Any, ...]) -> Any:
        return stack_observations(values) if name in self._stacked else values


class NotingEnv(gymnasium.Wrapper):  # type: ignore[misc]
    """Notes every step of one environment; `lane` is its place among those that share the notes."""

    def __init__(self, env: Any, noted: NotedSteps, lane: int = 0) -> None:
        super().__init__(env)
        self._noted, self._lane = noted, lane
        self._seen: Any = None
        self._begins = True

    def reset(self, **how: Any) -> Any:
        result = self.env.reset(**how)
        self._seen, self._begins = copied(result[0]), True
        return result

    def step(self, action: Any) -> Any:
        result = self.env.step(action)
        observation, *rest = result
        following, noted = copied(observation), self._noted
        if not noted.is_paused:
            noted.add(self._lane, self._begins, self._seen, copied(action), (following, *rest))
        self._seen, self._begins = following, False
        return result
