"""The parts of an example program that do not depend on the learning library: the environment, the episode."""

from __future__ import annotations

import importlib.metadata
import json
import keyword
from typing import Any

from rl_lab.core.wrappers import read_wrappers, without_wrappers
from rl_lab.worker.environments.wrappers import example_lines, first_limit

EPISODE = """observation, info = env.reset(seed=0)
total, done = 0.0, False
while not done:
{act}
    observation, reward, terminated, truncated, info = env.step({action})
    total, done = total + float(reward), terminated or truncated
print(f"Return: {{total:.1f}}")
"""
SIMULATORS = {"gymnasium.envs.box2d": "Box2D", "gymnasium.envs.mujoco": "mujoco"}
"""Modules that Gymnasium's own environments need."""


def make_line(env: Any, env_id: str, env_kwargs: dict[str, Any]) -> str:
    """`env = gym.make(…)`, with the arguments and wrappers of the training; `env`: what it makes."""
    chosen = read_wrappers(env_kwargs)
    env_kwargs, limit = without_wrappers(env_kwargs), first_limit(chosen)
    if limit is not None:
        env_kwargs = {"max_episode_steps": limit, **env_kwargs}
    if all(name.isidentifier() and not keyword.iskeyword(name) for name in env_kwargs):
        rest = "".join(f", {name}={value!r}" for name, value in env_kwargs.items())
    else:
        rest = f", **{env_kwargs!r}"
    return "\n".join([f"env = gym.make({json.dumps(env_id)}{rest})", *example_lines(env, chosen)])


def registration(env: Any) -> tuple[str, ...]:
    """Lines that make the id of an environment known to Gymnasium, where its own package does not."""
    module = environment_module(env)
    if module == "ale_py":
        return ("import ale_py", "gym.register_envs(ale_py)")
    is_known = not module or module in SIMULATORS.values() or ":" in (env.spec.id if env.spec else "")
    return () if is_known else (f"import {module}",)


def environment_module(env: Any) -> str:
    """The module to install for an environment: Box2D, ale_py, a package of others; empty for Gymnasium's own."""
    module = type(env.unwrapped).__module__
    for prefix, needed in SIMULATORS.items():
        if module.startswith(prefix):
            return needed
    top = module.partition(".")[0]
    return "" if top == "gymnasium" else top


def distribution(module: str) -> str:
    """The name pip knows for an importable module."""
    return (importlib.metadata.packages_distributions().get(module) or [module])[0]
