"""Applies the wrappers that a run's environment was given, in their order; `core/wrappers.py` says what each does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium import wrappers as gymnasium_wrappers

from rl_lab.core import wrappers
from rl_lab.core.errors import InvalidInput
from rl_lab.core.wrappers import WrapperChoice, describe_wrapper
from rl_lab.worker.environments.spaces import space_text


def first_limit(chosen: Sequence[WrapperChoice]) -> int | None:
    """The time limit that replaces the environment's own, if the first wrapper is one."""
    return chosen[0].steps if chosen and isinstance(chosen[0], wrappers.EpisodeLimit) else None


def wrap(env: Any, chosen: Sequence[WrapperChoice]) -> Any:
    """InvalidInput when one does not fit the spaces it gets."""
    for place, one in enumerate(chosen):
        if place == 0 and first_limit(chosen) is not None:
            continue  # gymnasium.make has applied it
        try:
            env = APPLY[type(one)](env, one)
        except (TypeError, ValueError, AssertionError) as error:
            given = f"{space_text(env.observation_space)} and {space_text(env.action_space)}"
            reason = str(error).strip() or "it does not fit"
            raise InvalidInput.of_field(
                f"env_kwargs.wrappers.{place}",
                f"{one.id} cannot be applied to {given}: {reason}",
            ) from error
    return env


def _frame_stack(env: Any, one: Any) -> Any:
    """Vectors become one longer vector; the channels of pictures are put behind each other, as networks take them."""
    shape = env.observation_space.shape or ()
    stacked = gymnasium_wrappers.FrameStackObservation(env, one.frames)
    if len(shape) <= 1:
        return gymnasium_wrappers.FlattenObservation(stacked)
    space = stacked.observation_space
    return gymnasium_wrappers.TransformObservation(
        stacked,
        _channels_last,
        spaces.Box(_channels_last(space.low), _channels_last(space.high), dtype=space.dtype),
    )


def _channels_last(pictures: Any) -> Any:
    """(frames, height, width[, channels]) → (height, width, frames × channels)"""
    moved = np.moveaxis(pictures, 0, 2)
    return moved.reshape(*moved.shape[:2], -1)


def _normalise(env: Any, one: Any) -> Any:
    space = _box(env)
    if one.mean is None and one.deviation is None:
        if not np.isfinite([space.low, space.high]).all():
            raise ValueError(
                "some numbers have no bounds; give mean and deviation, or use the learner's "
                "normalize_observations"
            )
        if np.issubdtype(space.dtype, np.floating):
            size = np.ones(space.shape, np.float32)
            return gymnasium_wrappers.RescaleObservation(env, -size, size)
        low, high = space.low.astype(np.float32), space.high.astype(np.float32)
        return _scaled(env, (low + high) / 2, np.where(high > low, (high - low) / 2, np.float32(1)))
    return _scaled(env, _numbers(one.mean, space, 0.0), _numbers(one.deviation, space, 1.0))


def _scaled(env: Any, mean: Any, deviation: Any) -> Any:
    space = env.observation_space
    low, high = (np.asarray((bound - mean) / deviation) for bound in (space.low, space.high))
    scaled = spaces.Box(low, high, space.shape, np.float32)
    return gymnasium_wrappers.TransformObservation(
        env, lambda observation: np.asarray((observation - mean) / deviation, np.float32), scaled
    )


def _clip_observations(env: Any, one: Any) -> Any:
    space, low, high = _box(env), *_bounds(one)
    clipped = spaces.Box(np.clip(space.low, low, high), np.clip(space.high, low, high), dtype=space.dtype)
    return gymnasium_wrappers.TransformObservation(
        env, lambda observation: np.clip(observation, low, high).astype(space.dtype), clipped
    )


def _clip_reward(env: Any, one: Any) -> Any:
    low, high = _bounds(one)
    return gymnasium_wrappers.ClipReward(env, low, high)


def _custom(env: Any, one: Any) -> Any:
    from rl_lab.worker.environments.own import load_wrapper

    return load_wrapper(one.code, one.wrapper)(env)


