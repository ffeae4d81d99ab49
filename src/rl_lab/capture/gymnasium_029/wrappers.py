"""Wrappers with the arguments and results of Gymnasium 0.29. Imported only when Gymnasium 1.x is loaded."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import wrappers
from gymnasium.utils import RecordConstructorArgs
from gymnasium.wrappers.utils import RunningMeanStd

__all__ = ["CLASSES", "RunningMeanStd", "inner_attribute"]
CLASSES = (
    "FrameStack",
    "GrayScaleObservation",
    "NormalizeObservation",
    "NormalizeReward",
    "RecordEpisodeStatistics",
    "ResizeObservation",
    "TransformObservation",
    "TransformReward",
)


class RecordEpisodeStatistics(gymnasium.Wrapper, RecordConstructorArgs):  # type: ignore[misc]
    """`info["episode"]` holds arrays of one entry, summed in single precision."""

    num_envs = 1
    is_vector_env = False

    def __init__(self, env: Any, deque_size: int = 100) -> None:
        RecordConstructorArgs.__init__(self, deque_size=deque_size)
        gymnasium.Wrapper.__init__(self, env)
        self.episode_count = 0
        self.return_queue: deque[Any] = deque(maxlen=deque_size)
        self.length_queue: deque[Any] = deque(maxlen=deque_size)
        self._begin()

    def reset(self, **named: Any) -> Any:
        result = self.env.reset(**named)
        self._begin()
        return result

    def step(self, action: Any) -> Any:
        observation, reward, terminated, truncated, info = self.env.step(action)
        self.episode_returns += reward
        self.episode_lengths += 1
        if terminated or truncated:
            if "episode" in info:
                raise ValueError("Attempted to add episode stats when they already exist")
            took = np.round(time.perf_counter() - self.episode_start_times, 6).astype(np.float32)
            info["episode"] = {"r": self.episode_returns.copy(), "l": self.episode_lengths.copy(), "t": took}
            self.return_queue.extend(self.episode_returns)
            self.length_queue.extend(self.episode_lengths)
            self.episode_count += 1
            self._begin()
        return observation, reward, terminated, truncated, info

    def _begin(self) -> None:
        self.episode_start_times = np.full(1, time.perf_counter(), np.float32)
        self.episode_returns = np.zeros(1, np.float32)
        self.episode_lengths = np.zeros(1, np.int32)


class NormalizeObservation(gymnasium.Wrapper, RecordConstructorArgs):  # type: ignore[misc]
    """Computes and returns double precision; the observation space stays that of the environment."""

    def __init__(self, env: Any, epsilon: float = 1e-8) -> None:
        RecordConstructorArgs.__init__(self, epsilon=epsilon)
        gymnasium.Wrapper.__init__(self, env)
        self.obs_rms = RunningMeanStd(shape=self.observation_space.shape)
        self.epsilon = epsilon

    def reset(self, **named: Any) -> Any:
        observation, info = self.env.reset(**named)
        return self.normalize(np.array([observation]))[0], info

    def step(self, action: Any) -> Any:
        observation, *rest = self.env.step(action)
        return (self.normalize(np.array([observation]))[0], *rest)

    def normalize(self, observations: Any) -> Any:
        self.obs_rms.update(observations)
        return (observations - self.obs_rms.mean) / np.sqrt(self.obs_rms.var + self.epsilon)


class NormalizeReward(gymnasium.Wrapper, RecordConstructorArgs):  # type: ignore[misc]
    """The discounted return is reset by the step after a termination, not by a reset or a time limit."""

    def __init__(self, env: Any, gamma: float = 0.99, epsilon: float = 1e-8) -> None:
        RecordConstructorArgs.__init__(self, gamma=gamma, epsilon=epsilon)
        gymnasium.Wrapper.__init__(self, env)
        self.return_rms = RunningMeanStd(shape=())
        self.returns = np.zeros(1)
        self.gamma = gamma
        self.epsilon = epsilon

    def step(self, action: Any) -> Any:
        observation, reward, terminated, truncated, info = self.env.step(action)
        rewards = np.array([reward])
        self.returns = self.returns * self.gamma * (1 - int(terminated)) + rewards
        return observation, self.normalize(rewards)[0], terminated, truncated, info

    def normalize(self, rewards: Any) -> Any:
        self.return_rms.update(self.returns)
        scale = np.sqrt(self.return_rms.var + self.epsilon)
        if rewards.dtype.kind == "f":
            scale = scale.astype(
                rewards.dtype
            )  # with numpy 1 the dtype of the array was used, not that of the scalar
        return rewards / scale


class TransformObservation(wrappers.TransformObservation):  # type: ignore[misc]
    """Without a space, the environment's own is used."""

    def __init__(
        self, env: Any, f: Callable[[Any], Any], observation_space: Any = None, **named: Any
    ) -> None:
        super().__init__(env, named.get("func", f), observation_space)


class TransformReward(wrappers.TransformReward):  # type: ignore[misc]
    def __init__(self, env: Any, f: Callable[[Any], Any]) -> None:
        super().__init__(env, f)


class FrameStack(wrappers.FrameStackObservation):  # type: ignore[misc]
    def __init__(self, env: Any, num_stack: int, lz4_compress: bool = False) -> None:
        super().__init__(env, num_stack)
        self.num_stack = num_stack
        self.lz4_compress = lz4_compress


class GrayScaleObservation(gymnasium.ObservationWrapper, RecordConstructorArgs):  # type: ignore[misc]
    """With OpenCV's weights, which differ from those of 1.x."""

    def __init__(self, env: Any, keep_dim: bool = False) -> None:
        RecordConstructorArgs.__init__(self, keep_dim=keep_dim)
        gymnasium.ObservationWrapper.__init__(self, env)
        self.keep_dim = keep_dim
        shape = env.observation_space.shape[:2] + ((1,) if keep_dim else ())
        self.observation_space = gymnasium.spaces.Box(0, 255, shape, np.uint8)

    def observation(self, observation: Any) -> Any:
        import cv2

        grey = cv2.cvtColor(observation, cv2.COLOR_RGB2GRAY)
        return grey[..., None] if self.keep_dim else grey


class ResizeObservation(gymnasium.ObservationWrapper, RecordConstructorArgs):  # type: ignore[misc]
    """A single number means a square."""

    def __init__(self, env: Any, shape: Any) -> None:
        RecordConstructorArgs.__init__(self, shape=shape)
        gymnasium.ObservationWrapper.__init__(self, env)
        self.shape = (shape, shape) if isinstance(shape, int) else tuple(shape)
        full = self.shape + env.observation_space.shape[2:]
        self.observation_space = gymnasium.spaces.Box(0, 255, full, np.uint8)

    def observation(self, observation: Any) -> Any:
        import cv2

        resized = cv2.resize(observation, self.shape[::-1], interpolation=cv2.INTER_AREA)
        return resized.reshape(self.observation_space.shape)


def inner_attribute(self: Any, name: str) -> Any:
    """`Wrapper.__getattr__` of 0.29: what a wrapper does not have its environment may."""
    if name.startswith("_"):
        raise AttributeError(name)
    return getattr(self.env, name)
