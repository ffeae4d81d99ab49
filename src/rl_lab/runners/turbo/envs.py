"""Groups of Gymnasium environments. Each episode is reset with its own seed so that it can be replayed exactly.

One process steps a whole group. The group size does not depend on the number of processes, so the results do not
either. CartPole uses Gymnasium's vector entry point; all other environments are stepped one after another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.wrappers import OrderEnforcing, PassiveEnvChecker, TimeLimit
from numpy.typing import NDArray

from rl_lab.worker.environments.fresh_world import FreshWorld
from rl_lab.worker.environments.make import make_environment

GROUP = 16
"""Environments per group: small enough to spread over processes, large enough for efficient network calls."""


@dataclass(frozen=True)
class EnvSpec:
    """What a learner needs to know about an environment; sizes are of the flattened observation and action."""

    env_id: str
    env_kwargs: dict[str, Any]
    observation_size: int
    action_size: int
    is_discrete: bool
    action_low: NDArray[np.float32]
    action_high: NDArray[np.float32]
    action_start: int
    """First discrete action of the environment; the learner counts from 0."""
    action_shape: tuple[int, ...]
    n_states: int
    """Number of values of a discrete observation, which is encoded as one-hot; 0 for vectors."""
    max_episode_steps: int
    """Counted by the group, because `bare_environment` does not; 0: no limit, or one that the environment counts."""
    solved_at: float | None


@dataclass
class StepArrays:
    """Arrays for one step of one group, filled by `Group.step`; `last` is valid only where an episode ended."""

    reward: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    last: NDArray[np.float32]


class Group(Protocol):
    observation: NDArray[np.float32]
    infos: list[dict[str, Any]]
    """Of the last step, one per environment; empty where there are none."""

    def reset(self) -> None: ...
    def step(self, action: NDArray[Any], into: StepArrays) -> None: ...
    def replay(self, actions: list[NDArray[Any]]) -> None:
        """Replays these actions in environments that were just reset."""

    def close(self) -> None: ...


def episode_seed(run_seed: int, env: int, episode: int) -> int:
    """The reset seed of one episode; a pure function, so every process and a resumed run get the same seed."""
    x = (run_seed * 0x9E3779B97F4A7C15 + env * 0xBF58476D1CE4E5B9 + episode * 0x94D049BB133111EB) & _MASK
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = ((x ^ (x >> shift)) * factor) & _MASK
    return (x ^ (x >> 31)) & 0x7FFFFFFF


_MASK = 0xFFFFFFFFFFFFFFFF


def describe(env_id: str, env_kwargs: dict[str, Any]) -> EnvSpec:
    """Sizes and limits of an environment; raises `ValueError` with the reason if turbo does not support it."""
    env = make_environment(env_id, env_kwargs)
    try:
        observation, action, spec = env.observation_space, env.action_space, env.spec
        max_episode_steps = _strip(env)[1]
    finally:
        env.close()
    if not isinstance(observation, spaces.Box | spaces.Discrete) or len(observation.shape) > 1:
        raise ValueError(
            f"turbo supports vector and scalar observations only; {env_id} has {observation}. Choose the sb3 runner."
        )
    if not isinstance(action, spaces.Discrete | spaces.Box) or len(action.shape) > 1:
        raise ValueError(
            f"turbo supports Discrete and Box actions only; {env_id} has {action}. Choose the sb3 runner."
        )
    is_discrete = isinstance(action, spaces.Discrete)
    size = int(action.n) if is_discrete else int(np.prod(action.shape))
    bounds = np.zeros(size, np.float32)
    return EnvSpec(
        env_id=env_id,
        env_kwargs=env_kwargs,
        observation_size=int(spaces.flatdim(observation)),
        action_size=size,
        is_discrete=is_discrete,
        action_low=bounds if is_discrete else action.low.astype(np.float32),
        action_high=bounds if is_discrete else action.high.astype(np.float32),
        action_start=int(action.start) if is_discrete else 0,
        action_shape=() if is_discrete else tuple(action.shape),
        n_states=int(observation.n) if isinstance(observation, spaces.Discrete) else 0,
        max_episode_steps=max_episode_steps,
        solved_at=spec.reward_threshold if spec else None,
    )


def flatten(observation: Any, spec: EnvSpec) -> NDArray[np.float32]:
    """An observation as the network's input."""
    if spec.n_states:
        row = np.zeros(spec.n_states, np.float32)
        row[int(observation)] = 1
        return row
    return np.asarray(observation, np.float32).reshape(-1)


def cut_groups(spec: EnvSpec, n_envs: int) -> list[slice]:
    """Splits `n_envs` environments into groups."""
    size = n_envs if has_vector_entry(spec) else GROUP
    return [slice(start, min(start + size, n_envs)) for start in range(0, n_envs, size)]


def has_vector_entry(spec: EnvSpec) -> bool:
    return spec.env_id in ("CartPole-v0", "CartPole-v1") and not spec.env_kwargs


def make_group(spec: EnvSpec, which: slice, run_seed: int, episodes: NDArray[np.int64]) -> Group:
    """The environments in the range `which`; the shared array `episodes` counts the episodes of each environment."""
    make = VectorCartPole if has_vector_entry(spec) else SteppedGroup
    return make(spec, which, run_seed, episodes)


