"""The Gymnasium environments of this machine: created for a worker, and listed for the catalogue."""

from __future__ import annotations

import importlib
import os
import re
import sys
import warnings
from collections.abc import Iterable
from typing import Any

from rl_lab.core.own_environments import WRAPPERS, is_own, read_own_id
from rl_lab.portable.failures import missing_module
from rl_lab.portable.machine import find_version
from rl_lab.portable.own_modules import drawing_argument
from rl_lab.worker.environments import atari
from rl_lab.worker.environments.not_installed import is_installed, missing_games, missing_robot
from rl_lab.worker.environments.own import register_own
from rl_lab.worker.environments.spaces import action_kind, space_dims, space_text, space_type, words
from rl_lab.worker.failures import explain, install_command

FAMILIES = {
    "classic_control": "classic control",
    "toy_text": "toy text",
    "box2d": "box2d",
    "mujoco": "mujoco",
    "phys2d": "phys2d",
    "tabular": "tabular",
}
QUIET_FAMILIES = {"phys2d": "jax", "tabular": "jax"}
"""Families that are left out, instead of shown as broken, while the module they need is not installed."""

FAKE_ENVIRONMENT: dict[str, Any] = {
    "id": "fake/Toy-v0",
    "name": "Toy",
    "family": "fake",
    "action_space_type": "discrete",
    "action_space": "DISCRETE(2)",
    "obs_space_type": "box",
    "obs_space": "BOX(2)",
    "obs_space_dims": [2],
    "reward_threshold": 90.0,
    "max_episode_steps": 100,
    "package": "rl-lab",
    "description": "A toy for tests: the reward rises on its own.",
}


def make_environment(
    env_id: str, env_kwargs: dict[str, Any] | None = None, render_mode: str | None = None
) -> Any:
    """Creates an environment that is deterministic, if its simulator allows it, with its wrappers around it."""
    if WRAPPERS not in (env_kwargs or {}):
        return _make(env_id, env_kwargs or {}, render_mode)
    # Imported only here: every process that draws or plays would start later.
    from rl_lab.core.wrappers import read_wrappers, without_wrappers
    from rl_lab.worker.environments.wrappers import first_limit, wrap

    chosen = read_wrappers(env_kwargs or {})
    return wrap(_make(env_id, without_wrappers(env_kwargs or {}), render_mode, first_limit(chosen)), chosen)


def _make(env_id: str, env_kwargs: dict[str, Any], render_mode: str | None, limit: int | None = None) -> Any:
    import gymnasium

    register_plugins()
    if is_own(env_id):
        env_id = register_own(env_id)
    more = {"max_episode_steps": limit} if limit is not None else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drawing = drawing_argument(gymnasium, env_id, render_mode)
        env = gymnasium.make(env_id, disable_env_checker=True, **drawing, **more, **env_kwargs)
    if type(env.unwrapped).__name__.startswith("BipedalWalker"):
        from rl_lab.worker.environments.fresh_world import FreshWorld

        env = FreshWorld(env)
    return env


def register_plugins() -> None:
    """Register installed environment packages with Gymnasium."""
    if not is_installed("ale_py"):
        return
    import ale_py
    import gymnasium

    ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)
    gymnasium.register_envs(ale_py)


def environment_version(env_id: str) -> str:
    """Package and version of an id: "gymnasium 1.4.0"."""
    own = read_own_id(env_id)
    if own is not None:
        return f"{own.slug} {own.version}"
    if env_id.startswith("fake/"):
        return f"rl-lab {find_version('rl-lab')}"
    return _package_of(_spec(env_id))


def _spec(env_id: str) -> Any:
    """The spec registered for an id; for `package.module:Name-v0` the module is imported first, which registers it."""
    import gymnasium

    register_plugins()
    if is_own(env_id):
        return gymnasium.spec(register_own(env_id))
    module, _, name = env_id.rpartition(":")
    if module:
        importlib.import_module(module)
    return gymnasium.spec(name)


def list_environments() -> list[dict[str, Any]]:
    """The newest version of every id, as fields of `core.environments.Environment`.

    Environments whose package is missing come last, with the command that installs it.
    """
    import gymnasium

    register_plugins()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        listed = [_describe(spec) for spec in _newest(gymnasium.registry.values())]
    listed += missing_games()
    if os.environ.get("RL_LAB_FAKE_RUNNER") == "1":
        listed.append(FAKE_ENVIRONMENT)
    return sorted(listed, key=lambda entry: entry.get("install") is not None)