def _box(env: Any) -> Any:
    if not isinstance(env.observation_space, spaces.Box):
        raise TypeError("observations must be numbers (Box)")
    return env.observation_space


def _bounds(one: Any) -> tuple[float, float]:
    if one.low >= one.high:
        raise ValueError("low must be below high")
    return one.low, one.high


def _numbers(given: list[float] | None, space: Any, otherwise: float) -> Any:
    if given is None:
        return np.full(space.shape, otherwise, np.float32)
    size = space.shape[-1] if space.shape else 1
    if len(given) != size:
        raise ValueError(f"{len(given)} numbers are given for observations of {size}")
    return np.asarray(given if space.shape else given[0], np.float32)


APPLY: dict[type[WrapperChoice], Callable[[Any, Any], Any]] = {
    wrappers.EpisodeLimit: lambda env, one: gymnasium_wrappers.TimeLimit(env, one.steps),
    wrappers.RepeatedActions: lambda env, one: gymnasium_wrappers.RepeatAction(env, one.times),
    wrappers.StickyActions: lambda env, one: gymnasium_wrappers.StickyAction(env, one.probability),
    wrappers.StackedFrames: _frame_stack,
    wrappers.NormalisedObservations: _normalise,
    wrappers.ClippedObservations: _clip_observations,
    wrappers.ClippedReward: _clip_reward,
    wrappers.ScaledReward: lambda env, one: gymnasium_wrappers.TransformReward(
        env, lambda reward: reward * one.factor
    ),
    wrappers.ClippedActions: lambda env, one: gymnasium_wrappers.ClipAction(env),
    wrappers.RescaledActions: lambda env, one: gymnasium_wrappers.RescaleAction(
        env, np.float32(-1), np.float32(1)
    ),
    wrappers.GreyPictures: lambda env, one: gymnasium_wrappers.GrayscaleObservation(env, keep_dim=True),
    wrappers.SmallerPictures: lambda env, one: gymnasium_wrappers.ResizeObservation(
        env, (one.height, one.width)
    ),
    wrappers.FlatObservations: lambda env, one: gymnasium_wrappers.FlattenObservation(env),
    wrappers.CustomWrapper: _custom,
}

LINES: dict[str, str] = {
    "time_limit": "env = gym.wrappers.TimeLimit(env, {steps})",
    "action_repeat": "env = gym.wrappers.RepeatAction(env, {times})",
    "sticky_actions": "env = gym.wrappers.StickyAction(env, {probability})",
    "frame_stack": "env = gym.wrappers.FlattenObservation(gym.wrappers.FrameStackObservation(env, {frames}))",
    "clip_reward": "env = gym.wrappers.ClipReward(env, {low}, {high})",
    "scale_reward": "env = gym.wrappers.TransformReward(env, lambda reward: reward * {factor})",
    "clip_actions": "env = gym.wrappers.ClipAction(env)",
    "rescale_actions": "env = gym.wrappers.RescaleAction(env, -1.0, 1.0)",
    "flatten": "env = gym.wrappers.FlattenObservation(env)",
}
"""The same as text, for programs without the lab; the others need more than a line."""


def example_lines(env: Any, chosen: Sequence[WrapperChoice]) -> list[str]:
    """Lines that wrap an environment as `env` is wrapped; `gym.make` has applied a limit that comes first."""
    later = chosen[1:] if first_limit(chosen) is not None else chosen
    return [_example_line(env, one) for one in later]


def _example_line(env: Any, one: WrapperChoice) -> str:
    line = LINES.get(one.id)
    if line is None or (isinstance(one, wrappers.StackedFrames) and _stacks_pictures(env)):
        return f"# The policy was trained with {describe_wrapper(one.model_dump())}; apply it here."
    return line.format(**one.model_dump())


def _stacks_pictures(env: Any) -> bool:
    while isinstance(env, gymnasium.Wrapper):
        if isinstance(env, gymnasium_wrappers.FrameStackObservation):
            return len(env.env.observation_space.shape or ()) > 1
        env = env.env
    return False
