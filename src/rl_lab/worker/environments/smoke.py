"""The smoke test of an environment: Gymnasium's checker, NaN, determinism, drawing, measured speed."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from rl_lab.worker.environments.make import environment_version, make_environment
from rl_lab.worker.environments.repeatability import check_exactness, leaves
from rl_lab.worker.environments.returned import (
    WrongResult,
    describe_outside,
    require_reset_result,
    require_step_result,
)

BUDGET_S = 1.0
"""Time for each measurement."""


def smoke_test(env_id: str, env_kwargs: dict[str, Any]) -> dict[str, Any]:
    """Findings in the order of the checks."""
    findings = [_guarded(name, check, env_id, env_kwargs) for name, check in CHECKS.items()]
    return {"env_id": env_id, "version": environment_version(env_id), "findings": findings}


def _guarded(
    name: str, check: Callable[..., dict[str, Any]], env_id: str, env_kwargs: dict[str, Any]
) -> dict[str, Any]:
    try:
        return {"check": name, **check(env_id, env_kwargs)}
    except WrongResult as error:
        return {"check": name, "level": "problem", "message": str(error)}
    except Exception as error:  # a broken environment is what this test is for
        return {"check": name, "level": "problem", "message": f"{type(error).__name__}: {error}"}


def _follows_the_api(env_id: str, env_kwargs: dict[str, Any]) -> dict[str, Any]:
    from gymnasium.utils.env_checker import check_env

    env = make_environment(env_id, env_kwargs)
    _require_results(env.unwrapped)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(env.unwrapped, skip_render_check=True)
    env.close()
    warned = sorted(
        {str(w.message).replace("\x1b[33mWARN: ", "").replace("\x1b[0m", "").strip() for w in caught}
    )
    if warned:
        return {
            "level": "warning",
            "message": f"Gymnasium's checker warns: {warned[0]}",
            "remarks": warned[:10],
        }
    return {"level": "ok", "message": "Gymnasium's checker found no problem."}


def _require_results(env: Any) -> None:
    """Gymnasium's checker unpacks what step() returns before it looks at it."""
    action_space = env.action_space
    action_space.seed(0)
    require_reset_result(env.reset(seed=0))
    require_step_result(env.step(action_space.sample()))


def _has_no_nan(env_id: str, env_kwargs: dict[str, Any]) -> dict[str, Any]:
    steps, outside, space = 0, "", None
    for env, observation, reward in _random_play(env_id, env_kwargs, BUDGET_S):
        steps += 1
        space = space or env.observation_space
        if not np.isfinite(reward) or not all(np.all(np.isfinite(leaf)) for leaf in leaves(observation)):
            raise WrongResult("step", f"Step {steps} returned a value that is not a number.")
        outside = outside or describe_outside(observation, space, steps)
    message = f"{steps:,} random steps returned finite numbers only."
    return {"level": "warning" if outside else "ok", "message": outside or message, "steps": steps}


def _is_deterministic(env_id: str, env_kwargs: dict[str, Any]) -> dict[str, Any]:
    found = check_exactness(env_id, env_kwargs)
    return {"level": "ok" if found["exact"] else "warning", "message": found["note"], "exact": found["exact"]}


def _steps_per_second(env_id: str, env_kwargs: dict[str, Any]) -> dict[str, Any]:
    begun = time.perf_counter()
    steps = sum(1 for _ in _random_play(env_id, env_kwargs, BUDGET_S))
    rate = steps / (time.perf_counter() - begun)
    return {"level": "ok", "message": f"{rate:,.0f} steps per second on one core.", "rate": rate}


def _draws(env_id: str, env_kwargs: dict[str, Any]) -> dict[str, Any]:
    env = make_environment(env_id, env_kwargs, render_mode="rgb_array")
    env.reset(seed=0)
    frame = np.asarray(env.render())
    begun, count = time.perf_counter(), 0
    while (spent := time.perf_counter() - begun) < BUDGET_S / 2:
        env.render()
        count += 1
    env.close()
    height, width = frame.shape[:2]
    if frame.max() == frame.min():
        return {"level": "warning", "message": f"The frame of {width} × {height} has one colour only."}
    rate = count / spent
    return {"level": "ok", "message": f"{width} × {height} frames, {rate:,.0f} per second.", "rate": rate}


CHECKS: dict[str, Callable[..., dict[str, Any]]] = {
    "api": _follows_the_api,
    "numbers": _has_no_nan,
    "repeatability": _is_deterministic,
    "speed": _steps_per_second,
    "drawing": _draws,
}


def _random_play(
    env_id: str, env_kwargs: dict[str, Any], budget_s: float
) -> Iterator[tuple[Any, Any, float]]:
    env = make_environment(env_id, env_kwargs)
    env.action_space.seed(0)
    env.reset(seed=0)
    end = time.perf_counter() + budget_s
    while time.perf_counter() < end:
        observation, reward, terminated, truncated, _ = require_step_result(
            env.step(env.action_space.sample())
        )
        yield env, observation, float(reward)
        if terminated or truncated:
            env.reset()
    env.close()
