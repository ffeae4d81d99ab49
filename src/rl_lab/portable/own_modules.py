"""Loads environments that the user wrote in the lab: in its workers and in captured scripts, all of them confined.

Standard library only; Gymnasium is the caller's.
"""

from __future__ import annotations

import inspect
import os
from types import ModuleType
from typing import Any

from rl_lab.core.own_environments import (
    APPROVED_VERSIONS,
    MAIN_FILE,
    OWN_ENVIRONMENTS,
    PREFIX,
    OwnEnvironment,
    version_name,
)
from rl_lab.portable.own_imports import execute_package

CHOSEN = "ENVIRONMENT"
"""The name by which a file with several environments says which one it is."""
NAMESPACE = "own/"
"""In Gymnasium's registry: a name without it may be that of another environment, such as CartPole-v1."""
_loaded: dict[OwnEnvironment, ModuleType] = {}


def find_own_folder(own: OwnEnvironment) -> str | None:
    """None when this process does not know the folder or may not execute the version, or when the lab has none."""
    home = os.environ.get(OWN_ENVIRONMENTS) if is_approved(own) else None
    folder = os.path.join(home, own.slug, f"v{own.version}") if home else ""
    return folder if folder and os.path.isfile(os.path.join(folder, MAIN_FILE)) else None


def is_approved(own: OwnEnvironment) -> bool:
    """Whether this process may execute the version."""
    approved = os.environ.get(APPROVED_VERSIONS)
    return approved is None or version_name(own) in approved.split(" ")


def load_module(own: OwnEnvironment, folder: str) -> ModuleType:
    """Executes the code of this version, once."""
    if own not in _loaded:
        # Every character of a slug may be in the name of a module, except the dot between packages.
        name = f"own_{own.slug.replace('.', '~')}_v{own.version}"
        _loaded[own] = execute_package(name, folder, MAIN_FILE)
    return _loaded[own]


def written_id(known_as: str) -> str:
    """The id in the lab of an environment that was registered here: own/grid-v2 is own:grid-v2."""
    return f"{PREFIX}{known_as[len(NAMESPACE) :]}" if known_as.startswith(NAMESPACE) else known_as


def register_module(gymnasium: Any, own: OwnEnvironment, module: ModuleType) -> str:
    """Makes its environment known to Gymnasium, by the id that is returned; LookupError when it has none."""
    known_as = f"{NAMESPACE}{own.slug}-v{own.version}"
    if known_as in gymnasium.registry:
        return known_as
    gymnasium.register(
        id=known_as,
        entry_point=find_class(module, gymnasium, gymnasium.Env, CHOSEN),
        max_episode_steps=getattr(module, "MAX_EPISODE_STEPS", None),
        reward_threshold=getattr(module, "REWARD_THRESHOLD", None),
        disable_env_checker=True,
    )
    return known_as


def drawing_argument(gymnasium: Any, known_as: str, render_mode: str | None) -> dict[str, str | None]:
    """`render_mode` for `gymnasium.make`; left out where it is None and the user's class has no such argument."""
    argument = {"render_mode": render_mode}
    if render_mode is not None or not known_as.startswith(NAMESPACE):
        return argument
    try:
        parameters = inspect.signature(gymnasium.spec(known_as).entry_point).parameters
    except (TypeError, ValueError):
        return argument
    takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    return argument if takes_any or "render_mode" in parameters else {}


def find_class(module: ModuleType, gymnasium: Any, base: type, chosen: str) -> Any:
    """The class of this kind that the module names as `chosen`, or the last one; LookupError when it has none."""
    named = getattr(module, chosen, None)
    if isinstance(named, type) and issubclass(named, base):
        return named
    found = classes_in(module, gymnasium, base)
    if not found:
        raise LookupError(f"The code defines no class that is derived from gymnasium.{base.__name__}.")
    return found[-1]


def classes_in(module: ModuleType, gymnasium: Any, base: type) -> list[Any]:
    """Those that the module itself defines; a wrapper is an environment too, but not one to train in."""
    return [
        one
        for one in vars(module).values()
        if isinstance(one, type)
        and issubclass(one, base)
        and one.__module__ == module.__name__
        and (base is gymnasium.Wrapper or not issubclass(one, gymnasium.Wrapper))
    ]
