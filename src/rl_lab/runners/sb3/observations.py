"""Converts observations for SB3: unchanged, as small grey Atari frames, or flattened to one vector.

The conversion wraps around the recorder, so recordings are those of the original environment. Atari keeps Gymnasium's
own frame skip and sticky actions for the same reason: one recorded action is one decision of the policy.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.wrappers import FlattenObservation, TransformObservation
from stable_baselines3.common.atari_wrappers import ClipRewardEnv
from stable_baselines3.common.preprocessing import is_image_space

from rl_lab.core.errors import InvalidInput

ATARI_SIDE = 84
ATARI_STACK = 4
MIN_IMAGE_SIDE = 36
"""The library's convolutions need images of at least this size."""


def prepare(env: Any) -> Any:
    """Wraps an environment so that SB3 can learn from it."""
    if is_atari(env):
        space = spaces.Box(0, 255, (ATARI_SIDE, ATARI_SIDE, 1), np.uint8)
        return ClipRewardEnv(TransformObservation(env, shrink, space))
    if needs_flattening(env.observation_space):
        return FlattenObservation(env)
    return env


def frames_stacked(env: Any) -> int:
    """How many frames the policy sees at once: a single Atari frame does not show the direction of the ball.

    `env`: as `prepare` returned it.
    """
    return ATARI_STACK if isinstance(env, ClipRewardEnv) else 1


def is_atari(env: Any) -> bool:
    """Whether this is an Atari game with the screen as its observation.

    Not with its memory, and not where wrappers of the user have changed the pictures: those are learned from as given.
    """
    game = env.unwrapped
    return (
        type(game).__module__.startswith("ale_py")
        and len(game.observation_space.shape) > 1
        and bool(env.observation_space == game.observation_space)
    )


def policy_name(space: Any) -> str:
    if isinstance(space, spaces.Dict):
        return "MultiInputPolicy"
    if is_image_space(space) and min(sorted(space.shape)[-2:]) >= MIN_IMAGE_SIDE:
        return "CnnPolicy"
    return "MlpPolicy"


def shrink(frame: Any) -> Any:
    """An Atari frame in grey, 84 × 84."""
    import cv2

    grey = cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) if frame.ndim == 3 else frame
    small = cv2.resize(grey, (ATARI_SIDE, ATARI_SIDE), interpolation=cv2.INTER_AREA)
    return small[:, :, None]


def needs_flattening(space: Any) -> bool:
    if isinstance(space, spaces.Tuple):
        return _refuse_text(space)
    if isinstance(space, spaces.Dict):
        nested = any(isinstance(s, spaces.Dict | spaces.Tuple) for s in space.spaces.values())
        return _refuse_text(space) if nested else False
    if isinstance(space, spaces.Box | spaces.Discrete | spaces.MultiDiscrete | spaces.MultiBinary):
        return False
    raise InvalidInput.of_field(
        "env_id", f"Stable-Baselines3 does not support observations of type {type(space).__name__}."
    )


def _refuse_text(space: Any) -> bool:
    if space.is_np_flattenable:
        return True
    raise InvalidInput.of_field("env_id", f"Stable-Baselines3 does not support the observations {space}.")


class TrainingObservations(gymnasium.Wrapper):  # type: ignore[misc]
    """A single environment with the observations that the policy was trained on; rewards are not changed."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self._is_atari = is_atari(env)
        self._space = env.observation_space
        self._frames: deque[Any] = deque(maxlen=ATARI_STACK)

    def reset(self, **options: Any) -> Any:
        observation, info = self.env.reset(**options)
        self._frames.clear()
        return self._convert(observation), info

    def step(self, action: Any) -> Any:
        observation, *rest = self.env.step(action)
        return self._convert(observation), *rest

    def _convert(self, observation: Any) -> Any:
        if not self._is_atari:
            return spaces.flatten(self._space, observation)
        frame = shrink(observation)
        if not self._frames:
            self._frames.extend([np.zeros_like(frame)] * (ATARI_STACK - 1))
        self._frames.append(frame)
        return np.concatenate(self._frames, axis=-1)


def with_training_observations(env: Any) -> Any:
    needs_wrapper = is_atari(env) or needs_flattening(env.observation_space)
    return TrainingObservations(env) if needs_wrapper else env
