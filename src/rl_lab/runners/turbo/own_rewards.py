"""Scores a whole rollout with the user's reward, in the learner's process, once all environments have been stepped."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.runners.turbo.envs import EnvSpec, bare_environment, episode_seed, has_vector_entry
from rl_lab.runners.turbo.episodes import EpisodeLog
from rl_lab.runners.turbo.rollouts import Rollouts
from rl_lab.worker.own_reward import OwnReward
from rl_lab.worker.user_code.noted_steps import NotedSteps, NotingEnv
from rl_lab.worker.user_code.scorer import StepRows


class RolloutScorer:
    def __init__(self, own: OwnReward, spec: EnvSpec) -> None:
        self.own, self._spec = own, spec
        self.wants_infos = "info" in own.takes and not has_vector_entry(spec)
        """CartPole's vector entry has none."""

    def score(
        self, rollouts: Rollouts, played: NDArray[Any], log: EpisodeLog, timesteps: int
    ) -> NDArray[np.float64]:
        """Rewards to learn from, as (time, env); `played`: the actions, `timesteps`: of the run before them."""
        ended = rollouts.terminated | rollouts.truncated
        following = np.where(ended[..., None], rollouts.last, rollouts.observation[1:])
        begins = np.concatenate(((log.open_length == 0)[None], ended[:-1]))
        lanes = np.broadcast_to(np.arange(rollouts.n_envs, dtype=np.int32), ended.shape)
        rows = StepRows(
            obs=self._seen(rollouts.observation[:-1]),
            action=self._played(played),
            next_obs=self._seen(following),
            reward=rollouts.reward.reshape(-1),
            terminated=rollouts.terminated.reshape(-1),
            truncated=rollouts.truncated.reshape(-1),
            begins=begins.reshape(-1),
            lanes=lanes.reshape(-1),
            info=rollouts.read_infos() if self.wants_infos else None,
        )
        return self.own.score(rows, timesteps + len(rows)).reshape(ended.shape)

    def bring_back(self, log: EpisodeLog) -> None:
        """The unfinished episodes of a checkpoint, for a reward that remembers what happened in them."""
        if "state" not in self.own.takes or not log.open_length.any():
            return
        noted = NotedSteps(with_info=self.wants_infos)
        noted.on_full = lambda: self._score_again(noted)
        env = bare_environment(self._spec)
        for lane, actions in enumerate(log.open_actions()):
            watched = NotingEnv(env, noted, lane)
            watched.reset(seed=episode_seed(log.run_seed, lane, int(log.finished[lane])))
            for action in self._played(actions[None]) if len(actions) else []:
                watched.step(action.item() if self._spec.is_discrete else action)
            self._score_again(noted)
        env.close()

    def _score_again(self, noted: NotedSteps) -> None:
        if not len(noted):
            return
        rows = noted.take()
        self.own.scored(rows if self._spec.n_states else _as_float32(rows))

    def _seen(self, observation: NDArray[np.float32]) -> NDArray[Any]:
        """As the environment gives them: numbers of states instead of one-hot rows."""
        rows = observation.reshape(-1, observation.shape[-1])
        return rows.argmax(axis=1) if self._spec.n_states else rows

    def _played(self, actions: NDArray[Any]) -> NDArray[Any]:
        rows = actions.reshape(-1, *actions.shape[2:])
        if self._spec.is_discrete:
            return rows + self._spec.action_start
        return rows.reshape(len(rows), *self._spec.action_shape)


def _as_float32(rows: StepRows) -> StepRows:
    """Observations as the learner sees them."""
    return replace(rows, obs=np.asarray(rows.obs, np.float32), next_obs=np.asarray(rows.next_obs, np.float32))