class SteppedGroup:
    """Environments stepped one after another, without the wrappers that only check or count."""

    def __init__(self, spec: EnvSpec, which: slice, run_seed: int, episodes: NDArray[np.int64]) -> None:
        self._spec, self._first, self._run_seed, self._episodes = spec, which.start, run_seed, episodes
        n = which.stop - which.start
        self._envs = [bare_environment(spec) for _ in range(n)]
        self._steps = [0] * n
        self.observation = np.zeros((n, spec.observation_size), np.float32)
        self.infos: list[dict[str, Any]] = [{}] * n

    def reset(self) -> None:
        for i in range(len(self._envs)):
            self._begin(i)

    def _begin(self, i: int) -> None:
        env, index = self._envs[i], self._first + i
        seed = episode_seed(self._run_seed, index, int(self._episodes[index]))
        observation, _ = env.reset(seed=seed)
        self._write(self.observation[i], observation)
        self._steps[i] = 0

    def _write(self, row: NDArray[np.float32], observation: Any) -> None:
        row[:] = flatten(observation, self._spec) if self._spec.n_states else observation

    def step(self, action: NDArray[Any], into: StepArrays) -> None:
        limit = self._spec.max_episode_steps
        # Python ints: Discrete.contains is several times faster for them than for numpy integers
        actions = (action + self._spec.action_start).tolist() if self._spec.is_discrete else list(action)
        for i, env in enumerate(self._envs):
            observation, reward, terminated, truncated, self.infos[i] = env.step(actions[i])
            self._steps[i] += 1
            truncated = truncated or self._steps[i] == limit
            into.reward[i], into.terminated[i], into.truncated[i] = reward, terminated, truncated
            if terminated or truncated:
                self._write(into.last[i], observation)
                self._episodes[self._first + i] += 1
                self._begin(i)
            else:
                self._write(self.observation[i], observation)

    def replay(self, actions: list[NDArray[Any]]) -> None:
        for i, (env, played) in enumerate(zip(self._envs, actions, strict=True)):
            for action in (played + self._spec.action_start).tolist() if self._spec.is_discrete else played:
                self._write(self.observation[i], env.step(action)[0])
            self._steps[i] = len(played)

    def close(self) -> None:
        for env in self._envs:
            env.close()


def bare_environment(spec: EnvSpec) -> Any:
    """The environment without the wrappers that only check arguments or count steps; the group counts the steps."""
    return _strip(make_environment(spec.env_id, spec.env_kwargs))[0]


def _strip(made: Any) -> tuple[Any, int]:
    """The environment below the outermost wrappers of these kinds, and the lowest limit that they count to."""
    env = made.env if isinstance(made, FreshWorld) else made
    limits = []
    # Not their subclasses, which may do more.
    while type(env) in (OrderEnforcing, PassiveEnvChecker, TimeLimit):
        limits += [env._max_episode_steps] if type(env) is TimeLimit else []
        env = env.env
    return FreshWorld(env) if isinstance(made, FreshWorld) else env, min(limits, default=0)


class VectorCartPole:
    """Gymnasium's CartPole vector environment; its episodes start in the seeded states of `CartPole-v1`.

    It computes the same float64 values as the single environment. Only its shared random generator is not used:
    each finished sub-environment starts in the state that `gym.make(...).reset(seed=…)` would give.
    """

    def __init__(self, spec: EnvSpec, which: slice, run_seed: int, episodes: NDArray[np.int64]) -> None:
        self._spec, self._first, self._run_seed, self._episodes = spec, which.start, run_seed, episodes
        self._n = which.stop - which.start
        vector = gym.make_vec(spec.env_id, num_envs=self._n, vectorization_mode="vector_entry_point")
        self._env: Any = vector.unwrapped
        self.observation = np.zeros((self._n, 4), np.float32)
        self.infos: list[dict[str, Any]] = []

    def reset(self) -> None:
        self._env.reset(seed=0)
        for i in range(self._n):
            self._begin(i)
        self.observation[:] = self._env.state.T

    def _begin(self, i: int) -> None:
        env, index = self._env, self._first + i
        seed = episode_seed(self._run_seed, index, int(self._episodes[index]))
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
        env.state[:, i] = rng.uniform(env.low, env.high, 4)
        env.steps[i] = 0

    def step(self, action: NDArray[Any], into: StepArrays) -> None:
        env = self._env
        observation, into.reward[:], into.terminated[:], into.truncated[:], _ = env.step(action)
        if env.prev_done.any():
            ended = np.flatnonzero(env.prev_done)
            into.last[ended] = observation[ended]
            self._episodes[self._first + ended] += 1
            for i in ended.tolist():
                self._begin(i)
            observation[ended] = env.state.T[ended]
            env.prev_done[:] = False  # already reset here, so the next step must not reset it again
        self.observation[:] = observation

    def replay(self, actions: list[NDArray[Any]]) -> None:
        single: Any = gym.make(self._spec.env_id).unwrapped
        for i, played in enumerate(actions):
            index = self._first + i
            single.reset(seed=episode_seed(self._run_seed, index, int(self._episodes[index])))
            for action in played.tolist():
                single.step(action)
            self._env.state[:, i], self._env.steps[i] = single.state, len(played)
        self.observation[:] = self._env.state.T

    def close(self) -> None:
        self._env.close()
