"""Reports a turbo learner to the session: finished episodes with recordings, the current episode, and metrics."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.portable.state_checksums import checksum_bytes
from rl_lab.runners.turbo.checksums import packed_checksums
from rl_lab.runners.turbo.confirmation import Confirmation
from rl_lab.runners.turbo.envs import episode_seed
from rl_lab.runners.turbo.episodes import EpisodeBatch
from rl_lab.runners.turbo.ppo import Ppo, Update
from rl_lab.worker.judging import is_judged_by_reward
from rl_lab.worker.session import Session


class Reporter:
    """Reports to one session; `packed` is the dtype of recorded actions."""

    def __init__(self, session: Session, learner: Any, packed: str) -> None:
        self._session, self._learner, self._packed = session, learner, packed
        is_ppo = isinstance(learner, Ppo)
        # Rounds of DQN take a few milliseconds; PPO reports each update.
        self._pause_s = 0.0 if is_ppo else session.metrics_interval_s
        self._has_chances = is_ppo and learner.spec.is_discrete
        self._clock, self._timestep = time.monotonic(), learner.timesteps
        self._sent = 0
        """Number of steps already sent of the current episode of environment 0."""
        self._last: Update | None = None
        self._confirm = _confirmation(session, learner)

    def report(self, update: Update) -> None:
        if len(update.episodes):
            self._episodes(update.episodes)
        self._running(update.timesteps)
        self._last = update
        if time.monotonic() - self._clock >= self._pause_s:
            self._metrics()
        self._session.solved(confirm=self._confirm)

    def state(self) -> dict[str, Any]:
        """What later reports depend on, for a checkpoint."""
        return {"confirmation": self._confirm.state() if self._confirm else None}

    def restore(self, state: dict[str, Any]) -> None:
        if self._confirm is not None and state.get("confirmation"):
            self._confirm.restore(state["confirmation"])

    def end(self) -> None:
        """Reports the last metrics, regardless of the minimum interval."""
        if self._last is not None:
            self._metrics()

    def _episodes(self, batch: EpisodeBatch) -> None:
        if (batch.env == 0).any():
            self._sent = 0
        order = np.argsort(batch.timestep, kind="stable")
        recorder = self._session.recorder
        steps = [batch.steps_of(row) for row in order.tolist()] if recorder.record else []
        recorder.finished_episodes(
            env=batch.env[order].tolist(),
            seed=batch.seed[order].tolist(),
            steps=batch.length[order].tolist(),
            returns=batch.returned[order].tolist(),
            terminated=batch.terminated[order].tolist(),
            truncated=batch.truncated[order].tolist(),
            timestep=batch.timestep[order].tolist(),
            actions=[self._pack(s["action"]) for s in steps] if steps else None,
            values=[s["value"] for s in steps] if steps else None,
            chosen=[s["chosen"] for s in steps] if steps and self._has_chances else None,
            checksums=[packed_checksums(s["checksum"]) for s in steps] if steps else None,
        )

    def _running(self, timestep: int) -> None:
        """Sends the new steps of the current episode of environment 0, a few times a second, for viewers."""
        log, recorder = self._learner.log, self._session.recorder
        length = int(log.open_length[0])
        if length <= self._sent or not recorder.partial_is_due():
            return
        part = slice(self._sent, length)
        recorder.partial(
            env=0,
            seed=episode_seed(log.run_seed, 0, int(log.finished[0])),
            start=self._sent,
            count=length - self._sent,
            actions=self._pack(log.open_steps["action"][part]),
            returned=float(log.open_steps["reward"][:length].sum()),
            timestep=timestep,
            values=log.open_steps["value"][part],
            chosen=log.open_steps["chosen"][part] if self._has_chances else None,
            checksums=packed_checksums(log.open_steps["checksum"][:length])[checksum_bytes(0, self._sent) :],
        )
        self._sent = length

    def _pack(self, actions: NDArray[Any]) -> bytes:
        return actions.astype(self._packed, copy=False).tobytes()

    def _metrics(self) -> None:
        now, update = time.monotonic(), self._last
        if update is None or not update.metrics:
            return
        fps = (update.timesteps - self._timestep) / max(now - self._clock, 1e-9)
        self._session.metrics({**update.metrics, "fps": fps}, update.timesteps)
        self._clock, self._timestep, self._last = now, update.timesteps, None


def _confirmation(session: Session, learner: Any) -> Confirmation | None:
    env = session.job.env
    if env is None or env.reward_threshold is None:
        return None
    own = session.reward if is_judged_by_reward(session.config) else None
    return Confirmation(learner, session.train_config.algorithm.lower(), env.reward_threshold, own)