def _newest(specs: Iterable[Any]) -> list[Any]:
    newest: dict[tuple[str | None, str], Any] = {}
    for spec in specs:
        # Ids of removed environments have a function as entry point.
        if not isinstance(spec.entry_point, str) or _is_left_out(spec):
            continue
        key = (spec.namespace, spec.name)
        if key not in newest or (spec.version or 0) >= (newest[key].version or 0):
            newest[key] = spec
    return list(newest.values())


def _is_left_out(spec: Any) -> bool:
    family = _family(spec)
    if family == "atari":
        return str(spec.namespace) != "ALE"  # older ids of the same games
    needed = QUIET_FAMILIES.get(family)
    return needed is not None and not is_installed(needed)


def _family(spec: Any) -> str:
    module = str(spec.entry_point).partition(":")[0].split(".")
    if module[0] == "ale_py":
        return "atari"
    return FAMILIES.get(module[2], "other") if module[:2] == ["gymnasium", "envs"] else "other"


def _describe(spec: Any, env_id: str | None = None) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": spec.id,
        "name": words(spec.name),
        "family": _family(spec),
        "action_space_type": "other",
        "action_space": "",
        "obs_space_type": "other",
        "obs_space": "",
        "obs_space_dims": [],
        "reward_threshold": spec.reward_threshold,
        "max_episode_steps": spec.max_episode_steps,
        "render_fps": None,
        "package": _package_of(spec),
    }
    if entry["family"] == "atari":
        return entry | atari.fields(spec.name)
    if entry["family"] == "mujoco" and not is_installed("mujoco"):
        return entry | missing_robot(spec.name)
    return entry | _made_fields(env_id or spec.id)


def _made_fields(env_id: str) -> dict[str, Any]:
    """Fields read from the environment itself; if it cannot be created, the reason."""
    try:
        env = make_environment(env_id)
    except Exception as error:  # an error of one environment must not lose the list
        failure, module = explain(error), missing_module(error)
        install = install_command(module) if module else None
        return {
            "problem": failure.message,
            "remedy": failure.next_step,
            "available": False,
            "install": install,
        }
    try:
        return {
            "action_space_type": action_kind(env.action_space),
            "action_space": space_text(env.action_space),
            "obs_space_type": space_type(env.observation_space),
            "obs_space": space_text(env.observation_space),
            "obs_space_dims": space_dims(env.observation_space),
            "render_fps": env.metadata.get("render_fps"),
            "description": _description(type(env.unwrapped).__doc__ or ""),
        }
    finally:
        env.close()


def _package_of(spec: Any) -> str:
    module = str(spec.entry_point).partition(":")[0].partition(".")[0]
    distribution = module.replace("_", "-")
    version = find_version(distribution) or getattr(sys.modules.get(module), "__version__", "")
    return f"{distribution} {version}".strip()


def _description(doc: str) -> str:
    """The first paragraph under “Description” in Gymnasium's docstrings, as plain text."""
    text = re.split(r"^\s*## Description\s*$", doc, maxsplit=1, flags=re.MULTILINE)[-1]
    paragraph = re.split(r"\n\s*\n", text.strip(), maxsplit=1)[0]
    plain = re.sub(r"\[([^\]]+)\]\([^)]*\)|`+", r"\1", " ".join(paragraph.split()))
    return plain if len(plain) <= 300 else plain[:300].rsplit(". ", 1)[0].rstrip(".") + "."


def call_list(given: dict[str, Any]) -> list[dict[str, Any]]:
    """Worker call `environments`: all of them, or one id that names its module."""
    return [describe_environment(str(given["env_id"]))] if "env_id" in given else list_environments()


def describe_environment(env_id: str) -> dict[str, Any]:
    """The entry for one id, which may name its module."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec = _spec(env_id)
        return {**_describe(spec, env_id), **_own_fields(env_id), "id": env_id}


def _own_fields(env_id: str) -> dict[str, Any]:
    own = read_own_id(env_id)
    if own is None:
        return {}
    name = own.slug.replace("-", " ").replace("_", " ").title()
    return {"name": name, "family": "own", "package": environment_version(env_id)}
