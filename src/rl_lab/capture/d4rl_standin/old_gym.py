"""Environments with the interface of gym 0.23 around those of Gymnasium, and the wrappers that offline scripts use.

`seed` and `reset` are separate, `reset` returns the observation only, `step` returns four values with one `done`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class OldGymEnv:
    """`gym.Env`: what annotations and `isinstance` of a script need."""

    metadata: dict[str, Any] = {}
    reward_range = (-float("inf"), float("inf"))

    @property
    def unwrapped(self) -> Any:
        return self

    def __enter__(self) -> OldGymEnv:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Subclasses close what they have opened."""


class OldGymMade(OldGymEnv):
    """What `gym.make` returns."""

    def __init__(self, env: Any) -> None:
        self._env = env
        self._seed: int | None = None
        self.action_space = env.action_space
        self.observation_space = env.observation_space
        self.spec = env.spec

    @property
    def _max_episode_steps(self) -> int | None:
        found = getattr(self.spec, "max_episode_steps", None)
        return None if found is None else int(found)

    def seed(self, seed: Any = None) -> list[Any]:
        """The next reset begins with this seed, those after it continue the same generator."""
        self._seed = None if seed is None else int(seed)
        return [seed]

    def reset(self, *, seed: Any = None, **more: Any) -> Any:
        wanted = self._seed if seed is None else int(seed)
        self._seed = None
        observation, _info = (
            self._env.reset(**more) if wanted is None else self._env.reset(seed=wanted, **more)
        )
        return observation

    def step(self, action: Any) -> tuple[Any, Any, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self._env.step(action)
        if truncated:
            info = {**info, "TimeLimit.truncated": not terminated}
        return observation, reward, bool(terminated or truncated), info

    def render(self, mode: str = "human", **_more: Any) -> Any:
        return self._env.render()

    def close(self) -> None:
        self._env.close()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._env.unwrapped, name)


class OldGymWrapper(OldGymEnv):
    """`gym.Wrapper`: what it does not have its environment may."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.action_space = env.action_space
        self.observation_space = env.observation_space

    @property
    def unwrapped(self) -> Any:
        return self.env.unwrapped

    def seed(self, seed: Any = None) -> Any:
        return self.env.seed(seed)

    def reset(self, **more: Any) -> Any:
        return self.env.reset(**more)

    def step(self, action: Any) -> Any:
        return self.env.step(action)

    def close(self) -> None:
        self.env.close()

    def __getattr__(self, name: str) -> Any:
        if name == "_max_episode_steps":
            return self.env._max_episode_steps
        if name.startswith("_") or name == "env":
            raise AttributeError(name)
        return getattr(self.env, name)


class OldGymObservationWrapper(OldGymWrapper):
    def observation(self, observation: Any) -> Any:
        raise NotImplementedError

    def reset(self, **more: Any) -> Any:
        return self.observation(self.env.reset(**more))

    def step(self, action: Any) -> Any:
        observation, *rest = self.env.step(action)
        return (self.observation(observation), *rest)


class OldGymRewardWrapper(OldGymWrapper):
    def reward(self, reward: Any) -> Any:
        raise NotImplementedError

    def step(self, action: Any) -> Any:
        observation, reward, done, info = self.env.step(action)
        return observation, self.reward(reward), done, info


class OldGymActionWrapper(OldGymWrapper):
    def action(self, action: Any) -> Any:
        raise NotImplementedError

    def step(self, action: Any) -> Any:
        return self.env.step(self.action(action))


class OldGymTransformObservation(OldGymObservationWrapper):
    def __init__(self, env: Any, f: Callable[[Any], Any]) -> None:
        super().__init__(env)
        self.f = f

    def observation(self, observation: Any) -> Any:
        return self.f(observation)


class OldGymTransformReward(OldGymRewardWrapper):
    def __init__(self, env: Any, f: Callable[[Any], Any]) -> None:
        super().__init__(env)
        self.f = f

    def reward(self, reward: Any) -> Any:
        return self.f(reward)


WRAPPERS: dict[str, type[OldGymWrapper]] = {
    "TransformObservation": OldGymTransformObservation,
    "TransformReward": OldGymTransformReward,
}
"""Of `gym.wrappers`."""
