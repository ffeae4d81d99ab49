"""The environments of a run as SB3's vector environment: recorded, stacked and normalised according to the params."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.preprocessing import is_image_space
from stable_baselines3.common.vec_env import DummyVecEnv, VecFrameStack, VecNormalize

from rl_lab.runners.sb3.late_rewards import LateNormalize
from rl_lab.runners.sb3.observations import frames_stacked, prepare
from rl_lab.runners.sb3.params import Sb3Params
from rl_lab.worker.session import Session


class RecordedVecEnv(DummyVecEnv):  # type: ignore[misc]
    """SB3's DummyVecEnv without unnecessary copies; the recorder already sets the seed of each episode."""

    def __init__(self, env_fns: list[Any], has_late_rewards: bool = False) -> None:
        """`has_late_rewards`: those of the environments are not learned from, others come later."""
        super().__init__(env_fns)
        self._has_late_rewards = has_late_rewards
        self._is_plain = self.keys == [None]
        self._is_discrete = isinstance(self.action_space, spaces.Discrete)

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Does nothing: seeds come from the recorder, so that every episode can be replayed."""
        return [None] * self.num_envs

    def step_wait(self) -> Any:
        observations, rewards, dones, infos = self._step() if self._is_plain else super().step_wait()
        if self._has_late_rewards:
            rewards[:] = 0
        return observations, rewards, dones, infos

    def _step(self) -> Any:
        # Python ints: Gymnasium checks them several times faster than numpy integers.
        actions = self.actions.tolist() if self._is_discrete else self.actions
        observations = np.empty_like(self.buf_obs[None])
        rewards, dones, infos = np.empty_like(self.buf_rews), np.zeros(self.num_envs, bool), []
        for index, env in enumerate(self.envs):
            observation, rewards[index], terminated, truncated, info = env.step(actions[index])
            if terminated or truncated:
                dones[index] = True
                info = {
                    **info,
                    "TimeLimit.truncated": truncated and not terminated,
                    "terminal_observation": observation,
                }
                observation, self.reset_infos[index] = env.reset()
            observations[index] = observation
            infos.append(info)
        return observations, rewards, dones, infos


def make_vector_env(session: Session, params: Sb3Params) -> Any:
    is_late = session.reward is not None
    vector: Any = RecordedVecEnv(session.make_envs(params.n_envs, prepare), is_late)
    stack = frames_stacked(vector.envs[0])
    if stack > 1:
        vector = VecFrameStack(vector, stack)
    scales_observations = params.normalize_observations and _can_be_scaled(vector.observation_space)
    if params.normalize_observations and not scales_observations:
        session.telemetry.log(
            "info", "Observations are images or discrete: normalize_observations has no effect."
        )
    if scales_observations or params.normalize_reward:
        vector = (LateNormalize if is_late else VecNormalize)(
            vector, norm_obs=scales_observations, norm_reward=params.normalize_reward, gamma=params.gamma
        )
    return vector


def _can_be_scaled(space: Any) -> bool:
    parts = space.spaces.values() if isinstance(space, spaces.Dict) else [space]
    return all(isinstance(part, spaces.Box) and not is_image_space(part) for part in parts)
