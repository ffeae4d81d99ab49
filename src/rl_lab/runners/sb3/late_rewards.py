"""Rewards of the user's own, for SB3's learners: many steps are scored at once, before the learner needs their rewards.

Until then its buffer has zeros. A message to the process of the reward for every step would cost more than 3 % of the
speed; together they cost almost nothing, and the learner sees the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecNormalize

from rl_lab.worker.judging import is_judged_by_reward
from rl_lab.worker.own_reward import OwnReward
from rl_lab.worker.session import Session

F32 = NDArray[np.float32]
OFTEN_ENOUGH = 256
"""Steps after which a replay buffer gets its rewards, also if none of them is sampled: charts show them."""


class LateNormalize(VecNormalize):  # type: ignore[misc]
    """VecNormalize that gets the rewards of a step later, in the order of the steps."""

    returns: NDArray[np.float64]

    def step_wait(self) -> Any:
        kept, self.returns = self.returns, np.zeros(self.num_envs)
        try:
            return super().step_wait()
        finally:
            self.returns = kept

    def _update_reward(self, reward: F32) -> None:
        """Not known yet."""

    def normalise(self, reward: F32, dones: NDArray[np.bool_]) -> F32:
        """What `step_wait` would have returned, and what it would have learned from it."""
        super()._update_reward(reward)
        normalised: F32 = self.normalize_reward(reward)
        self.returns[dones] = 0
        return normalised


class LateRewards:
    """The rewards of one training; nothing to do where it learns from the environment's."""

    def __init__(self, session: Session) -> None:
        self._own: OwnReward | None = session.reward
        self._recorder = session.recorder
        self._is_judge = is_judged_by_reward(session.config)
        self._model: Any = None
        self._has_rollouts = False
        self._normaliser: Any = None
        self._ahead = 0
        """Steps after the sampled one whose rewards are sampled with it."""

    def attach(self, model: Any) -> None:
        """From now on the learner finds the rewards in its buffer whenever it reads them."""
        self._model, self._has_rollouts = model, hasattr(model, "rollout_buffer")
        self._normaliser = model.get_vec_normalize_env()
        if self._own is None:
            return
        self._own.open()
        if self._has_rollouts:
            _call_before(
                model.rollout_buffer,
                "compute_returns_and_advantage",
                lambda *_args, **_options: self.fill_in(),
            )
        else:
            # A return over several steps looks ahead.
            self._ahead = getattr(model.replay_buffer, "n_steps", 1) - 1
            _call_before(model.replay_buffer, "_get_samples", self._fill_in_if_sampled)

    def catch_up(self, *, is_boundary: bool) -> None:
        """Between two steps, and between two updates. Memory for steps without a reward is limited."""
        if self._own is None:
            return
        noted = self._own.noted
        many = not self._has_rollouts and len(noted) >= OFTEN_ENOUGH
        if noted.is_full or (is_boundary and (many or self._is_judge)):
            self.fill_in()

    def _fill_in_if_sampled(self, rows: NDArray[np.int64], *_args: Any, **_options: Any) -> None:
        """Most samples are older steps; then the newest can wait, unless rewards are normalised by all of them."""
        assert self._own is not None
        buffer, waiting = self._model.replay_buffer, len(self._own.noted) // self._model.n_envs
        count = waiting + self._ahead
        first = buffer.pos - count
        # Before every update, so the quick comparison comes first: until the buffer is full, it decides alone.
        is_sampled = rows.max() >= first and ((rows - first) % buffer.buffer_size).min() < count
        if is_sampled or self._normaliser is not None:
            self.fill_in()

    def fill_in(self) -> None:
        """Scores the steps since the last time and puts their rewards into the buffer. Call it between two steps."""
        if self._own is None or not len(self._own.noted):
            return
        rows = self._own.noted.take()
        totals = self._own.score(rows, self._recorder.timestep)
        n = self._model.n_envs
        rewards = totals.astype(np.float32).reshape(-1, n)
        dones = (rows.terminated | rows.truncated).reshape(-1, n)
        scaled = rewards
        if self._normaliser is not None:
            scaled = np.stack(
                [self._normaliser.normalise(*step) for step in zip(rewards, dones, strict=True)]
            )
        self._put(rewards, scaled)

    def _put(self, rewards: F32, scaled: F32) -> None:
        """A rollout has scaled rewards. A replay buffer has them as they are, and scales them when it is sampled."""
        count = len(rewards)
        if self._has_rollouts:
            buffer = self._model.rollout_buffer
            # Where an episode was cut off, the library has added the value of its last state.
            buffer.rewards[buffer.pos - count : buffer.pos] += scaled
        else:
            buffer = self._model.replay_buffer
            kept = min(count, buffer.buffer_size)
            places = (buffer.pos - kept + np.arange(kept)) % buffer.buffer_size
            buffer.rewards[places] = rewards[count - kept :]


def _call_before(thing: Any, method: str, call: Callable[..., None]) -> None:
    """`call` gets the same arguments."""
    original = getattr(thing, method)

    def called(*args: Any, **options: Any) -> Any:
        call(*args, **options)
        return original(*args, **options)

    setattr(thing, method, called)
